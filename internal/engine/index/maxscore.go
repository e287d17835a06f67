package index

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
)

// How the best texts are found without looking at most of them (MaxScore, in
// windows).
//
// Texts are visited in windows of consecutive numbers. For each word of the
// query the bounds of the blocks of its list (bounds.go) say how much it can
// contribute to any text of the window. The words are sorted by that; as many of
// the least as cannot together reach the score of the worst candidate so far are
// not essential: a text that has none of the others cannot get among the best.
// Only the lists of the others are decoded and added up. For a text whose sum,
// with all that may still come, could get among the best, the other words are
// looked up one by one, the greatest first, until it is clear that it does not.
//
// Windows are visited in the order of what all words together can reach in them,
// so that good texts are found early and raise the bar for the others. Once the
// words cannot reach it any more, the search is over.

// windowSize is a compromise: a small window has tight bounds and stays in the
// cache, a large one is set up less often.
const windowSize = 2048

// A window holds the sums of one window, and what is needed to make them. They
// are reused from query to query.
type window struct {
	sums  [windowSize]Score
	marks [windowSize]mark
	found [windowSize / 64]uint64
	words []wordCursor
	order []*wordCursor
	rest  []Score // rest[i]: the most the first i words of order can contribute

	spans []span
	cells []cell // for each span, one for each word
}

// A span is the place of a window.
type span struct {
	index uint32
	most  Score // all words together
}

// A cell is what a word has in a window.
type cell struct {
	at   int32 // the first block that reaches into it
	most Score
}

var windows = sync.Pool{New: func() any { return new(window) }}

// A wordCursor goes through the list of a word.
type wordCursor struct {
	cursor
	of      *queryList
	shift   uint   // of its marks
	only    counts // the fields that count
	most    Score  // the most a text of the window can get
	limited int    // the block that inBlock is about, or -1
	inBlock Score  // the most a text of it can get
}

func (w *window) open(p *plan, i int) {
	w.words, w.order = w.words[:0], w.order[:0]
	for j := range p.lists {
		l := &p.lists[j]
		if l.in[i].n == 0 {
			continue
		}
		if len(w.words) == cap(w.words) {
			w.words = append(w.words, wordCursor{})
		} else {
			w.words = w.words[:len(w.words)+1]
		}
		c := &w.words[len(w.words)-1]
		c.reset(l.in[i])
		c.of, c.only, c.shift, c.limited = l, l.only(), markShift(j), -1
	}
	for j := range w.words {
		w.order = append(w.order, &w.words[j])
	}
	w.rest = append(w.rest[:0], make([]Score, len(w.words)+1)...)
}

// survey finds out what each word can contribute in each window, and sorts them.
func (x *search) survey(w *window, i int) {
	n := (int(x.s.segments[i].texts) + windowSize - 1) / windowSize
	w.spans, w.cells = w.spans[:0], w.cells[:0]
	for lo := range n {
		s := span{index: uint32(lo)}
		for j := range w.words {
			c := &w.words[j]
			most := x.bound(c, i, uint32(lo)*windowSize, uint32(lo+1)*windowSize)
			w.cells = append(w.cells, cell{int32(c.at), most})
			s.most += most
		}
		w.spans = append(w.spans, s)
	}
	slices.SortFunc(w.spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(b.most, a.most), cmp.Compare(a.index, b.index))
	})
}

func (w *window) close() {
	for i := range w.words {
		w.words[i].of = nil
		w.words[i].reset(list{})
	}
	clear(w.sums[:])
	clear(w.marks[:])
	clear(w.found[:])
	windows.Put(w)
}

