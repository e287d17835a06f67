package index

import (
	"cmp"
	"slices"
)

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
