package vector

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/docent-md/docent/internal/blob"
	"pgregory.net/rapid"
)

// kin returns vectors that lie about a few directions, so that some are near a
// question and most are not, and odd ones: of one component, of equal ones.
func kin(rnd *rand.Rand, n, dim int) [][]float32 {
	about := make([][]float32, 4)
	for i := range about {
		about[i] = randomVector(rnd, dim)
	}
	out := make([][]float32, n)
	for i := range out {
		v := randomVector(rnd, dim)
		switch own := float32(rnd.Float64()) * 2; i % 16 {
		case 13:
			clear(v)
			v[rnd.IntN(dim)] = 1
		case 14:
			for d := range v {
				v[d] = 1
			}
		case 15:
			v = nil
		default:
			for d := range v {
				v[d] = own*v[d] + about[i%4][d]
			}
		}
		out[i] = v
	}
	return out
}

// What sifting passes over could not have been in the answer: no row has a score
// above its limit, whatever the vectors.
func TestSiftLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.SampledFrom([]int{1, 3, 32, 64, 65, 256, 384, 1000}).Draw(t, "dim")
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 8))
		rows := kin(rnd, 8*rapid.IntRange(1, 6).Draw(t, "groups"), dim)
		b, _ := NewBuilder(dim)
		for _, v := range rows {
			if err := b.Add(v); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Open(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		asked := rows[rnd.IntN(len(rows))]
		if asked == nil || rapid.Bool().Draw(t, "a question of its own") {
			asked = randomVector(rnd, dim)
		}
		q, err := NewQuery(asked)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			scores, err := r.Scores(q, []uint32{uint32(i)})
			if err != nil {
				t.Fatal(err)
			}
			scales, losses, _ := r.marks(0, r.n)
			high, _ := r.highs(0, r.n)
			terms := q.coarse.terms
			terms.least = scores[0] - q.coarse.slack
			mask := make([]byte, r.n/group)
			sift(mask, high, scales, losses, q.coarse.code, &terms)
			if rows[i] != nil && mask[i/group]>>(i%group)&1 == 0 {
				t.Fatalf("%d dimensions: row %d scores %v and was passed over", dim, i, scores[0])
			}
		}
	})
}

// Top with a least score is Top without, cut off there.
func TestTopOfAtLeast(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 9))
	rows := kin(rnd, 1500, 256)
	r := build(t, 256, rows...)
	for range 30 {
		q := query(t, kin(rnd, 1, 256)[0]...)
		if rnd.IntN(2) == 0 {
			q = query(t, rows[16*rnd.IntN(50)]...)
		}
		all, err := r.Top(q, 60, -1, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 7, 59} {
			least := all[n].Score
			want := all[:slices.IndexFunc(append(all, Match{Score: -2}), func(m Match) bool { return m.Score < least })]
			got, err := r.Top(q, 60, least, nil)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("of at least %v: %v, %v, want %v", least, got, err, want)
			}
		}
	}
}

// Most rows are passed over: what makes a scan fast.
func TestSiftPassesOver(t *testing.T) {
	rnd := rand.New(rand.NewPCG(10, 10))
	rows := kin(rnd, 4096, 256)
	b, _ := NewBuilder(256)
	for _, v := range rows {
		_ = b.Add(v)
	}
	high, low := b.Bytes()
	asked := 0
	r, err := OpenAt(blob.Memory(high), &watched{blob.Memory(low), &asked, len(low), nil})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Top(query(t, rows[0]...), 1, 0.9, nil); err != nil {
		t.Fatal(err)
	}
	if asked > len(low)/10 {
		t.Errorf("%d of %d bytes were read to find the nearest", asked, len(low))
	}
}

// The kernels agree bit for bit, at any number of rows and dimensions and on any
// bytes, those that are no numbers included.
func TestSiftKernelsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := 64 * rapid.IntRange(1, 40).Draw(t, "dim/64")
		n := rapid.IntRange(0, 5).Draw(t, "groups")
		shift := rapid.IntRange(0, 31).Draw(t, "shift")
		extreme := rapid.Bool().Draw(t, "extreme")
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 11))
		bytesOf := func(n int) []byte {
			b := make([]byte, shift+n)[shift:]
			for i := range b {
				if b[i] = byte(rnd.Uint32()); extreme {
					b[i] = 0xff
				}
			}
			return b
		}
		rows := bytesOf(n * group * dim / 2)
		code := make([]int8, dim)
		for i := range code {
			if code[i] = int8(rnd.IntN(255) - 127); extreme {
				code[i] = []int8{-127, 127}[rnd.IntN(1+rnd.IntN(2))]
			}
		}
		sums, want := make([]int32, n*group), make([]int32, n*group)
		highDots(sums, rows, code)
		highDotsPlain(want, rows, code)
		if !slices.Equal(sums, want) {
			t.Fatalf("sums of %d dimensions: %d, want %d", dim, sums, want)
		}
		scales, losses := make([]byte, 4*n*group), make([]byte, 4*n*group)
		for i := range n * group {
			le.PutUint32(scales[4*i:], math.Float32bits(rnd.Float32()/100))
			le.PutUint32(losses[4*i:], math.Float32bits(rnd.Float32()))
			if rnd.IntN(4) == 0 {
				le.PutUint32(scales[4*i:], rnd.Uint32())
				le.PutUint32(losses[4*i:], rnd.Uint32()|0x7f800000*rnd.Uint32N(2))
			}
		}
		terms := &terms{rnd.Float32() / 100, rnd.Float32() * 30, 1 + rnd.Float32()/100, rnd.Float32()}
		got, plain := bytes.Repeat([]byte{0x5a}, n+2), bytes.Repeat([]byte{0x5a}, n+2)
		sift(got[1:n+1], rows, scales, losses, code, terms)
		siftPlain(plain[1:n+1], rows, scales, losses, code, terms)
		if !bytes.Equal(got, plain) {
			t.Fatalf("%d groups of %d dimensions: %x, want %x", n, dim, got, plain)
		}
	})
}

// join is the inverse of split.
func TestSplitAndJoin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 200).Draw(t, "dim")
		code := make([]byte, roundUp(dim, rowAlign))
		for d := range dim {
			code[d] = byte(int8(rapid.IntRange(-127, 127).Draw(t, "component")))
		}
		code[0] = maxCode
		high, low := make([]byte, len(code)/2), make([]byte, len(code)/2)
		scale, loss := split(high, low, code, dim)
		got := make([]byte, len(code))
		join(got, high, low)
		if !bytes.Equal(got[:dim], code[:dim]) || scale <= 0 {
			t.Fatalf("%d of %d, scale %v", got, code, scale)
		}
		var off, sum float64
		for d := range dim {
			c := float64(int8(code[d]))
			rest := c - (16*math.Floor((c+128)/16) - offset)
			off, sum = off+rest*rest, sum+c*c
		}
		if want := math.Sqrt(off / sum); float64(loss) < want || float64(loss) > want*(1+1e-6) {
			t.Fatalf("loss %v, want %v", loss, want)
		}
	})
}
