package vector

import (
	"cmp"
	"fmt"
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

// scanRows and scanBytes are what a kernel takes at a time at most: their products
// fit the stack, and the rows are still in the first-level cache when the kernel
// gets them, if whoever hands them out had to read them.
const (
	scanRows  = 256
	scanBytes = 16 << 10
)

// Top returns the k rows nearest to q, nearest first. Rows without a vector
// and those that skip reports are left out; skip may be nil, and is asked only
// about rows that would otherwise be in the answer so far.
func (r *Reader) Top(q *Query, k int, skip func(id uint32) bool) ([]Match, error) {
	if err := q.fits(r); err != nil {
		return nil, err
	}
	k = min(k, r.n)
	if k <= 0 || q.scale == 0 {
		return nil, nil
	}
	best := heap{matches: make([]Match, 0, k), k: k}
	var out [scanRows]int32
	step := min(max(scanBytes/r.stride, 1), scanRows)
	for first := 0; first < r.n; first += step {
		n := min(step, r.n-first)
		codes, scales, err := r.span(first, n)
		if err != nil {
			return nil, err
		}
		dots(out[:n], codes, q.code)
		for i, dot := range out[:n] {
			scale := scaleAt(scales, i)
			s := float32(dot) * scale * q.scale
			if !best.wants(s) || scale == 0 {
				continue
			}
			m := Match{ID: uint32(first + i), Score: within(s)}
			if best.wants(m.Score) && (skip == nil || !skip(m.ID)) {
				best.push(m)
			}
		}
	}
	slices.SortFunc(best.matches, before)
	return best.matches, nil
}

// Scores returns how near each of those rows is to q, in the order given. A row
// without a vector scores 0.
func (r *Reader) Scores(q *Query, ids []uint32) ([]float32, error) {
	if err := q.fits(r); err != nil {
		return nil, err
	}
	scores := make([]float32, len(ids))
	var out [1]int32
	for i, id := range ids {
		code, scale, err := r.row(int(id))
		if err != nil {
			return nil, fmt.Errorf("score %w", err)
		}
		dots(out[:], code, q.code)
		scores[i] = within(float32(out[0]) * scale * q.scale)
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
// before, would be kept.
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
