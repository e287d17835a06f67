package embed

import (
	"runtime"
	"sync"
)

// each calls f for 0 to n-1, on all processors.
func each(n int, f func(int)) {
	procs := runtime.GOMAXPROCS(0)
	if procs == 1 {
		for i := range n {
			f(i)
		}
		return
	}
	var wg sync.WaitGroup
	for p := range procs {
		wg.Go(func() {
			for i := p; i < n; i += procs {
				f(i)
			}
		})
	}
	wg.Wait()
}
