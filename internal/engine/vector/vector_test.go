package vector

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/docent-md/docent/internal/blob"
	"pgregory.net/rapid"
)

// build returns the block of those vectors.
func build(t testing.TB, dim int, vectors ...[]float32) *Reader {
	t.Helper()
	b, err := NewBuilder(dim)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		if err := b.Add(v); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Verify(); err != nil {
		t.Fatal(err)
	}
	return r
}

func query(t testing.TB, v ...float32) *Query {
	t.Helper()
	q, err := NewQuery(v)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestTop(t *testing.T) {
	r := build(t, 2,
		[]float32{1, 0},
		[]float32{0, 5},
		nil,
		[]float32{3, 3},
		[]float32{-2, 0},
		[]float32{0, 0},
		[]float32{0, 0.001},
	)
	odd := func(id uint32) bool { return id%2 == 1 }
	for _, test := range []struct {
		name  string
		query []float32
		k     int
		skip  func(uint32) bool
		want  []uint32
	}{
		{"nearest first, whatever the length", []float32{1, 0.1}, 2, nil, []uint32{0, 3}},
		{"equal ones in the order of their numbers", []float32{0, 9}, 2, nil, []uint32{1, 6}},
		{"rows without a vector are never found", []float32{1, 0}, 100, nil, []uint32{0, 3, 1, 6, 4}},
		{"skipped rows make place for others", []float32{0, 1}, 2, odd, []uint32{6, 0}},
		{"none asked for", []float32{0, 1}, 0, nil, nil},
		{"fewer than none asked for", []float32{0, 1}, -1, nil, nil},
		{"nothing is near nothing", []float32{0, 0}, 3, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := r.Top(query(t, test.query...), test.k, -1, test.skip)
			if err != nil {
				t.Fatal(err)
			}
			var ids []uint32
			for _, m := range got {
				ids = append(ids, m.ID)
			}
			if !slices.Equal(ids, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestScoresAreCosines(t *testing.T) {
	r := build(t, 2, []float32{1, 0}, []float32{2, 2}, nil, []float32{-1, 0})
	got, err := r.Scores(query(t, 10, 0), []uint32{3, 1, 0, 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-1, math.Sqrt2 / 2, 1, 0} {
		if math.Abs(float64(got[i])-want) > 1e-6 {
			t.Errorf("score %d is %v, want %v", i, got[i], want)
		}
	}
	if _, err := r.Scores(query(t, 1, 0), []uint32{4}); err == nil {
		t.Error("a row that is not there was scored")
	}
}

func TestRefusals(t *testing.T) {
	r := build(t, 2, []float32{1, 0})
	b, _ := NewBuilder(2)
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for name, err := range map[string]error{
		"a query of other dimensions": func() error { _, err := r.Top(query(t, 1, 2, 3), 1, -1, nil); return err }(),
		"scores for other dimensions": func() error { _, err := r.Scores(query(t, 1), nil); return err }(),
		"a row of other dimensions":   b.Add([]float32{1}),
		"a code of other dimensions":  b.AddCode([]int8{127}),
		"not a number":                b.Add([]float32{nan, 1}),
		"without end":                 b.Add([]float32{1, inf}),
		"a query that is no number":   func() error { _, err := NewQuery([]float32{nan}); return err }(),
		"a query of nothing":          func() error { _, err := NewQuery(nil); return err }(),
		"a code of -128":              b.AddCode([]int8{-128, 127}),
		"a code not in full":          b.AddCode([]int8{3, 4}),
		"no dimensions":               func() error { _, err := NewBuilder(0); return err }(),
		"too many dimensions":         func() error { _, err := NewBuilder(MaxDim + 1); return err }(),
		"a copy of no row":            b.Copy(r, 1),
		"a copy of other dimensions":  b.Copy(build(t, 3, nil), 0),
	} {
		if err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if b.Len() != 0 {
		t.Errorf("%d rows after refusals only", b.Len())
	}
}

// The heap and the kernels against sorting everything.
func TestTopIsSortAndCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.SampledFrom([]int{1, 2, 31, 64, 70, 200, 256, 300, 700}).Draw(t, "dim")
		n := rapid.IntRange(0, 700).Draw(t, "n")
		k := rapid.IntRange(0, n+2).Draw(t, "k")
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		b, _ := NewBuilder(dim)
		for i := range n {
			v := randomVector(rnd, dim)
			for d := range v {
				v[d] = float32(math.Round(float64(v[d]))) // so that scores are often equal
			}
			if i%7 == 3 {
				v = nil
			}
			if err := b.Add(v); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Open(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		q, err := NewQuery(randomVector(rnd, dim))
		if err != nil {
			t.Fatal(err)
		}
		skip := func(id uint32) bool { return id%5 == 1 }
		ids := make([]uint32, n)
		for i := range ids {
			ids[i] = uint32(i)
		}
		all, err := r.Scores(q, ids)
		if err != nil {
			t.Fatal(err)
		}
		var want []Match
		for i := range n {
			s, err := r.Scores(q, []uint32{uint32(i)})
			if err != nil {
				t.Fatal(err)
			}
			if s[0] != all[i] {
				t.Fatalf("row %d scores %v, and %v among all", i, s[0], all[i])
			}
			if row, err := r.Row(i); err == nil && row != nil && !skip(uint32(i)) {
				want = append(want, Match{uint32(i), s[0]})
			}
		}
		slices.SortFunc(want, before)
		want = want[:min(k, len(want))]
		got, err := r.Top(q, k, -1, skip)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Fatalf("got  %v\nwant %v", got, want)
		}
	})
}

// Rounding to int8 costs little: the cosine is within a hundredth of the true
// one, and what is nearest by far stays nearest.
func TestCodesKeepTheCosine(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	for _, dim := range []int{64, 256, 768} {
		for range 200 {
			v, w := randomVector(rnd, dim), randomVector(rnd, dim)
			got, err := build(t, dim, v).Scores(query(t, w...), []uint32{0})
			if err != nil {
				t.Fatal(err)
			}
			var vw, vv, ww float64
			for d := range v {
				vw += float64(v[d]) * float64(w[d])
				vv += float64(v[d]) * float64(v[d])
				ww += float64(w[d]) * float64(w[d])
			}
			if want := vw / math.Sqrt(vv*ww); math.Abs(float64(got[0])-want) > .01 {
				t.Fatalf("%d dimensions: %v, want %v", dim, got[0], want)
			}
		}
	}
}

// Merging blocks is the same as having built one: rows are copied, not rounded
// again. A row read and added again is the same too.
func TestCopyKeepsEveryBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 100).Draw(t, "dim")
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		whole, _ := NewBuilder(dim)
		left, _ := NewBuilder(dim)
		right, _ := NewBuilder(dim)
		for i := range rapid.IntRange(0, 20).Draw(t, "n") {
			v := randomVector(rnd, dim)
			if i%4 == 2 {
				v = nil
			}
			half := left
			if i >= 10 {
				half = right
			}
			_ = whole.Add(v)
			_ = half.Add(v)
		}
		merged, _ := NewBuilder(dim)
		again, _ := NewBuilder(dim)
		for _, half := range []*Builder{left, right} {
			r, err := Open(half.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			for i := range r.Len() {
				if err := merged.Copy(r, i); err != nil {
					t.Fatal(err)
				}
				row, err := r.Row(i)
				if err != nil {
					t.Fatal(err)
				}
				if err := again.Add(row); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !bytes.Equal(both(merged), both(whole)) {
			t.Fatal("merged block differs from one built at once")
		}
		if !bytes.Equal(both(again), both(whole)) {
			t.Fatal("rows read and added again differ")
		}
	})
}

func TestAddCodeIsAdd(t *testing.T) {
	a, _ := NewBuilder(3)
	b, _ := NewBuilder(3)
	_ = a.AddCode([]int8{127, -64, 0})
	_ = b.Add([]float32{127, -64, 0})
	_ = a.AddCode(make([]int8, 3))
	_ = b.Add(nil)
	if !bytes.Equal(both(a), both(b)) {
		t.Error("a code and the vector it stands for differ")
	}
}

// The bytes are part of the promise that an index is the same on every machine
// and in every version that does not say otherwise.
func TestBytesAreFixed(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 6))
	b, _ := NewBuilder(300)
	for range 50 {
		if err := b.Add(randomVector(rnd, 300)); err != nil {
			t.Fatal(err)
		}
	}
	sum := sha256.Sum256(both(b))
	if got, want := hex.EncodeToString(sum[:8]), "d4dd62808dcb8ab5"; got != want {
		t.Errorf("block is %s, was %s", got, want)
	}
}

func TestCentroid(t *testing.T) {
	var c Centroid
	if c.Vector() != nil {
		t.Error("no rows have a direction")
	}
	_ = c.Add(build(t, 2, []float32{8, 0}, nil, []float32{-1, 0}), func(id uint32) bool { return id == 2 })
	_ = c.Add(build(t, 3, []float32{1, 1, 1}), nil) // of another model
	_ = c.Add(build(t, 2, []float32{0, 0.5}), nil)
	got := c.Vector()
	if len(got) != 2 || math.Abs(float64(got[0])-math.Sqrt2/2) > 1e-6 || got[0] != got[1] {
		t.Errorf("the centroid of two rows is %v", got)
	}
	var none Centroid
	_ = none.Add(build(t, 1, []float32{1}, []float32{-1}), nil)
	if none.Vector() != nil {
		t.Error("rows that cancel out have a direction")
	}
}

// Every change of a byte is either refused by Open, or found by Verify, or at
// least harmless: no panic, and no score outside of -1 to 1.
func TestDamage(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	b, _ := NewBuilder(40)
	for range 20 {
		_ = b.Add(randomVector(rnd, 40))
	}
	good, cut := both(b), len(both(b))-20*rowAlign/2
	for range 3000 {
		bad := bytes.Clone(good)
		bad[rnd.IntN(len(bad))] ^= byte(1 + rnd.IntN(255))
		use(t, bad[:cut], bad[cut:])
		use(t, bad[:rnd.IntN(cut)], bad[cut:])
		use(t, bad[:cut], bad[cut+rnd.IntN(len(bad)-cut):])
	}
	for name, at := range map[string]int{
		"a scale": headerSize, "a loss": headerSize + 4*20, "a high half": cut - rowAlign/2, "a low half": cut,
		"high halves beyond the last": cut - 1, "low halves beyond the last": len(good) - 1,
	} {
		damaged := bytes.Clone(good)
		damaged[at] ^= 0x10
		r, err := Open(damaged[:cut], damaged[cut:])
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Verify(); !errors.Is(err, ErrFormat) {
			t.Errorf("Verify after a change of %s: %v", name, err)
		}
	}
}

// both returns the parts of a block one after the other.
func both(b *Builder) []byte {
	high, low := b.Bytes()
	return slices.Concat(high, low)
}

// Bytes are asked for as they are needed, and whoever refuses them ends the scan.
func TestReadsWhatItNeeds(t *testing.T) {
	b, _ := NewBuilder(64)
	for i := range 1000 {
		_ = b.Add(append([]float32{1, float32(i)}, make([]float32, 62)...))
	}
	high, low := b.Bytes()
	asked, refused := 0, errors.New("refused")
	first := &watched{blob.Memory(high), &asked, len(high) / 2, refused}
	second := &watched{blob.Memory(low), &asked, len(low) / 2, refused}
	r, err := OpenAt(first, second)
	if err != nil || asked != headerSize {
		t.Fatalf("opening reads %d bytes: %v", asked, err)
	}
	if _, err := r.Row(3); err != nil || asked != headerSize+4+64 {
		t.Errorf("a row reads %d bytes: %v", asked-headerSize, err)
	}
	q, _ := NewQuery(append([]float32{1}, make([]float32, 63)...))
	for name, err := range map[string]error{
		"Row":    last(r.Row(999)),
		"Scores": last(r.Scores(q, []uint32{1, 999})),
		"Top":    last(r.Top(q, 1, -1, nil)),
		"Add":    new(Centroid).Add(r, nil),
		"Verify": r.Verify(),
	} {
		if !errors.Is(err, refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if asked > (len(high)+len(low))*3 {
		t.Errorf("%d bytes were read of %d", asked, len(high)+len(low))
	}
}

// watched is a Source that counts what it hands out, and refuses what ends beyond
// a place.
type watched struct {
	blob.Memory
	asked   *int
	end     int
	refused error
}

func (w *watched) Bytes(off, n int) ([]byte, error) {
	if *w.asked += n; off+n > w.end {
		return nil, w.refused
	}
	return w.Memory.Bytes(off, n)
}

func last[T any](_ T, err error) error { return err }

// use does with parts all that can be done with a block.
func use(t testing.TB, high, low []byte) {
	r, err := Open(high, low)
	if err != nil {
		if !errors.Is(err, ErrFormat) {
			t.Fatal(err)
		}
		return
	}
	_ = r.Verify()
	v := make([]float32, r.Dim())
	v[0] = 1
	q, err := NewQuery(v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Top(q, 10, -1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range got {
		if !(m.Score >= -1 && m.Score <= 1) || int(m.ID) >= r.Len() {
			t.Fatalf("match %v", m)
		}
		if _, err := r.Row(int(m.ID)); err != nil {
			t.Fatal(err)
		}
	}
	var c Centroid
	_ = c.Add(r, nil)
	_ = c.Vector()
}

func FuzzOpen(f *testing.F) {
	b, _ := NewBuilder(3)
	high, low := b.Bytes()
	f.Add(high, low)
	_ = b.Add([]float32{1, 2, 3})
	_ = b.Add(nil)
	high, low = b.Bytes()
	f.Add(high, low)
	f.Fuzz(func(t *testing.T, high, low []byte) { use(t, high, low) })
}
