package embed

import (
	"math"
	"sync"
)

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
	f := float32(x-float32(n*ln2High)) + float32(n*ln2Low)
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
		w[n] = int64(256*(1+ln(float32(n))) + 0.5)
	}
	return w
})
