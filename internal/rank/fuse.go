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
// documents, and with the table as it ships. See eval/scoreboard.txt.
const (
	Share      = 0.3
	PlainShare = 0.2
)

// reciprocalK damps the difference between the first places.
const reciprocalK = 60

// A Fusable is a candidate of either list.
type Fusable struct {
	ID       uint32
	Words    float64 // score by words; 0 when it has none of them
	Likeness float64 // cosine with the question

	WordsRank, LikenessRank int // places in the two lists, from 1; 0 when it is not in one

	Score float64 // set by fusing
}

// Weighted fuses candidates and sorts them, best first; equal ones keep their
// order.
func Weighted(cs []Fusable, share float64) {
	best, most := bounds(cs)
	if best == 0 {
		best, share = 1, 1
	}
	for i := range cs {
		c := &cs[i]
		like := 0.
		if most > 0 {
			like = max(c.Likeness/most, 0)
		}
		c.Score = best * ((1-share)*c.Words/best + share*like)
	}
	sortFused(cs)
}

// Reciprocal fuses candidates by their places and sorts them.
func Reciprocal(cs []Fusable) {
	best, _ := bounds(cs)
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

func bounds(cs []Fusable) (best, most float64) {
	for _, c := range cs {
		best, most = max(best, c.Words), max(most, c.Likeness)
	}
	return best, most
}

func sortFused(cs []Fusable) {
	slices.SortStableFunc(cs, func(a, b Fusable) int { return cmp.Compare(b.Score, a.Score) })
}
