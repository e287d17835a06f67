package index

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// randomPostings makes n postings whose gaps need up to width bits.
func randomPostings(rng *rand.Rand, n, width int) []posting {
	ps := make([]posting, n)
	next := uint64(0)
	for i := range ps {
		next += uint64(rng.Uint32N(1<<min(width, 31))) >> rng.IntN(2)
		var c counts
		switch rng.IntN(4) {
		case 0:
			c = packCounts(rng.IntN(3), rng.IntN(3), rng.IntN(6))
		case 1:
			if rng.IntN(8) == 0 {
				c = packCounts(rng.IntN(400), rng.IntN(400), rng.IntN(100000))
			}
		default:
			c = 1
		}
		ps[i] = posting{uint32(min(next, 1<<32-2)), c}
		next++
	}
	return ps
}

// What is written is read, whatever the gaps and counts.
func TestListsAreReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		n := rapid.SampledFrom([]int{1, 2, 3, 127, 128, 129, 255, 256, 257, 1000}).Draw(t, "postings")
		width := rapid.IntRange(0, 31).Draw(t, "bits")
		ps := randomPostings(rng, n, min(width, 31-8)) // numbers stay below 1<<32
		data := appendList(nil, ps, func(ps []posting) byte { return byte(ps[0].num) })
		limit := ps[n-1].num + 1
		l, err := openList(append(data, make([]byte, padding)...), n, limit)
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.appendPostings(nil)
		if err != nil || !slices.Equal(got, ps) {
			t.Fatalf("read %v (%v), want %v", got, err, ps)
		}
		for b := range l.count {
			if l.blockBound(b) != byte(ps[b*blockSize].num) && n > blockSize {
				t.Fatalf("block %d has bound %d", b, l.blockBound(b))
			}
		}
		// A cursor finds what is there and nothing else.
		c, far := cursor{list: l, decoded: -1}, cursor{list: l, decoded: -1}
		want := map[uint32]counts{}
		var nums []uint32
		for _, p := range ps {
			want[p.num] = p.counts
			nums = append(nums, p.num, p.num+rng.Uint32N(3), p.num-min(p.num, rng.Uint32N(3)))
		}
		slices.Sort(nums)
		for _, num := range nums {
			if rng.IntN(3) == 0 {
				continue
			}
			if got, err := c.seek(num); err != nil || got != want[num] {
				t.Fatalf("%d has counts %x (%v), want %x", num, got, err, want[num])
			}
			if got, err := far.peek(num); err != nil || got != want[num] {
				t.Fatalf("%d has counts %x (%v), want %x, seen from afar", num, got, err, want[num])
			}
		}
	})
}

func TestLengthsAreRoundedDownByLittle(t *testing.T) {
	for n := range 3000000 {
		if got := int(lengthOf[lengthCode(n)]); n <= 2000000 && (got > n || float64(got) < float64(n)*.94) {
			t.Fatalf("%d is kept as %d", n, got)
		}
	}
}

// appendPostings appends the whole list to dst.
func (l *list) appendPostings(dst []posting) ([]posting, error) {
	var b block
	for i := range l.count {
		if err := l.decode(i, &b); err != nil {
			return dst, err
		}
		if err := b.decodeCounts(); err != nil {
			return dst, err
		}
		for j := range b.m {
			dst = append(dst, posting{b.nums[j], b.counts[j]})
		}
	}
	return dst, nil
}
