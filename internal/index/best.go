package index

// kept is a match among the best so far.
type kept struct {
	num   uint32
	score Score
	marks mark
}

// best keeps the k best matches, the worst of them first (a heap).
type best struct {
	k  int
	s  *Searcher
	ms []kept
}

// worse reports whether x comes after y.
func (b *best) worse(x, y *kept) bool {
	if x.score != y.score {
		return x.score < y.score
	}
	return b.s.position(x.num) > b.s.position(y.num)
}

func (b *best) wants(m *kept) bool { return len(b.ms) < b.k || b.worse(&b.ms[0], m) }

// need returns the least score that could still get among the best.
func (b *best) need() Score {
	if len(b.ms) < b.k {
		return 1
	}
	return b.ms[0].score
}

func (b *best) add(m kept) {
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
