package chunk

import "fmt"

// A Policy says how a document is cut. The zero value is a good default.
type Policy struct {
	// Depth is the deepest heading that begins a chunk, 1 to 6; 0 means 3.
	// Deeper ones stay inside, unless the chunk must be split: then it is
	// split at them first. For windows it is the deepest heading that no
	// window crosses, and 0 means 2.
	Depth int

	// Min is the size in tokens under which a section joins its neighbours;
	// 0 means 100, and 1 that none does. For windows it is the size a window
	// has at least, where its section is as large and no code block or table
	// is in the way, and 0 means 64.
	Min int

	// Max is the largest chunk in tokens; 0 means 800, for windows 320.
	Max int

	// Window asks for overlapping windows instead of whole sections.
	Window bool

	// Overlap is how much of a window, in per cent of Max, is repeated in the
	// next one; 0 means 20.
	Overlap int

	// Count tells how many tokens a text has, in time linear in its length;
	// nil counts one for every four bytes.
	Count func(text []byte) int

	// Weigh and Round are Count in two steps: Count(t) is Round(Weigh(t))
	// unless t is empty, and weights add up over texts if each ends with a newline and the next does
	// not begin with one. They spare small sections that join being counted
	// twice; both may be nil.
	Weigh func(text []byte) int
	Round func(weight int) int
}

// The smallest Max. Below it there is no room for a code fence around a word.
const leastMax = 16

// Validate reports what is wrong with p in words for the person who chose it.
func (p Policy) Validate() error {
	q := p.withDefaults()
	switch {
	case p.Depth < 0 || p.Depth > 6:
		return fmt.Errorf("chunk policy: heading depth %d is not from 1 to 6", p.Depth)
	case p.Min < 0:
		return fmt.Errorf("chunk policy: smallest chunk of %d tokens: must not be negative", p.Min)
	case p.Max < 0 || p.Max > 0 && p.Max < leastMax:
		return fmt.Errorf("chunk policy: largest chunk of %d tokens: must be at least %d", p.Max, leastMax)
	case q.Min > q.Max:
		return fmt.Errorf("chunk policy: smallest chunk of %d tokens is over the largest of %d", q.Min, q.Max)
	case p.Overlap < 0 || p.Overlap > 50:
		return fmt.Errorf("chunk policy: overlap of %d %% is not from 1 to 50", p.Overlap)
	}
	return nil
}

// withDefaults fills in what is 0. A Max below the default Min lowers it.
func (p Policy) withDefaults() Policy {
	depth, least, most := 3, 100, 800
	if p.Window {
		depth, least, most = 2, 64, 320
	}
	if p.Depth == 0 {
		p.Depth = depth
	}
	if p.Max == 0 {
		p.Max = most
	}
	if p.Min == 0 {
		p.Min = min(least, p.Max/2)
	}
	if p.Overlap == 0 {
		p.Overlap = 20
	}
	if p.Count == nil {
		p.Count = func(text []byte) int { return (len(text) + 3) / 4 }
	}
	return p
}
