package index

import "slices"

// How a search begins with a bar to clear.
//
// Without one, the first window is added up whole, word by word, and that is a
// good part of all that is ever added up. So the block in which the strongest word
// counts most is looked at first: the k-th best of its texts, by that word alone,
// is not above the k-th best of all. Other words and blocks would raise the bar
// further, but cost more than they save.

// worthPriming is how many postings a query must have for it to pay.
const worthPriming = 1024

// prime finds out what k texts are known to reach. They are offered later, like
// all others.
func (x *search) prime(w *window, seg *segment) error {
	k := x.best.k
	if len(x.must)+len(x.not) > 0 || x.accept != nil {
		return nil
	}
	var strongest *wordCursor
	postings, peak := 0, Score(0)
	for i := range w.words {
		c := &w.words[i]
		postings += c.n
		if most := limit(boundOf[c.bound], x.k1, c.of.scale); c.n >= k && most > peak {
			strongest, peak = c, most
		}
	}
	if postings < worthPriming || strongest == nil {
		return nil
	}
	strongest.moveTo(strongest.bestBlock())
	if err := strongest.load(); err != nil {
		return err
	}
	b := &strongest.block
	if err := b.decodeCounts(); err != nil {
		return err
	}
	scores := make([]Score, 0, blockSize)
	for i, num := range b.nums[:b.m] {
		if n := b.counts[i] & strongest.only; n != 0 && !seg.deleted.Has(num) {
			scores = append(scores, x.contribution(n, strongest.of.scale, seg, num))
		}
	}
	if len(scores) >= k {
		slices.Sort(scores)
		x.best.least = scores[len(scores)-k]
	}
	return nil
}

// bestBlock returns the block with the greatest bound.
func (l *list) bestBlock() int {
	best := 0
	for b := 1; b < l.count; b++ {
		if l.blockBound(b) > l.blockBound(best) {
			best = b
		}
	}
	return best
}
