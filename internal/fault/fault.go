// Package fault hands faults on mapped files from one goroutine to another.
//
// Touching a byte of a mapped file that was cut short is a fault. It ends the program,
// unless the goroutine has asked for a panic instead, which whoever mapped the file can
// recover. To ask concerns one goroutine, not those that it starts: these belong into a
// Group.
package fault

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// An Error is what a fault panics with.
type Error interface {
	error
	Addr() uintptr // that was touched
}

// A Group is a sync.WaitGroup for goroutines that read mapped files. The zero value is
// ready for use.
type Group struct {
	wait  sync.WaitGroup
	first atomic.Pointer[Error]
}

// Go runs fn in a goroutine of its own.
func (g *Group) Go(fn func()) {
	g.wait.Go(func() {
		debug.SetPanicOnFault(true)
		defer func() {
			switch r := recover().(type) {
			case nil:
			case Error:
				g.first.CompareAndSwap(nil, &r)
			default:
				panic(r)
			}
		}()
		fn()
	})
}

// Wait waits for all of them. If one had a fault, Wait panics with it.
func (g *Group) Wait() {
	g.wait.Wait()
	if e := g.first.Load(); e != nil {
		panic(*e)
	}
}
