package chunk

import (
	"math"

	"github.com/docent-md/docent/doc"
)

// Parts of what is over Max. They are made about equally large rather than as
// large as possible, so that no crumb is left over, and end where a cut hurts
// least: at a deeper heading if there is one near, else between blocks, and so
// on down to words.

// pack emits the pieces of c as parts that tile them.
func (s *splitter) pack(c *cutter) {
	for i := 0; i < len(c.pieces); {
		rest := c.size(i, len(c.pieces))
		j := len(c.pieces)
		if rest > s.Max {
			parts := (rest + s.Max - 1) / s.Max
			j = c.best(i, i+1, (rest+parts-1)/parts)
		}
		_, i = c.part(i, i, j)
	}
}

// size returns about how many tokens a part of the pieces i to j has.
func (c *cutter) size(i, j int) int {
	size := c.sums[j] - c.sums[i]
	if r := c.pieces[i].repair; r >= 0 {
		size += c.repairs[r].headTokens
	}
	if j < len(c.pieces) && c.pieces[j].repair >= 0 {
		size += c.repairs[c.pieces[j].repair].tailTokens
	}
	return size
}

// best returns where to end a part that begins with piece i, ends at from or
// later, and ought to have target tokens.
func (c *cutter) best(i, from, target int) int {
	best, least := from, math.MaxInt
	for j := from; j < len(c.pieces) && c.sums[j]-c.sums[i] <= c.Max; j++ {
		size := c.size(i, j)
		if size > c.Max {
			continue
		}
		cost := pain[c.pieces[j].cut] + 100*abs(size-target)/target
		if size < c.Min || c.sums[len(c.pieces)]-c.sums[j] < c.Min {
			cost += 100
		}
		if c.Window && size-(j-i) < c.Min { // each piece may be rounded up
			cost += 1000 // never, if there is another way
		}
		if cost <= least { // of equals the later: it makes fewer parts
			best, least = j, cost
		}
	}
	return best
}

// part makes a chunk of the pieces i to j and returns those it took. Sums are
// estimates: where one was too low, the chunk ends earlier or, when it would
// not reach beyond done, begins later.
func (c *cutter) part(i, done, j int) (first, end int) {
	for {
		sp := doc.Span{Start: c.pieces[i].start, End: c.pieces[j-1].end}
		text := c.repaired(sp, i, j)
		counted := sp.Of(c.src)
		if len(text) > len(counted) {
			counted = []byte(text)
		}
		switch tokens := c.Count(counted); {
		case tokens <= c.Max || j-i == 1:
			c.emit(sp, text, tokens)
			return i, j
		case j-1 > done:
			j--
		default:
			i++
		}
	}
}

// repaired returns the text of the pieces i to j.
func (c *cutter) repaired(sp doc.Span, i, j int) string {
	text := c.text[sp.Start:sp.End]
	if r := c.pieces[i].repair; r >= 0 {
		text = c.repairs[r].head + text
	}
	if j < len(c.pieces) && c.pieces[j].repair >= 0 {
		tail := c.repairs[c.pieces[j].repair].tail
		if tail != "" && text[len(text)-1] != '\n' {
			tail = "\n" + tail
		}
		text += tail
	}
	return text
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
