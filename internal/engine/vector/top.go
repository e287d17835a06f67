package vector

import (
	"cmp"
	"fmt"
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