func (x *search) maxScore(i int) error {
	seg := &x.s.segments[i]
	w := windows.Get().(*window)
	defer w.close()
	w.open(x.plan, i)
	x.survey(w, i)
	if i == 0 {
		if err := x.prime(w, seg); err != nil {
			return err
		}
	}
	for _, sp := range w.spans {
		need := x.best.need()
		if sp.most < need {
			break
		}
		lo := sp.index * windowSize
		hi := min(lo+windowSize, seg.texts)
		for j, cell := range w.cells[int(sp.index)*len(w.words):][:len(w.words)] {
			w.words[j].moveTo(int(cell.at))
			w.words[j].most = cell.most
		}
		x.rewind()
		sortByMost(w.order)
		essential := len(w.order)
		for j, c := range w.order {
			w.rest[j+1] = w.rest[j] + c.most
			if w.rest[j+1] >= need && j < essential {
				essential = j
			}
		}
		others, factor := w.order[:essential], x.plan.factors[i]
		if essential == len(w.order)-1 {
			if err := x.single(w.order[essential], others, w, seg, factor, lo, hi); err != nil {
				return err
			}
			continue
		}
		for _, c := range w.order[essential:] {
			if err := x.sum(c, w, seg, factor, need, lo, hi); err != nil {
				return err
			}
		}
		if err := x.pick(others, w, seg, factor, lo); err != nil {
			return err
		}
	}
	return nil
}

// bound returns the most a word can contribute to a text from lo to hi.
func (x *search) bound(c *wordCursor, i int, lo, hi uint32) Score {
	c.advance(lo)
	most := -1
	for b := c.at; b < c.count && c.base(b) < hi; b++ {
		most = max(most, int(c.blockBound(b)))
	}
	if most < 0 {
		return 0
	}
	return limit(boundOf[most]*x.plan.factors[i], x.k1, c.of.scale)
}

// sortByMost sorts few cursors that are mostly in order.
func sortByMost(cs []*wordCursor) {
	for i := 1; i < len(cs); i++ {
		for j := i; j > 0 && cs[j].most < cs[j-1].most; j-- {
			cs[j], cs[j-1] = cs[j-1], cs[j]
		}
	}
}

// sum adds the contributions of a word to the texts from lo to hi. This is where
// the time goes: it does what contribution does, without the calls. Blocks of
// which no text can reach what is needed, whatever other words it has, are left
// out.
func (x *search) sum(c *wordCursor, w *window, seg *segment, factor float32, need Score, lo, hi uint32) error {
	k1, scale, norms, lengths := x.k1, c.of.scale, x.norms, &seg.lengths
	others := w.rest[len(w.order)] - c.most
	for c.at < c.count && c.base(c.at) < hi {
		if others+x.blockLimit(c, factor) < need {
			c.at++
			continue
		}
		if err := c.load(); err != nil {
			return err
		}
		b := &c.block
		if err := b.decodeCounts(); err != nil {
			return err
		}
		nums := b.nums[:b.m]
		i := 0
		if nums[0] < lo {
			i = b.search(lo)
		}
		for ; i < len(nums); i++ {
			num := nums[i]
			if num >= hi {
				return nil
			}
			n := b.counts[i] & c.only
			if n == 0 {
				continue
			}
			if num < lo {
				break // the last of the block
			}
			at := (num - lo) % windowSize
			t := float32(float32(n.body()) * norms[2][lengths[2][num]])
			m := mark(present)
			if n >= 1<<16 {
				t += float32(float32(n.headings()) * norms[1][lengths[1][num]])
				t += float32(float32(n.title()) * norms[0][lengths[0][num]])
				m = markOf(n)
			}
			w.found[at/64] |= 1 << (at % 64)
			w.marks[at] |= m << (c.shift & 63)
			w.sums[at] += Score(scale * float32(t/float32(k1+t)))
		}
		c.at++
	}
	return nil
}

