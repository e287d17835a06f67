package index

import (
	"cmp"
	"slices"
)

// A Match is a text that answers a query.
type Match struct {
	Num   uint32
	Score Score

	// Bit i of these says whether word i of the query, in any form, occurs in
	// the text, in its title, in its headings.
	Words, Title, Headings uint64
}

// A Result is the answer to a query.
type Result struct {
	Matches     []Match    // the best first
	Words       []WordInfo // what became of the words of the query
	Corrections []Correction
	Also        []Correction // words that were looked for by other names too
}

// Options tune a search. The zero value is a good default.
type Options struct {
	Params Params // the zero value means DefaultParams

	// Accept says which texts may be returned; nil means all. It is called only
	// for texts that would be among the best.
	Accept func(num uint32) bool

	// Beyond the first Few, only texts are returned that the words which carry
	// meaning give at least the share Near of the best score. The zero values
	// return as many as there are.
	Few  int
	Near float64
}

// Top returns the k best texts for q, or fewer if fewer match. A text matches if
// it has any of the words; the more of them and the rarer, the better.
//
// The texts are found by the words that carry meaning. Question words, and the
// bonus for words just as they were typed, then decide their order: they are too
// light to be worth finding texts by.
func (s *Searcher) Top(q Query, k int, o Options) (Result, error) {
	return s.top(q, k, o, (*search).maxScore)
}

func (s *Searcher) top(q Query, k int, o Options, run func(*search, int) error) (Result, error) {
	pl, err := s.plan(q, o.Params)
	if err != nil {
		return Result{}, err
	}
	res := Result{Words: pl.words, Corrections: pl.fixes, Also: pl.also}
	if k <= 0 || len(pl.lists) == 0 {
		return res, nil
	}
	x := search{
		s: s, plan: pl, accept: o.Accept,
		k1:    float32(pl.params.K1),
		norms: s.normsFor(pl.params),
		best:  best{k: min(k, s.stats.texts), s: s},
	}
	if o.Few < k {
		x.best.few, x.best.share = o.Few, min(o.Near, 1)
	}
	if x.best.k == 0 {
		return res, nil
	}
	for i := range s.segments {
		x.conditions(i)
		if err := run(&x, i); err != nil {
			return Result{}, err
		}
	}
	res.Matches, err = x.finish()
	return res, err
}

// A search is one query on its way through the segments.
type search struct {
	s      *Searcher
	plan   *plan
	accept func(uint32) bool
	norms  *norms
	k1     float32
	best   best

	must, not []conditionCursor // in the current segment
}

// A conditionCursor checks a condition text by text, in ascending order.
type conditionCursor struct {
	title bool
	any   []cursor
}

func (c *conditionCursor) holds(num uint32) (bool, error) {
	for i := range c.any {
		counts, err := c.any[i].seek(num)
		if err != nil {
			return false, err
		}
		if counts.title() > 0 || counts > 0 && !c.title {
			return true, nil
		}
	}
	return false, nil
}

// conditions opens the conditions of the plan for segment i.
func (x *search) conditions(i int) {
	open := func(cs []condition) []conditionCursor {
		var out []conditionCursor
		for _, c := range cs {
			cc := conditionCursor{title: c.title}
			for _, lists := range c.any {
				if lists != nil && lists[i].n > 0 {
					cc.any = append(cc.any, cursor{list: lists[i], decoded: -1})
				}
			}
			out = append(out, cc)
		}
		return out
	}
	x.must, x.not = open(x.plan.must), open(x.plan.not)
}

// rewind allows texts to be offered from the first on again.
func (x *search) rewind() {
	for _, cs := range [][]conditionCursor{x.must, x.not} {
		for i := range cs {
			for j := range cs[i].any {
				cs[i].any[j].moveTo(0)
			}
		}
	}
}

// offer puts a text among the best if it is one of them and may be returned.
// Texts of a segment must be offered in ascending order, but for rewind.
func (x *search) offer(seg *segment, num uint32, score Score, marks mark) error {
	m := candidate{seg.base + num, score, marks}
	if score == 0 || !x.best.wants(&m) || seg.deleted.Has(num) {
		return nil
	}
	for i := range x.must {
		if ok, err := x.must[i].holds(num); err != nil || !ok {
			return err
		}
	}
	for i := range x.not {
		if ok, err := x.not[i].holds(num); err != nil || ok {
			return err
		}
	}
	if x.accept != nil && !x.accept(m.num) {
		return nil
	}
	x.best.add(m)
	return nil
}

