package index

// topExhaustive returns what Top does by looking at every posting. It is what
// Top is compared with.
func (s *Searcher) topExhaustive(q Query, k int, o Options) (Result, error) {
	return s.top(q, k, o, (*search).exhaustive)
}

// exhaustive scores every posting of every list of segment i.
func (x *search) exhaustive(i int) error {
	seg := &x.s.segments[i]
	scores := make([]Score, seg.texts)
	marks := make([]mark, seg.texts)
	var b block
	for j := range x.plan.lists {
		l := &x.plan.lists[j]
		in := &l.in[i]
		for k := range in.count {
			if err := in.decode(k, &b); err != nil {
				return err
			}
			if err := b.decodeCounts(); err != nil {
				return err
			}
			for n, num := range b.nums[:b.m] {
				c := b.counts[n] & l.only()
				scores[num] += x.contribution(c, l.scale, seg, num)
				marks[num] |= markOf(c) << (markShift(j) & 63)
			}
		}
	}
	for num, score := range scores {
		if err := x.offer(seg, uint32(num), score, marks[num]); err != nil {
			return err
		}
	}
	return nil
}
