package cli

import "runtime/debug"

// How much garbage may pile up before it is collected, in percent of what is in use.
// Making an index takes memory in proportion to the documents. Comparing files leaves
// little behind, and of the first documents there is nothing to collect yet; of some,
// collecting often keeps it small; of many, that would cost a tenth of the time.
const whileComparing = 400

// whileReading is the same for an index of which so many bytes were read.
func whileReading(bytes int64) int {
	switch {
	case bytes < 1<<20:
		return 200
	case bytes > 8<<20:
		return 100
	}
	return 50
}

// A collector changes how much may pile up.
type collector struct{ percent int }

func (g *collector) allow(percent int) {
	if percent != g.percent {
		g.percent = percent
		debug.SetGCPercent(percent)
	}
}
