package rank

import (
	"cmp"
	"slices"
)

// How two lists become one.
//
// Weighted takes each score relative to the best of its kind:
//
//	score = best · ((1-share) · words/best + share · likeness/most)
//
// so that scores stay on the scale of the words', and what follows (titles, pages)
// weighs as before. Neither depends on how many candidates there are, so that the
// order of the first ten does not change with how many are asked for. It is for a model that is weaker than the words, as a table of
// word vectors is.
//
// Reciprocal gives each candidate 1/(60+rank) for its place in each list, as is
// usual for lists of equal standing, and brings the best to the words' best score.

// How much likeness weighs in Weighted: with a table that was adapted to the
// documents, and with the table as it ships; and how much more in a question in
// sentences, whose words are rarely the document's. See eval/scoreboard.txt.
const (
	Share      = 0.3
	PlainShare = 0.2
	ProseShare = 0.1
)

// reciprocalK damps the difference between the first places.
const reciprocalK = 60

// A Fusable is a candidate of either list.
type Fusable struct {
	ID       uint32
	At       int     // the caller's
	Words    float64 // score by words; 0 when it has none of them
	Likeness float64 // cosine with the question

	WordsRank, LikenessRank int // places in the two lists, from 1; 0 when it is not in one

	Score float64 // set by fusing
}

// Weighted fuses candidates and sorts them, best first; equal ones keep their
// order. The most is the likeness of the nearest candidate there is.
func Weighted(cs []Fusable, share, most float64) {
	best := bestWords(cs)
	if best == 0 {
		best, share = 1, 1
	}
	for i := range cs {
		c := &cs[i]
		like := 0.
		if most > 0 {
			like = max(c.Likeness/most, 0)
		}
		c.Score = best * ((1-share)*c.Words/best + float64(share*like))
	}
	sortFused(cs)
}

// Floor returns how near, as a share of the likeness of the nearest, a candidate
// must be that has nothing but its likeness, which is worth up to share, so that it
// can be among the n best or change one of them. Those that are best without such
// candidates come first, in their order.
//
// Such a candidate's own value is its score. It comes to that and the page's share
// of the best on its page: at most own + Page·b with b the best own value of all,
// and the first has at least b + Page·b. Where that is less than the n-th has, it
// is not among the n best. Nor does it lift one of them: what it would lift has a
// smaller own value than it, and with it less than the n-th.
func Floor(first []Candidate, n int, p Params, share float64) float64 {
	if n < 1 || n > len(first) || share <= 0 {
		return 0
	}
	own := first[n-1].Final - float64(p.Page/(1+p.Page)*first[0].Final)
	return max(own-rounding, 0) / share
}

// rounding is more than what is lost where scores are kept as whole numbers.
const rounding = 1e-3

// Reciprocal fuses candidates by their places and sorts them.
func Reciprocal(cs []Fusable) {
	best := bestWords(cs)
	if best == 0 {
		best = 1
	}
	top := 0.
	for i := range cs {
		c := &cs[i]
		c.Score = 0
		for _, place := range []int{c.WordsRank, c.LikenessRank} {
			if place > 0 {
				c.Score += 1 / float64(reciprocalK+place)
			}
		}
		top = max(top, c.Score)
	}
	for i := range cs {
		cs[i].Score *= best / top
	}
	sortFused(cs)
}

func bestWords(cs []Fusable) float64 {
	best := 0.
	for _, c := range cs {
		best = max(best, c.Words)
	}
	return best
}

func sortFused(cs []Fusable) {
	slices.SortStableFunc(cs, func(a, b Fusable) int { return cmp.Compare(b.Score, a.Score) })
}
