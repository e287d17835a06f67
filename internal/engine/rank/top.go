package rank

import (
	"cmp"
	"math/bits"
	"slices"
)

// How the best are found without weighing all.
//
// To know how well a title answers, it must be read and taken apart; that a
// title has no word of the question the postings say for nothing. So each
// candidate comes with limits to what weighing it can show (Most), and they are
// weighed in the order of what they could reach. What a weighed candidate has
// for certain is its own value and a share of that for its page. Once n of them
// have more for certain than any other could reach, the others are out.

// A Limit says what no candidate will exceed once it is weighed.
type Limit struct {
	Match float64
	Path  float64
	Named bool
}

// Top leaves in cs what Order would put first, n candidates in their order, and
// calls weigh for those it must know: weigh sets Match, Path and Named of a
// candidate, within its limit. The others are dropped.
func Top(cs []Candidate, n int, p Params, weigh func(*Candidate) error) ([]Candidate, error) {
	t := topper{cs: cs, p: p, weigh: weigh}
	for i := range cs {
		t.top = max(t.top, cs[i].Score)
	}
	t.survey()
	if err := t.choose(n); err != nil {
		return nil, err
	}
	if err := t.fill(); err != nil {
		return nil, err
	}
	return t.order(n), nil
}

type topper struct {
	cs    []Candidate
	p     Params
	weigh func(*Candidate) error
	top   float64 // the best score
	queue []reach // a heap
	own   []float64
	page  []int32 // of each candidate, in pages
	pages []page
	known []int // numbers of those weighed
	sure  []float64
}

// A reach is the most a candidate can come to.
type reach struct {
	most float64
	at   int
}

// A page is what is known of the candidates of one.
type page struct {
	best float64 // own value of those weighed
	most float64 // and the limit to that of all
	any  bool    // one was weighed
}

// value is a candidate's own: see the rule.
func (t *topper) value(score, match, path float64, first bool) float64 {
	v := score * (1 + t.p.Title*match + t.p.Path*path)
	if match == 1 || first {
		v += t.top
	}
	return v
}

// survey finds out how far each can come.
func (t *topper) survey() {
	t.own = make([]float64, len(t.cs))
	t.queue = make([]reach, len(t.cs))
	t.known = make([]int, 0, len(t.cs))
	t.number()
	for i := range t.cs {
		c := &t.cs[i]
		t.own[i] = t.value(c.Score, c.Most.Match, c.Most.Path, c.Most.Named)
		pg := &t.pages[t.page[i]]
		pg.most = max(pg.most, t.own[i])
	}
	for i := range t.cs {
		t.queue[i] = reach{t.own[i] + t.p.Page*t.pages[t.page[i]].most, i}
	}
	for i := len(t.queue)/2 - 1; i >= 0; i-- {
		t.sink(i)
	}
}

// number gives every page a number, by way of a hash table.
func (t *topper) number() {
	size := 1 << bits.Len(uint(2*len(t.cs)))
	table := make([]int32, size) // 1 + a candidate of the page, or 0
	t.page = make([]int32, len(t.cs))
	t.pages = make([]page, 0, len(t.cs))
	for i := range t.cs {
		at := int(t.cs[i].Page*0x9e3779b97f4a7c15>>32) & (size - 1)
		for table[at] != 0 && t.cs[table[at]-1].Page != t.cs[i].Page {
			at = (at + 1) & (size - 1)
		}
		if table[at] == 0 {
			table[at] = int32(i + 1)
			t.page[i] = int32(len(t.pages))
			t.pages = append(t.pages, page{})
		}
		t.page[i] = t.page[table[at]-1]
	}
}

// sink restores the heap below i.
func (t *topper) sink(i int) {
	q := t.queue
	for {
		down := 2*i + 1
		if down >= len(q) {
			return
		}
		if down+1 < len(q) && q[down+1].most > q[down].most {
			down++
		}
		if q[down].most <= q[i].most {
			return
		}
		q[i], q[down] = q[down], q[i]
		i = down
	}
}

// choose weighs candidates until none of the others can be among the n best.
func (t *topper) choose(n int) error {
	if n >= len(t.cs) {
		for i := range t.cs {
			if err := t.look(i); err != nil {
				return err
			}
		}
		t.queue = nil
		return nil
	}
	for len(t.queue) > 0 {
		next := t.queue[0]
		if len(t.sure) >= n && (n <= 0 || next.most < t.sure[n-1]) {
			break
		}
		last := len(t.queue) - 1
		t.queue[0] = t.queue[last]
		t.queue = t.queue[:last]
		t.sink(0)
		if err := t.look(next.at); err != nil {
			return err
		}
		least := t.own[next.at] + t.p.Page*t.own[next.at]
		if len(t.sure) >= n && least <= t.sure[n-1] {
			continue
		}
		at, _ := slices.BinarySearchFunc(t.sure, least, func(a, b float64) int { return cmp.Compare(b, a) })
		t.sure = slices.Insert(t.sure, at, least)
		t.sure = t.sure[:min(len(t.sure), n)]
	}
	return nil
}

// look weighs candidate i.
func (t *topper) look(i int) error {
	c := &t.cs[i]
	if err := t.weigh(c); err != nil {
		return err
	}
	t.own[i] = t.value(c.Score, c.Match, c.Path, c.Named)
	pg := &t.pages[t.page[i]]
	pg.best, pg.any = max(pg.best, t.own[i]), true
	t.known = append(t.known, i)
	return nil
}

// fill weighs those that may be the best of a page that counts.
func (t *topper) fill() error {
	for _, r := range t.queue {
		if pg := &t.pages[t.page[r.at]]; pg.any && t.own[r.at] > pg.best {
			if err := t.look(r.at); err != nil {
				return err
			}
		}
	}
	return nil
}

// order returns the n best of those weighed. Of equal ones the first comes first.
func (t *topper) order(n int) []Candidate {
	final := func(at int) float64 { return t.own[at] + t.p.Page*t.pages[t.page[at]].best }
	slices.SortFunc(t.known, func(x, y int) int { return cmp.Or(cmp.Compare(final(y), final(x)), cmp.Compare(x, y)) })
	out := make([]Candidate, max(min(n, len(t.known)), 0))
	for i := range out {
		at := t.known[i]
		out[i] = t.cs[at]
		out[i].Lift, out[i].Final = t.p.Page*t.pages[t.page[at]].best, final(at)
	}
	return out
}
