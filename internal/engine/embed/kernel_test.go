package embed

import (
	"math"
	"math/rand/v2"
	"slices"
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

// So do those that work on a list or on many numbers at once.
func TestListKernelsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := range 40 {
		rows := someRows(9, rng.Uint64())
		var list []part
		x, y, other := make([]float32, n), make([]float32, n), make([]float32, n)
		for i := range n {
			list = append(list, part{int32(rng.IntN(len(rows))), float32(rng.NormFloat64())})
			x[i], other[i] = float32(2*rng.Float64()-1), float32(1e-8+rng.Float64())
		}
		copy(y, x)
		got, want := rows[0], rows[0]
		gather(&got, list, rows)
		gatherPlain(&want, list, rows)
		if got != want {
			t.Fatalf("the sum of %d rows differs", n)
		}
		divide(&got, 0.37)
		dividePlain(&want, 0.37)
		if got != want {
			t.Fatal("division differs")
		}
		like(x)
		likePlain(y)
		if !slices.Equal(x, y) {
			t.Fatalf("likeness differs: %g, plain %g", x, y)
		}
		shares(x, 0.3, other)
		sharesPlain(y, 0.3, other)
		if !slices.Equal(x, y) {
			t.Fatalf("shares differ: %g, plain %g", x, y)
		}
	}
}

// A row is added to a sum of integers alike, whatever its bytes.
func TestAddRowAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var got, want [Dim]int64
	for n := range 300 {
		data := make([]byte, rowBytes)
		for i := range data {
			data[i] = byte(rng.Uint32())
			if n == 0 {
				data[i] = 0xff // the largest scales
			}
			if n == 1 && i >= headBytes {
				data[i] = 0 // and the lowest numbers
			}
		}
		weight := weights()[rng.IntN(len(weights()))]
		if n < 2 {
			weight = weights()[len(weights())-1]
		}
		addRow(&got, data, weight)
		addRowPlain(&want, data, weight)
		if got != want {
			t.Fatalf("row %d differs", n)
		}
	}
}

// What is lost by storing a row is found alike, also where numbers are huge, zero
// or exactly between two steps.
func TestLossesAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var x lanes
		var scales, got, want [groups]float32
		for g := range groups {
			scales[g] = scaleOf(uint16(1 + rng.IntN(1<<rng.IntN(16))))
			for j := range x {
				switch rng.IntN(8) {
				case 0:
					x[j][g] = scales[g] * (float32(rng.IntN(20)) - 9.5)
				case 1:
					x[j][g] = float32(math.Copysign(0, rng.NormFloat64()))
				case 2:
					x[j][g] = float32(rng.NormFloat64() * 1e12)
				default:
					x[j][g] = scales[g] * float32(4*rng.NormFloat64())
				}
			}
		}
		losses(&got, &x, &scales)
		lossesPlain(&want, &x, &scales)
		if got != want {
			t.Fatalf("%g, plain %g", got, want)
		}
		var a, b laneSteps
		steps(&a, &x, &scales)
		stepsPlain(&b, &x, &scales)
		if a != b {
			t.Fatalf("steps %d, plain %d", a, b)
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