// pick offers the texts of the window that could be among the best, and clears
// the window. words are those that have not been added up.
func (x *search) pick(words []*wordCursor, w *window, seg *segment, factor float32, lo uint32) error {
	rest, need := w.rest[len(words)], x.best.need()
	for i := range w.found {
		for set := w.found[i]; set != 0; set &= set - 1 {
			at := i*64 + bits.TrailingZeros64(set)
			score, marks := w.sums[at], w.marks[at]
			w.sums[at], w.marks[at] = 0, 0
			if score+rest < need {
				continue
			}
			if err := x.complete(lo+uint32(at), score, marks, words, w, seg, factor); err != nil {
				return err
			}
			need = x.best.need()
		}
		w.found[i] = 0
	}
	return nil
}

// complete looks up the other words of a text, the greatest first, until it is
// clear that it is not among the best, or else offers it.
func (x *search) complete(num uint32, score Score, marks mark, words []*wordCursor, w *window, seg *segment, factor float32) error {
	need := x.best.need()
	for j := len(words); score+w.rest[j] >= need; j-- {
		if j == 0 {
			return x.offer(seg, num, score, marks)
		}
		c := words[j-1]
		if score+w.rest[j-1]+x.limitAt(c, factor, num) < need {
			return nil
		}
		n, err := c.seek(num)
		if err != nil {
			return err
		}
		if n &= c.only; n != 0 {
			score += x.contribution(n, c.of.scale, seg, num)
			marks |= markOf(n) << (c.shift & 63)
		}
	}
	return nil
}

// single offers the texts from lo to hi that could be among the best, where only
// those of one word can. That is most windows of most queries, and it needs
// neither sums nor a second look.
func (x *search) single(c *wordCursor, others []*wordCursor, w *window, seg *segment, factor float32, lo, hi uint32) error {
	k1, scale, norms, lengths := x.k1, c.of.scale, x.norms, &seg.lengths
	rest := w.rest[len(others)]
	need := x.best.need()
	least := leastFor(need, rest, k1, scale)
	for ; c.at < c.count && c.base(c.at) < hi; c.at++ {
		if rest+x.blockLimit(c, factor) < need {
			continue
		}
		if err := c.load(); err != nil {
			return err
		}
		b := &c.block
		if err := b.decodeCounts(); err != nil {
			return err
		}
		from := 0
		if b.nums[0] < lo {
			from = b.search(lo)
		}
		nums := b.nums[from:b.m]
		counted := b.counts[from:b.m]
		for i, num := range nums {
			n := counted[i] & c.only
			t := float32(float32(n.body()) * norms[2][lengths[2][num]])
			if n >= 1<<16 {
				t += float32(float32(n.headings()) * norms[1][lengths[1][num]])
				t += float32(float32(n.title()) * norms[0][lengths[0][num]])
			}
			if num >= hi {
				break
			}
			if t < least || n == 0 || num < lo {
				continue
			}
			if err := x.complete(num, saturate(t, k1, scale), markOf(n)<<(c.shift&63), others, w, seg, factor); err != nil {
				return err
			}
			if now := x.best.need(); now != need {
				need = now
				least = leastFor(need, rest, k1, scale)
			}
		}
		if c.last(c.at) >= hi {
			break
		}
	}
	return nil
}

// leastFor returns what t must at least be for a contribution to reach need
// together with rest.
func leastFor(need, rest Score, k1, scale float32) float32 {
	if need <= rest {
		return 0
	}
	share := float32(need-rest) / scale
	if share >= 1 {
		share = 1 - 1e-6
	}
	return k1 * share / (1 - share) * (1 - 1e-4)
}

// blockLimit returns the most that a text of the block the cursor is in can get.
func (x *search) blockLimit(c *wordCursor, factor float32) Score {
	if c.limited != c.at {
		c.limited = c.at
		c.inBlock = limit(boundOf[c.blockBound(c.at)]*factor, x.k1, c.of.scale)
	}
	return c.inBlock
}

// limitAt returns the most a word can contribute to text num.
func (x *search) limitAt(c *wordCursor, factor float32, num uint32) Score {
	c.advance(num)
	if c.at >= c.count || num < c.base(c.at) {
		return 0
	}
	return x.blockLimit(c, factor)
}
