package embed

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The assembly and its twin give the same bits.
func TestKernelsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 20 {
		q, rows := someRows(1, rng.Uint64())[0], someRows(n, rng.Uint64())
		got, want := make([]float32, n), make([]float32, n)
		dots(got, &q, rows)
		dotsPlain(want, &q, rows)
		for i := range got {
			if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
				t.Fatalf("row %d of %d: %g, plain %g", i, n, got[i], want[i])
			}
		}
		for i := range rows {
			x := float32(rng.NormFloat64())
			a, b := q, q
			add(&a, x, &rows[i])
			addPlain(&b, x, &rows[i])
			if a != b {
				t.Fatalf("adding %g times row %d differs", x, i)
			}
		}
	}
}

func TestDot(t *testing.T) {
	var a, b row
	for i := range a {
		a[i], b[i] = float32(i), float32(i%3)
	}
	want := 0.
	for i := range a {
		want += float64(i * (i % 3))
	}
	if got := dot(&a, &b); float64(got) != want {
		t.Errorf("%g, want %g", got, want)
	}
}

func TestExpAndLn(t *testing.T) {
	for x := float32(-80); x < 80; x += 0.0137 {
		if got, want := float64(exp(x)), math.Exp(float64(x)); math.Abs(got-want) > 1e-6*want {
			t.Fatalf("exp %g is %g, want %g", x, got, want)
		}
	}
	for x := float32(1e-6); x < 1e7; x *= 1.0173 {
		if got, want := float64(ln(x)), math.Log(float64(x)); math.Abs(got-want) > 2e-6*max(1, math.Abs(want)) {
			t.Fatalf("ln %g is %g, want %g", x, got, want)
		}
	}
}
