package index

import (
	"cmp"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
)

// allWorkers is how many goroutines that many workers are: 0 means one for each
// processor.
func allWorkers(workers int) int { return cmp.Or(max(workers, 0), runtime.GOMAXPROCS(0)) }

// share has 0 to n-1 done in stretches of that size by several goroutines. Each has
// a function of its own, which start makes before any of them runs, and stops at its
// first error.
func share(n, size, workers int, start func() func(from, to int) error) error {
	all := make([]func(from, to int) error, workers)
	for w := range all {
		all[w] = start()
	}
	errs := make([]error, workers)
	var next atomic.Int64
	var wait sync.WaitGroup
	for w, do := range all {
		wait.Go(func() {
			for errs[w] == nil {
				from := int(next.Add(int64(size))) - size
				if from >= n {
					return
				}
				errs[w] = do(from, min(from+size, n))
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}