// contribution is what one posting of a list adds to the score of a text.
func (x *search) contribution(c counts, scale float32, seg *segment, num uint32) Score {
	return saturate(x.norms.weigh(c, &seg.lengths, num), x.k1, scale)
}

// A mark says where a word of a query occurs in a text. Marks of the first
// maxMarks words fit into one number, which is collected while texts are scored;
// those of further words are looked up for the texts that are returned.
type mark uint64

const (
	present mark = 1 << iota // in a field that counts
	inTitle
	inHeadings

	markBits = 3
	maxMarks = 64 / markBits
)

// markShift returns where the mark of list i of the plan begins: for those that
// do not fit, beyond what is looked at.
func markShift(i int) uint {
	return uint(min(i, maxMarks)) * markBits
}

func markOf(c counts) mark {
	var m mark
	if c != 0 {
		m = present
	}
	if c.title() > 0 {
		m |= inTitle
	}
	if c.headings() > 0 {
		m |= inHeadings
	}
	return m
}

// add sets in m what the marks of a list say about the words of the query it was
// made for.
func (m *Match) add(of mark, words uint64) {
	if of&present != 0 {
		m.Words |= words
	}
	if of&inTitle != 0 {
		m.Title |= words
	}
	if of&inHeadings != 0 {
		m.Headings |= words
	}
}

// finish adds the terms that score but do not retrieve (question words, and the
// bonus for words just as they were typed) to the scores of the candidates, and
// fills in which words each match has, and where.
func (x *search) finish() ([]Match, error) {
	x.best.dropBelowFloor()
	order := x.best.ms
	slices.SortFunc(order, func(a, b candidate) int { return cmp.Compare(a.num, b.num) })
	out := make([]Match, len(order))
	all := make([]*Match, len(order))
	for i := range order {
		out[i] = Match{Num: order[i].num, Score: order[i].score}
		all[i] = &out[i]
	}
	having := make([]*Match, 0, len(order))
	for i := range x.plan.lists {
		l := &x.plan.lists[i]
		having = having[:0]
		if i < maxMarks {
			for j, m := range all {
				if of := order[j].marks >> markShift(i); of&present != 0 {
					m.add(of, l.words)
					having = append(having, m)
				}
			}
		} else if err := x.eachMatch(all, &l.weighted, l.only(), func(m *Match, c counts, _ Score) {
			m.add(markOf(c), l.words)
			having = append(having, m)
		}); err != nil {
			return nil, err
		}
		if err := x.finishExact(having, l); err != nil {
			return nil, err
		}
	}
	for i := range x.plan.light {
		l := &x.plan.light[i]
		having = having[:0]
		if err := x.eachMatch(all, &l.weighted, l.only(), func(m *Match, c counts, score Score) {
			m.Score += score
			m.add(markOf(c), l.words)
			having = append(having, m)
		}); err != nil {
			return nil, err
		}
		if err := x.finishExact(having, l); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(x.s.position(a.Num), x.s.position(b.Num)))
	})
	return out, nil
}

// finishExact adds the scores of the terms of l to those that have its word.
func (x *search) finishExact(ms []*Match, l *queryList) error {
	for i := range l.exact {
		e := &l.exact[i]
		if err := x.eachMatch(ms, &e.weighted, l.only(), func(m *Match, _ counts, score Score) {
			m.Score += score
		}); err != nil {
			return err
		}
	}
	return nil
}

// eachMatch calls f for each of ms, which ascend by number, that is in the list.
func (x *search) eachMatch(ms []*Match, w *weighted, only counts, f func(m *Match, c counts, score Score)) error {
	at := -1
	var seg *segment
	var cur cursor
	for _, m := range ms {
		for at < 0 || at+1 < len(x.s.segments) && m.Num >= x.s.segments[at+1].base {
			at++
			seg = &x.s.segments[at]
			cur.reset(w.in[at])
		}
		num := m.Num - seg.base
		c, err := cur.peek(num)
		if err != nil {
			return err
		}
		if c &= only; c != 0 {
			f(m, c, x.contribution(c, w.scale, seg, num))
		}
	}
	return nil
}
