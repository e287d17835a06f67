package search

import (
	"strings"

	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/text/words"
)

// How one text is kept from filling an answer.
//
// A long section is cut into parts, and each is found by itself; a page may stand in
// the documents twice, for two versions or two products. Of such hits the best is shown,
// and the others are named with it.

// sameText is the share of their runs of words that two texts have in common when one is
// a copy of the other, with a name or a number changed here and there.
const sameText = 0.9

// leastRuns is how many runs of words a text must have to be taken for a copy: short
// texts are alike by chance, or because they only point somewhere.
const leastRuns = 30

// mostParts is how many parts of a section are shown by themselves: the second holds the
// answer often enough, with one in its place the set people-rust loses .014.
const mostParts = 2

// readAtOnce is how many hits are read at once: only among them copies are looked for.
// Who asks for more is a program, and comparing each with each would take it minutes.
const readAtOnce = 20

// fold names a hit, by its Ref, with the earlier one that shows the same, and reports
// whether there is one.
func fold(hits []hit, h *hit, ref string) bool {
	parts, first := 0, -1 // of the same section
	for i := range hits {
		switch {
		case isPart(&hits[i].from, &h.from):
			if parts++; first < 0 {
				first = i
			}
		case len(hits) < readAtOnce && hits[i].isCopy(h):
			hits[i].AlsoAt = append(hits[i].AlsoAt, ref)
			return true
		}
	}
	if parts < mostParts {
		return false
	}
	hits[first].AlsoAt = append(hits[first].AlsoAt, ref)
	return true
}

// isPart reports whether two candidates are parts of one section.
func isPart(a, b *retrieve.Ranked) bool {
	return a.Segment == b.Segment && a.Chunk.File == b.Chunk.File && a.Chunk.Section == b.Chunk.Section &&
		a.Chunk.Part > 0 && b.Chunk.Part > 0
}

// isCopy reports whether two hits have nearly the same text. Copies have the same title
// and nearly the same length too, so that few texts are compared.
func (h *hit) isCopy(other *hit) bool {
	short, long := min(h.Tokens, other.Tokens), max(h.Tokens, other.Tokens)
	if 4*short < 3*long || short < leastRuns || !words.Same(h.Title, other.Title) {
		return false
	}
	a, b := h.wordRuns(), other.wordRuns()
	if min(len(a), len(b)) < leastRuns {
		return false
	}
	shared := 0
	for run := range a {
		if b[run] {
			shared++
		}
	}
	return float64(shared) >= sameText*float64(len(a)+len(b)-shared)
}

// runLength is how many words a run has: so many in a row are seldom the same by chance.
const runLength = 4

// wordRuns are the runs of words of the hit's text, found when they are needed.
func (h *hit) wordRuns() map[string]bool {
	if h.runs != nil {
		return h.runs
	}
	flat := words.Slug(h.Body)
	h.runs = map[string]bool{}
	var starts []int
	for at := 0; at < len(flat); {
		starts = append(starts, at)
		end := len(flat)
		if i := strings.IndexByte(flat[at:], ' '); i >= 0 {
			end = at + i
		}
		if n := len(starts); n >= runLength {
			h.runs[flat[starts[n-runLength]:end]] = true
		}
		at = end + 1
	}
	return h.runs
}
