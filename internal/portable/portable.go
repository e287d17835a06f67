// Package portable computes logarithms and exponentials that have the same bits on every
// processor. Package math does not promise that: it has assembly for some processors, and
// on others the compiler fuses its products with its sums, which rounds once instead of
// twice. Scores that differ in their last digit can change the order of an answer.
//
// The algorithms are those of FreeBSD's libm, with the coefficients that package math
// uses too. A product is converted to float64, which keeps it from being fused.
package portable

import "math"

const (
	ln2High = 6.93147180369123816490e-01 // its last 32 bits are 0: multiples are exact
	ln2Low  = 1.90821492927058770002e-10
)

// Log returns the natural logarithm of x.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	// x = 2^k (1+f), with 1+f between the root of 1/2 and that of 2.
	f1, ki := math.Frexp(x)
	if f1 < math.Sqrt2/2 {
		f1 *= 2
		ki--
	}
	f, k := f1-1, float64(ki)
	s := f / (2 + f)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	t1 := float64(s2 * polynomial(s4, 1.479819860511658591e-01, 1.818357216161805012e-01,
		2.857142874366239149e-01, 6.666666666666735130e-01))
	t2 := float64(s4 * polynomial(s4, 1.531383769920937332e-01, 2.222219843214978396e-01, 3.999999999940941908e-01))
	half := float64(0.5 * float64(f*f))
	return float64(k*ln2High) - ((half - (float64(s*(half+(t1+t2))) + float64(k*ln2Low))) - f)
}

// Log2 returns the binary logarithm of x. It is exact for powers of two.
func Log2(x float64) float64 {
	frac, exp := math.Frexp(x)
	if frac == 0.5 {
		return float64(exp - 1)
	}
	return float64(Log(frac)*(1/math.Ln2)) + float64(exp)
}

// Exp returns e to the power of x.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case x > 709.782712893384:
		return math.Inf(1)
	case x < -745.2:
		return 0
	}
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	high, low := x-float64(k*ln2High), float64(k*ln2Low)
	r := high - low
	t := float64(r * r)
	c := r - float64(t*polynomial(t, 4.13813679705723846039e-08, -1.65339022054652515390e-06,
		6.61375632143793436117e-05, -2.77777777770155933842e-03, 1.66666666666666657415e-01))
	y := 1 - ((low - float64(r*c)/(2-c)) - high)
	return math.Ldexp(y, int(k))
}

// Exp2 returns 2 to the power of x.
func Exp2(x float64) float64 { return Exp(float64(x * math.Ln2)) }

// Pow returns x to the power of y, for x above 0.
func Pow(x, y float64) float64 { return Exp(float64(y * Log(x))) }

// polynomial sums coefficients times powers of x, the highest power first.
func polynomial(x float64, coefficients ...float64) float64 {
	sum := 0.0
	for _, c := range coefficients {
		sum = float64(sum*x) + c
	}
	return sum
}
