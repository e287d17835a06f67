package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// dotObvious is the definition, written so that there is nothing to check.
func dotObvious(code []byte, query []int16) int32 {
	var sum int64
	for d, q := range query {
		sum += int64(int8(code[d])) * int64(q)
	}
	return int32(sum) // wraps around, as int32 sums do
}

// parted returns the halves of a code that may hold anything, byte by byte.
func parted(code []byte) (h halves) {
	h.high, h.low = make([]byte, len(code)/2), make([]byte, len(code)/2)
	for d, c := range code {
		at, shift := d/64*32+d%32, d/32%2*4
		h.high[at] |= (c + 128) >> 4 << shift
		h.low[at] |= (c + 128) & 15 << shift
	}
	return h
}

// All kernels give the same, bit for bit: at any number of rows and dimensions,
// any alignment, and any bytes, also those that overflow.
func TestKernelsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := 64 * rapid.IntRange(1, 50).Draw(t, "dim/64")
		n := rapid.IntRange(0, 9).Draw(t, "rows")
		shift16 := rapid.IntRange(0, 31).Draw(t, "query shift")
		extreme := rapid.Bool().Draw(t, "extreme")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))

		query := make([]int16, shift16+dim)[shift16:]
		for i := range query {
			query[i] = int16(r.Uint32())
			if extreme {
				query[i] = []int16{math.MinInt16, math.MaxInt16}[r.IntN(2)]
			}
		}
		rows, want := make([]halves, n), make([]int32, n)
		for i := range rows {
			code := make([]byte, dim)
			for j := range code {
				code[j] = byte(r.Uint32())
				if extreme {
					code[j] = []byte{0x80, 0x7f}[r.IntN(2)]
				}
			}
			rows[i], want[i] = parted(code), dotObvious(code, query)
			rows[i].low = append(make([]byte, i), rows[i].low...)[i:] // not aligned
		}
		for name, kernel := range map[string]func([]int32, []halves, []int16){"plain": dotsPlain, "machine": dots} {
			// The kernel must not write beside what it was given.
			out := slices.Repeat([]int32{-7}, n+2)
			kernel(out[1:n+1], rows, query)
			if !slices.Equal(out[1:n+1], want) || out[0] != -7 || out[n+1] != -7 {
				t.Fatalf("%s, %d rows of %d: got %d, want %d", name, n, dim, out, want)
			}
		}
	})
}

// The worst rows and the worst query there can be do not leave int32.
func TestNoSumOverflows(t *testing.T) {
	for _, dim := range []int{1, 256, 384, 516, 517, 768, 1024, 1536, 3072, 4096, MaxDim - 1, MaxDim} {
		most := int64(queryMost(dim))
		if sum := most * maxCode * int64(dim); sum > math.MaxInt32 {
			t.Errorf("%d dimensions: %d does not fit", dim, sum)
		}
		if most < maxCode {
			t.Errorf("%d dimensions: queries are coarser than rows: %d", dim, most)
		}
		v := make([]float32, dim)
		for d := range v {
			v[d] = 3.5
		}
		q, err := NewQuery(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, sign := range []float32{1, -1} {
			b, _ := NewBuilder(dim)
			for d := range v {
				v[d] = sign
			}
			_ = b.Add(v)
			r, _ := Open(b.Bytes())
			got, err := r.Scores(q, []uint32{0})
			if err != nil || math.Abs(float64(got[0]-sign)) > 1e-6 {
				t.Errorf("%d dimensions: cosine %v, want %v (%v)", dim, got, sign, err)
			}
		}
	}
}

func FuzzKernels(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789abcdef"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 1<<16 {
			return
		}
		code := make([]byte, roundUp(len(data), rowAlign))
		copy(code, data)
		query := make([]int16, len(code))
		for i := range query {
			query[i] = int16(data[i%len(data)])<<8 | int16(data[(i+7)%len(data)])
		}
		var out [1]int32
		dots(out[:], []halves{parted(code)}, query)
		if want := dotObvious(code, query); out[0] != want {
			t.Fatalf("got %d, want %d", out, want)
		}
	})
}

// BenchmarkTop is the scan of a large index, 100,000 rows, at its worst: random
// vectors are all equally far from each other, and few are ruled out by half of
// their bits. The other is at its best, when what is asked for is nearer than all.
func BenchmarkTop(b *testing.B) {
	for _, dim := range []int{256, 768} {
		r, q := benchBlock(b, 100_000, dim)
		b.Run(map[int]string{256: "100kx256", 768: "100kx768"}[dim], func(b *testing.B) {
			b.SetBytes(int64(2 * r.n * r.half))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Top(q, 200, -1, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(map[int]string{256: "100kx256 ruled out", 768: "100kx768 ruled out"}[dim], func(b *testing.B) {
			b.SetBytes(int64(2 * r.n * r.half))
			for b.Loop() {
				if _, err := r.Top(q, 1, 0.9, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchBlock(b *testing.B, n, dim int) (*Reader, *Query) {
	b.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	build, _ := NewBuilder(dim)
	for range n {
		if err := build.Add(randomVector(rnd, dim)); err != nil {
			b.Fatal(err)
		}
	}
	r, err := Open(build.Bytes())
	if err != nil {
		b.Fatal(err)
	}
	q, err := NewQuery(randomVector(rnd, dim))
	if err != nil {
		b.Fatal(err)
	}
	return r, q
}

func randomVector(r *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for d := range v {
		v[d] = float32(r.NormFloat64())
	}
	return v
}
