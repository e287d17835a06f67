package embed

import (
	"math"
	"sync"
)

// The loops that training spends its time in. On amd64 with AVX2 they are
// assembly (kernel_amd64.s); elsewhere, and in the tests as the twin of that, the
// functions here. Both add in the same order and round every product, so they
// give the same bits: a product of two rows is eight sums, of the dimensions that
// leave the same remainder by eight, added up in halves.

type row = [Dim]float32

// sharpness is what cosines are multiplied by.
const sharpness = 20

// A part is what a row has in a sum of rows.
type part struct {
	row    int32
	weight float32
}

// dotsPlain sets out[i] to the product of q and the i-th of some rows.
func dotsPlain(out []float32, q *row, rows []row) {
	for i := range out {
		out[i] = dotPlain(q, &rows[i])
	}
}

func dotPlain(a, b *row) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for i := 0; i < Dim; i += 8 {
		s0 += float32(a[i] * b[i])
		s1 += float32(a[i+1] * b[i+1])
		s2 += float32(a[i+2] * b[i+2])
		s3 += float32(a[i+3] * b[i+3])
		s4 += float32(a[i+4] * b[i+4])
		s5 += float32(a[i+5] * b[i+5])
		s6 += float32(a[i+6] * b[i+6])
		s7 += float32(a[i+7] * b[i+7])
	}
	return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
}

// addPlain adds x times a row to y.
func addPlain(y *row, x float32, r *row) {
	for i := 0; i < Dim; i += 4 {
		y[i] += float32(x * r[i])
		y[i+1] += float32(x * r[i+1])
		y[i+2] += float32(x * r[i+2])
		y[i+3] += float32(x * r[i+3])
	}
}

// gatherPlain sets y to the sum of some rows, in the order of the list.
func gatherPlain(y *row, list []part, rows []row) {
	clear(y[:])
	for _, p := range list {
		addPlain(y, p.weight, &rows[p.row])
	}
}

func dividePlain(y *row, by float32) {
	for i := range y {
		y[i] /= by
	}
}

// likePlain turns cosines into e to the power of sharpness times what they lack.
func likePlain(x []float32) {
	for i := range x {
		x[i] = exp(sharpness * (x[i] - 1))
	}
}

// sharesPlain turns likenesses into their shares of one sum and of one each,
// together.
func sharesPlain(x []float32, own float32, other []float32) {
	for i := range x {
		x[i] = float32(x[i]/own) + float32(x[i]/other[i])
	}
}

// A lanes is a row with its groups side by side: the first numbers of all, then
// the second ones.
type lanes = [group][groups]float32

// lossesPlain sets what is lost, summed up over squares, when each group is
// stored with a scale.
func lossesPlain(losses *[groups]float32, x *lanes, scales *[groups]float32) {
	*losses = [groups]float32{}
	for j := range x {
		for g, v := range x[j] {
			d := v - float32(float32(number(v, scales[g]))*scales[g])
			losses[g] += float32(d * d)
		}
	}
}

// laneSteps are the numbers of lanes in steps of their scales.
type laneSteps = [group][groups]int32

// stepsPlain sets the number that each is stored as.
func stepsPlain(to *laneSteps, x *lanes, scales *[groups]float32) {
	for j := range x {
		for g, v := range x[j] {
			to[j][g] = int32(number(v, scales[g]))
		}
	}
}

// ln is the natural logarithm of x > 0, to seven digits, the same on every
// processor: math.Log is free to fuse its products.
func ln(x float32) float32 {
	frac, exp := math.Frexp(float64(x))
	f := float32(frac)
	if f < math.Sqrt2/2 {
		f, exp = 2*f, exp-1
	}
	// ln f = 2 atanh s, s = (f-1)/(f+1), |s| < 0.172
	s := (f - 1) / (f + 1)
	s2 := float32(s * s)
	sum := float32(1.0 / 9)
	for _, c := range [...]float32{1.0 / 7, 1.0 / 5, 1.0 / 3, 1} {
		sum = float32(sum*s2) + c
	}
	return float32(2*float32(s*sum)) + float32(float32(exp)*math.Ln2)
}

// ln 2 in two parts, of which multiples of the first are exact.
const (
	ln2High = 0.693359375
	ln2Low  = 2.12194440e-4 // to be added
)

// exp is e to the power of x for x from -80 to 80, to six digits, the same on
// every processor.
func exp(x float32) float32 {
	n := float32(math.RoundToEven(float64(float32(x * math.Log2E))))
	f := float32(float32(x)-float32(n*ln2High)) + float32(n*ln2Low) // x may be a product of the caller's
	// Taylor's series for |f| < 0.35.
	sum := float32(1.0 / 720)
	for _, c := range [...]float32{1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1} {
		sum = float32(sum*f) + c
	}
	return float32(sum * math.Float32frombits(uint32(int32(n)+127)<<23))
}

// mostTimes is how often a word is counted.
const mostTimes = 256

// weights are 1+ln n in 1/256, for words that come n times.
var weights = sync.OnceValue(func() *[mostTimes + 1]int64 {
	w := &[mostTimes + 1]int64{}
	for n := 1; n < len(w); n++ {
		w[n] = int64(float32(256*(1+ln(float32(n)))) + 0.5)
	}
	return w
})
