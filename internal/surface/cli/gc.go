package cli

import "runtime/debug"

// The garbage collector's target (GOGC) while an index is built, by what was read:
//
//	comparing files   400  little garbage is made
//	under 1 MiB       200  the heap is small anyway
//	up to 12 MiB       50  keeps the resident size low, that of one large file too
//	more              100  50 would cost 10 % of the time
//	100,000 files      50  whose names and rows are most of the heap, however small they are
const gcComparing = 400

// gcReading returns the target after so many documents, of so many bytes, were read.
func gcReading(files int, bytes int64) int {
	switch {
	case bytes < 1<<20:
		return 200
	case bytes > 12<<20 && files < 100_000:
		return 100
	}
	return 50
}

// A gcTuner sets the target when it changes.
type gcTuner struct{ percent int }

func (g *gcTuner) set(percent int) {
	if percent != g.percent {
		g.percent = percent
		debug.SetGCPercent(percent)
	}
}
