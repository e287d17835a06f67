package index

import (
	"iter"
	"math/bits"
)

// A Set is a set of text numbers. A nil Set is empty.
type Set struct {
	words []uint64
	count int
}

// NewSet returns the set of the given numbers.
func NewSet(nums ...uint32) *Set {
	s := &Set{}
	for _, n := range nums {
		s.Add(n)
	}
	return s
}

// Add puts n into the set.
func (s *Set) Add(n uint32) {
	w := int(n / 64)
	if w >= len(s.words) {
		s.words = append(s.words, make([]uint64, w+1-len(s.words))...)
	}
	if bit := uint64(1) << (n % 64); s.words[w]&bit == 0 {
		s.words[w] |= bit
		s.count++
	}
}

// Has reports whether n is in the set.
func (s *Set) Has(n uint32) bool {
	if s == nil || int(n/64) >= len(s.words) {
		return false
	}
	return s.words[n/64]&(1<<(n%64)) != 0
}

// Len returns how many numbers the set holds.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return s.count
}

// All yields the numbers in ascending order.
func (s *Set) All() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if s == nil {
			return
		}
		for i, w := range s.words {
			for ; w != 0; w &= w - 1 {
				if !yield(uint32(i*64 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// Intersect removes from s what is not in t.
func (s *Set) Intersect(t *Set) {
	s.count = 0
	for i := range s.words {
		if t != nil && i < len(t.words) {
			s.words[i] &= t.words[i]
		} else {
			s.words[i] = 0
		}
		s.count += bits.OnesCount64(s.words[i])
	}
}

// Union adds to s what is in t.
func (s *Set) Union(t *Set) {
	if t == nil {
		return
	}
	if len(t.words) > len(s.words) {
		s.words = append(s.words, make([]uint64, len(t.words)-len(s.words))...)
	}
	s.count = 0
	for i := range s.words {
		if i < len(t.words) {
			s.words[i] |= t.words[i]
		}
		s.count += bits.OnesCount64(s.words[i])
	}
}
