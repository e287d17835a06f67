package segment

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	"github.com/docent-md/docent/internal/fault"
)

// A published file is replaced by renaming, never written to. Someone else may still cut
// one short in place, copy another over it, or have a disk that fails. Touching a mapped
// byte that is no longer there is a fault, and one that has passed its checksum may be
// another one now. Guard is for the first, Intact for the second.

// ErrReplaced means that a file is not the one that was opened: opening it again helps.
var ErrReplaced = errors.New("replaced since it was opened")

// Intact returns ErrReplaced, wrapped, if another file has the place of f, or f was
// written to. A file that is gone stays as it was for those who have it open.
func (f *File) Intact() error {
	if f.info == nil {
		return nil
	}
	now, err := os.Stat(f.src.path)
	if err != nil || os.SameFile(now, f.info) && now.Size() == f.src.size && now.ModTime().Equal(f.info.ModTime()) {
		return nil
	}
	return fmt.Errorf("%s: %w", f.src.path, ErrReplaced)
}

// Guard runs fn and returns what it returns. A fault on a mapped byte of an open file
// becomes an error that is ErrDamaged instead of ending the program.
//
// Goroutines that fn starts belong into a fault.Group. As after any panic, locks that
// fn took without a deferred unlock stay taken.
func Guard(fn func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		r := recover()
		if r == nil {
			return
		}
		if e, ok := r.(fault.Error); ok {
			err = mappings.damage(e.Addr())
		}
		if err == nil {
			panic(r)
		}
	}()
	return fn()
}

// mappings are the files that are mapped.
var mappings mapped

type mapped struct {
	mu    sync.Mutex
	files map[*File]bool
}

func (m *mapped) add(f *File) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files == nil {
		m.files = map[*File]bool{}
	}
	m.files[f] = true
}

func (m *mapped) remove(f *File) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, f)
}

// damage says which file a fault hit; nil if none.
func (m *mapped) damage(addr uintptr) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for f := range m.files {
		if off := addr - f.base; off < uintptr(f.src.size) {
			return &DamagedError{
				File: f.src.path, Part: f.partAt(int64(off)), Offset: int64(off),
				Reason: "it cannot be read: the file was cut short, or the disk fails",
			}
		}
	}
	return nil
}

// partAt names the part that holds the byte at off, or "".
func (f *File) partAt(off int64) string {
	for i := range f.layout.blobs {
		if b := &f.layout.blobs[i]; off >= b.off && off < b.off+int64(b.n) {
			return b.name
		}
	}
	return ""
}
