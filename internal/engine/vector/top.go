package vector

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// A Match is a row and how near it is.
type Match struct {
	ID    uint32
	Score float32 // the cosine, -1 to 1
}

// before reports whether x comes before y in an answer: nearer first, and the
// lower number first among equals, so that the order is always the same.
func before(x, y Match) int {
	return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.ID, y.ID))
}

// siftRows is how many rows are sifted at a time at most: then what is asked for
// may have risen.
const siftRows = 512

// Top returns the k rows nearest to q, nearest first, of those that score no less
// than least. Rows without a vector and those that skip reports are left out; skip
// may be nil, and is asked only about rows that would otherwise be in the answer so
// far.
func (r *Reader) Top(q *Query, k int, least float32, skip func(id uint32) bool) ([]Match, error) {
	if err := q.fits(r); err != nil {
		return nil, err
	}
	k = min(k, r.n)
	if k <= 0 || q.scale == 0 {
		return nil, nil
	}
	s := scan{r: r, q: q, skip: skip, best: heap{matches: make([]Match, 0, k), k: k}, least: least}
	for first := 0; first < r.n; first += siftRows {
		if err := s.span(first, min(siftRows, r.n-first)); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.best.matches, before)
	return s.best.matches, nil
}

// A scan is on its way through the rows.
type scan struct {
	r     *Reader
	q     *Query
	skip  func(id uint32) bool
	best  heap
	least float32
	left  [lookRows]uint32 // rows to be compared in full
	rows  [lookRows]halves // and what they are
}

// lookRows is how many rows are compared in full at a time at most.
const lookRows = 32

// span sifts n rows and compares those in full that are left.
func (s *scan) span(first, n int) error {
	high, err := s.r.highs(first, n)
	if err != nil {
		return err
	}
	scales, losses, err := s.r.marks(first, n)
	if err != nil {
		return err
	}
	var mask [siftRows / group]byte
	terms := s.q.coarse.terms
	terms.least = s.minScore() - s.q.coarse.slack
	sift(mask[:n/group], high, scales, losses, s.q.coarse.code, &terms)
	if n%group != 0 {
		mask[n/group] = 1<<(n%group) - 1
	}
	left := 0
	for i := 0; i < len(mask); i += 8 {
		left += bits.OnesCount64(le.Uint64(mask[i:]))
	}
	var lows []byte
	if left > n/8 { // hardly a page of theirs will not be needed
		if lows, err = s.r.lows(first, n); err != nil {
			return err
		}
	}
	found, half := 0, s.r.half
	for i := 0; i < len(mask); i += 8 {
		for rows := le.Uint64(mask[i:]); rows != 0; rows &= rows - 1 {
			at := 8*i + bits.TrailingZeros64(rows)
			if scaleAt(scales, at) == 0 {
				continue
			}
			h := &s.rows[found]
			h.high = high[at*half:][:half]
			if lows != nil {
				h.low = lows[at*half:][:half]
			} else if h.low, err = s.r.lows(first+at, 1); err != nil {
				return err
			}
			s.left[found] = uint32(first + at)
			if found++; found == lookRows {
				s.look(found, first, scales)
				found = 0
			}
		}
	}
	if found > 0 {
		s.look(found, first, scales)
	}
	return nil
}

// minScore is the score that a row must have to be in the answer so far.
func (s *scan) minScore() float32 {
	if len(s.best.matches) < s.best.k {
		return s.least
	}
	return max(s.least, s.best.matches[0].Score)
}

// look compares n rows in full. The scales are of those from first on.
func (s *scan) look(n, first int, scales []byte) {
	var out [lookRows]int32
	dots(out[:], s.rows[:n], s.q.code)
	for i, id := range s.left[:n] {
		m := Match{ID: id, Score: within(float32(out[i]) * scaleAt(scales, int(id)-first) * s.q.scale)}
		if m.Score >= s.least && s.best.wants(m.Score) && (s.skip == nil || !s.skip(id)) {
			s.best.push(m)
		}
	}
}

// Scores returns how near each of those rows is to q, in the order given. A row
// without a vector scores 0.
func (r *Reader) Scores(q *Query, ids []uint32) ([]float32, error) {
	if err := q.fits(r); err != nil {
		return nil, err
	}
	scores := make([]float32, len(ids))
	var rows [lookRows]halves
	var out [lookRows]int32
	for from := 0; from < len(ids); from += lookRows {
		some := scores[from:min(from+lookRows, len(ids))]
		for i, id := range ids[from:][:len(some)] {
			high, low, err := r.halves(int(id))
			if err != nil {
				return nil, fmt.Errorf("score %w", err)
			}
			scales, err := r.high.Bytes(headerSize+4*int(id), 4)
			if err != nil {
				return nil, fmt.Errorf("score %w", err)
			}
			rows[i], some[i] = halves{high, low}, scaleAt(scales, 0)
		}
		dots(out[:len(some)], rows[:len(some)], q.code)
		for i, dot := range out[:len(some)] {
			some[i] = within(float32(dot) * some[i] * q.scale)
		}
	}
	return scores, nil
}

