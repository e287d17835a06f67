package index

import "slices"

// A candidate is a match among the best so far.
type candidate struct {
	num   uint32
	score Score
	marks mark
}

// best keeps the k best matches, the worst of them first (a heap). Of those
// beyond the first few, it keeps only what has a share of the best score.
type best struct {
	k  int
	s  *Searcher
	ms []candidate

	few   int
	share float64
	first []Score // the scores of the few best, the best first
	floor Score   // below this nothing is wanted
	least Score   // k texts are known to reach it
}

func (b *best) worse(x, y *candidate) bool {
	if x.score != y.score {
		return x.score < y.score
	}
	return b.s.position(x.num) > b.s.position(y.num)
}

func (b *best) wants(m *candidate) bool {
	return m.score >= b.floor && (len(b.ms) < b.k || b.worse(&b.ms[0], m))
}

// need returns the least score that could still get among the best.
func (b *best) need() Score {
	if len(b.ms) < b.k {
		return max(b.floor, b.least, 1)
	}
	return max(b.floor, b.ms[0].score)
}

// raise moves the floor up, now that a match of that score is a candidate.
func (b *best) raise(s Score) {
	if n := len(b.first); n == b.few && (n == 0 || s <= b.first[n-1]) {
		return
	} else if n < b.few {
		b.first = append(b.first, 0)
	}
	i := len(b.first) - 1
	for ; i > 0 && b.first[i-1] < s; i-- {
		b.first[i] = b.first[i-1]
	}
	b.first[i] = s
	if len(b.first) == b.few {
		b.floor = min(b.first[b.few-1], Score(b.share*float64(b.first[0])))
	}
}

// dropBelowFloor drops the candidates that were added before the floor rose above
// their score.
func (b *best) dropBelowFloor() {
	b.ms = slices.DeleteFunc(b.ms, func(m candidate) bool { return m.score < b.floor })
}

func (b *best) add(m candidate) {
	if b.ms == nil {
		b.ms = make([]candidate, 0, min(b.k, blockSize))
	}
	b.raise(m.score)
	if len(b.ms) < b.k {
		b.ms = append(b.ms, m)
		for i := len(b.ms) - 1; i > 0; {
			up := (i - 1) / 2
			if !b.worse(&b.ms[i], &b.ms[up]) {
				break
			}
			b.ms[i], b.ms[up] = b.ms[up], b.ms[i]
			i = up
		}
		return
	}
	b.ms[0] = m
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(b.ms) {
			return
		}
		if down+1 < len(b.ms) && b.worse(&b.ms[down+1], &b.ms[down]) {
			down++
		}
		if !b.worse(&b.ms[down], &b.ms[i]) {
			return
		}
		b.ms[i], b.ms[down] = b.ms[down], b.ms[i]
		i = down
	}
}

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
