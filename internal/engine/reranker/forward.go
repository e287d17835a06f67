package reranker

import (
	"context"
	"math"
)

const (
	headSize = 64
	unit     = 1 << 14 // of x: what is 1 in training
	fine     = 1 << 20 // of the sum of embeddings
)

// A scratch is what one goroutine needs to score pairs. Rows are positions of a
// pair; kernels may compute a few more than there are, which nobody reads.
type scratch struct {
	m    *Model
	x    []int32 // rows of d: the state
	a    []byte  // rows of d: input of a map, 128 too high
	q, k []int16 // rows of d
	v    []int16 // pairs of rows, interleaved
	h    []byte  // rows of wide
	acc  []int32 // rows of one group
	dots []int32
	w    []int16
	seen []int // by piece: the turn it was marked in last
	turn int
}

func (m *Model) newScratch() *scratch {
	rows := (m.length + 7) &^ 7
	return &scratch{
		m: m, x: make([]int32, rows*m.d), a: make([]byte, rows*m.d), h: make([]byte, rows*m.wide),
		q: make([]int16, rows*m.d), k: make([]int16, rows*m.d), v: make([]int16, rows*m.d),
		acc: make([]int32, rows*group), dots: make([]int32, rows), w: make([]int16, rows), seen: make([]int, len(m.scales)),
	}
}

// forward scores a pair; false if ctx ended before.
func (s *scratch) forward(ctx context.Context, ids []int32, kind []uint8) (float32, bool) {
	m, n, d := s.m, len(ids), s.m.d
	s.embed(ids, kind)
	for i := range m.layers {
		if ctx.Err() != nil {
			return 0, false
		}
		l, rows := &m.layers[i], n
		s.norm(n, l.in1)
		if i == len(m.layers)-1 {
			rows = 1 // the score needs no other
		}
		l.q.each(s, s.a, rows, func(at int) { clipWords(s.q[at:], d, s.acc, rows) })
		l.k.each(s, s.a, n, func(at int) { clipWords(s.k[at:], d, s.acc, n) })
		l.v.each(s, s.a, n, func(at int) { clipPairs(s.v[2*at:], 2*d, s.acc, (n+1)/2) })
		for row := range rows {
			for head := 0; head < d; head += headSize {
				s.attend(row, head, n, l.power)
			}
		}
		addToState := func(at int) { addRows(s.x[at:], d, s.acc, rows) }
		l.o.each(s, s.a, rows, addToState)
		s.norm(rows, l.in2)
		l.up.each(s, s.a, rows, func(at int) { clipBytes(s.h[at:], m.wide, s.acc, rows) })
		l.down.each(s, s.h, rows, addToState)
	}
	s.norm(1, m.final)
	m.h1.each(s, s.a, 1, func(at int) { clipBytes(s.h[at:], m.wide, s.acc, 1) })
	sum := m.h2b
	for i := range d {
		sum += int32(int8(m.h2w[i])) * int32(s.h[i])
	}
	return float32(sum) * m.h2m, true
}

// each computes a map of some rows, 16 outputs at a time: finish finds them in acc.
func (l *linear) each(s *scratch, x []byte, rows int, finish func(at int)) {
	for at := 0; at < l.out; at += group {
		tile(s.acc, x, (rows+3)/4, l, at)
		finish(at)
	}
}

// embed sets x to the pieces' own numbers, with those of their place and kind.
func (s *scratch) embed(ids []int32, kind []uint8) {
	m, d := s.m, s.m.d
	for n, id := range ids {
		x, token, scale := s.x[n*d:][:d], m.tokens[int(id)*d:][:d], m.scales[id]
		place, kind := m.places[n*d:][:d], m.kinds[int(kind[n])*d:][:d]
		for i := range x {
			x[i] = round(float32(int8(token[i])), scale) + place[i] + kind[i]
		}
		mean, r := spread(x, unit, fine)
		for i := range x {
			x[i] = round(float32(x[i]-mean), r)
		}
	}
}

// norm sets a to rows of x, each about its mean and by its own spread.
func (s *scratch) norm(rows int, scale float32) {
	d := s.m.d
	for n := range rows {
		x := s.x[n*d:][:d]
		mean, r := spread(x, scale, unit)
		clipScaled(s.a[n*d:][:d], x, mean, r)
	}
}

// spread returns the mean of numbers and what to multiply their distances from it
// with, so that they spread by scale.
func spread(x []int32, scale float32, one float64) (mean int32, r float32) {
	sum, squares := moments(x)
	n := int64(len(x))
	m := int64(math.RoundToEven(float64(sum) / float64(n)))
	squares += n*m*m - 2*m*sum // of the distances
	return int32(m), float32(float64(scale) / math.Sqrt(float64(squares)/float64(n)+float64(1e-5*one*one)))
}

// attend sets a head of a row of a to what it takes from all n rows: their v,
// weighed by how well q and k agree.
func (s *scratch) attend(row, head, n int, power float32) {
	d, eights := s.m.d, (n+7)/8
	scores(s.dots[:eights*8], s.q[row*d+head:], s.k[head:], d)
	for j := n; j < eights*8; j++ {
		s.dots[j] = math.MinInt32 / 2
	}
	sum := weigh(s.w, s.dots[:eights*8], power, s.m.powers, s.m.limit)
	mix(s.a[row*d+head:], s.w[:eights*8], s.v[2*head:], 2*d, float32(1/float64(sum)))
}