// within brings a score back between -1 and 1. Rounding can carry it a hair
// beyond, and a damaged row anywhere.
func within(s float32) float32 { return min(1, max(-1, s)) }

// heap keeps the k first matches of those pushed in order of their numbers. The
// one that goes next is at the root.
type heap struct {
	matches []Match
	k       int
}

// wants reports whether a match of that score, with a number higher than all
// before, would be among them.
func (h *heap) wants(score float32) bool {
	return len(h.matches) < h.k || score > h.matches[0].Score
}

func (h *heap) push(m Match) {
	if len(h.matches) < h.k {
		h.matches = append(h.matches, m)
		for i := len(h.matches) - 1; i > 0; {
			up := (i - 1) / 2
			if before(h.matches[i], h.matches[up]) < 0 {
				break
			}
			h.matches[i], h.matches[up] = h.matches[up], h.matches[i]
			i = up
		}
		return
	}
	h.matches[0] = m
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(h.matches) {
			return
		}
		if right := down + 1; right < len(h.matches) && before(h.matches[right], h.matches[down]) > 0 {
			down = right
		}
		if before(h.matches[i], h.matches[down]) > 0 {
			return
		}
		h.matches[i], h.matches[down] = h.matches[down], h.matches[i]
		i = down
	}
}

// How most rows are passed over by half of their bits.
//
// With q the question's code, c a row's and c' what its high halves say of it,
//
//	q·c ≤ q·c' + |q|·|c-c'|
//
// by Cauchy and Schwarz, and |c-c'|/|c| is the loss that a row keeps. The
// question is rounded to int8 for this, q = g·q' + r, which is good for another
// |r|·|c'|, and |c'| ≤ |c|·(1+loss). Over |q|·|c|, with D = q'·high and S the sum
// of q':
//
//	cosine ≤ scale·(16·g/|q|·D - 120.5·g/|q|·S) + loss·(1+|r|/|q|) + |r|/|q|
//
// A row whose limit is below what is asked for need not be looked at. All others
// are compared in full, so that what is found is what a scan of all would find.
type coarse struct {
	code []int8 // q', filled up with zeros to a multiple of rowAlign
	terms
	slack float32 // what does not depend on the row, and all rounding
}

// terms are what a row's sum is made a limit with:
//
//	limit = scale·(mul·D - sub) + loss·spread
type terms struct{ mul, sub, spread, least float32 }

// newCoarse returns the rounded form of a question's code, with components up to
// most and that scale.
func newCoarse(code []int16, dim int, most, scale float64) coarse {
	c := coarse{code: make([]int8, len(code))}
	g := most / maxCode
	var sum, off float64
	for d, x := range code[:dim] {
		v := math.RoundToEven(float64(x) / g)
		c.code[d] = int8(v)
		sum += v
		lost := float64(x) - float64(g*v)
		off += float64(lost * lost)
	}
	r := float64(math.Sqrt(off) * scale)
	c.mul, c.sub, c.spread = float32(16*g*scale), float32(offset*g*scale*sum), float32(1+r)
	// mul·D is up to 240 times the root of the dimensions, a scale up to 1/127, and
	// three roundings are of 2^-24 each: this is three times what they come to.
	c.slack = float32(r + float64(1e-6*math.Sqrt(float64(dim))))
	return c
}

// group is how many rows a bit mask of sift's is about.
const group = 8

// siftPlain sets bit i of mask[j] when the limit of row 8·j+i is at least what is
// wanted. It is what the assembly kernel is tested against, bit for bit: every
// product is rounded before it is added to.
func siftPlain(mask, rows, scales, losses []byte, code []int8, t *terms) {
	var sums [group]int32
	half := len(code) / 2
	for j := range mask {
		highDots(sums[:], rows[j*group*half:][:group*half], code)
		mask[j] = 0
		for i, sum := range sums {
			at := 4 * (j*group + i)
			scale, loss := math.Float32frombits(le.Uint32(scales[at:])), math.Float32frombits(le.Uint32(losses[at:]))
			x := float32(scale * float32(float32(float32(sum)*t.mul)-t.sub))
			if x+float32(loss*t.spread) >= t.least {
				mask[j] |= 1 << i
			}
		}
	}
}

// highDotsPlain writes to out the products of high halves with the question.
func highDotsPlain(out []int32, rows []byte, code []int8) {
	half := len(code) / 2
	for i := range out {
		row := rows[i*half:][:half]
		var a, b int32
		for j := 0; j+32 <= len(row) && 2*j+64 <= len(code); j += 32 {
			r, q := row[j:j+32:j+32], code[2*j:2*j+64:2*j+64]
			for k, x := range r {
				a += int32(x&15) * int32(q[k])
				b += int32(x>>4) * int32(q[k+32])
			}
		}
		out[i] = a + b
	}
}
