package search

import (
	"slices"
	"unicode/utf8"

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
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			shared, i, j = shared+1, i+1, j+1
		}
	}
	return float64(shared) >= sameText*float64(len(a)+len(b)-shared)
}

// runLength is how many words a run has: so many in a row are seldom the same by chance.
const runLength = 4

// wordRuns are the runs of words of the hit's text, in order of their hashes. They are
// found when they are needed.
func (h *hit) wordRuns() []uint64 {
	if h.runs != nil {
		return h.runs
	}
	h.runs = make([]uint64, 0, h.Tokens)
	const prime = 1099511628211
	var last [runLength]uint64 // hashes of words
	n, word := 0, uint64(0)
	for i := range len(h.Body) + 1 {
		if i < len(h.Body) && inWord(h.Body[i]) {
			word = word*prime + uint64(h.Body[i]|0x20) + 1
			continue
		}
		if word == 0 {
			continue
		}
		last[n%runLength] = word
		if n, word = n+1, 0; n < runLength {
			continue
		}
		run := uint64(0)
		for k := range runLength {
			run = run*prime + last[(n+k)%runLength]
		}
		h.runs = append(h.runs, run)
	}
	slices.Sort(h.runs)
	h.runs = slices.Compact(h.runs)
	return h.runs
}

// inWord reports whether a byte belongs to a word, as far as bytes tell.
func inWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c >= utf8.RuneSelf
}
