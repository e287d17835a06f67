package chunk

import (
	"math"

	"github.com/docent-md/docent/doc"
)

// Overlapping windows of Min to Max tokens. No window crosses a heading of depth Depth
// or less, unless what is under it has less than Min tokens: then it shares windows with
// what follows, or at the end of the file with what precedes. What is between two such
// headings is one window if it is small enough; else windows follow each other, each
// beginning with the last sentences, lines or blocks of the one before: Overlap per cent
// of Max, at least half of that. Neighbours share less, or nothing, in two places: where a
// heading of that depth begins another topic, and behind code, tables or HTML of more than
// that. Those are kept whole up to Max less Min tokens, so that what precedes one always
// finds room with it. The last window reaches further back where it would be under Min.
// Only of a file that is shorter itself a window is under Min.

func (s *splitter) windows() {
	overlap := s.Max * s.Overlap / 100
	groups := s.largeEnough(s.headed())
	s.out = make([]doc.Chunk, 0, len(groups))
	for _, g := range groups {
		tokens := g.tokens
		if g.joints > 0 {
			tokens = s.count(g.span)
		}
		if tokens <= s.Max {
			s.emit(g.span, s.text[g.span.Start:g.span.End], tokens)
			continue
		}
		c := s.cutter(g.span, max(overlap/2, 8), max(s.Max-s.Min, s.Max/2))
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

// largeEnough joins groups until each has Min tokens. It reuses groups.
func (s *splitter) largeEnough(groups []group) []group {
	out := groups[:0]
	for _, g := range groups {
		if n := len(out); n > 0 && out[n-1].tokens < s.Min {
			last := &out[n-1]
			if s.join(last, g); last.tokens >= s.Min {
				last.tokens, last.joints = s.count(last.span), 0 // sums are rounded up
			}
			continue
		}
		out = append(out, g)
	}
	if n := len(out); n > 1 && out[n-1].tokens < s.Min {
		s.join(&out[n-2], out[n-1])
		out = out[:n-1]
	}
	return out
}

// back returns where the window after the pieces i to j begins: early enough
// to share overlap tokens, late enough to reach beyond j.
func (c *cutter) back(i, j, overlap int) int {
	best, least := j, math.MaxInt
	for k := j - 1; k > i && c.sums[j]-c.sums[k] <= overlap && c.size(k, j+1) <= c.Max; k-- {
		shared := c.sums[j] - c.sums[k]
		cost := pain[c.pieces[k].cut] + 100*(overlap-shared)/max(overlap, 1)
		if shared < overlap/2 {
			cost += 1000 // never, if there is another way
		}
		if cost < least {
			best, least = k, cost
		}
	}
	n := len(c.pieces)
	for best > i+1 && c.size(best, n)-(n-best) < c.Min && c.size(best-1, n) <= c.Max {
		best--
	}
	return best
}
