package chunk

import (
	"math"

	"github.com/docent-md/docent/doc"
)

// Overlapping windows. No window crosses a heading of depth Depth or less.
// What is between two of those is one window if it is small enough; else
// windows of up to Max tokens follow each other, each beginning with the last
// sentences, lines or blocks of the one before: as many as fit into Overlap per
// cent of Max. Code and tables that fit into a window are kept whole, so what
// follows one may share nothing with what precedes it. The last window reaches
// further back where it would be under Min.

func (s *splitter) windows() {
	overlap := s.Max * s.Overlap / 100
	groups := s.headed()
	s.out = make([]doc.Chunk, 0, len(groups))
	for _, g := range groups {
		if g.tokens <= s.Max {
			s.emit(g.span, s.text[g.span.Start:g.span.End], g.tokens)
			continue
		}
		c := s.cutter(g.span, max(overlap/2, 8))
		for i, done, n := 0, 0, len(c.pieces); done < n; {
			j := n
			if c.size(i, n) > s.Max {
				j = c.best(i, done+1, s.Max)
			}
			i, done = c.part(i, done, j)
			if done < n {
				i = c.back(i, done, overlap)
			}
		}
	}
}

// back returns where the window after the pieces i to j begins: early enough
// to share overlap tokens, late enough to reach beyond j.
func (c *cutter) back(i, j, overlap int) int {
	best, least := j, math.MaxInt
	for k := j; k > i && c.sums[j]-c.sums[k] <= overlap; k-- {
		if k < j && c.size(k, j+1) > c.Max {
			break
		}
		cost := pain[c.pieces[k].cut] + 100*(overlap-(c.sums[j]-c.sums[k]))/max(overlap, 1)
		if cost < least {
			best, least = k, cost
		}
	}
	n := len(c.pieces)
	for best > i+1 && c.size(best, n) < c.Min && c.size(best-1, n) <= c.Max {
		best--
	}
	return best
}
