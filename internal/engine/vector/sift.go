package vector

import "math"

// How most rows are passed over by half of their bits.
//
// With q the question's code, c a row's and c' what its high halves say of it,
//
//	q·c ≤ q·c' + |q|·|c-c'|
//
// by Cauchy and Schwarz, and |c-c'|/|c| is the loss that a row keeps. The
// question is rounded to int8 for this, q = g·q' + r, which is good for another
// |r|·|c'|, and |c'| ≤ |c|·(1+loss). Over |q|·|c|, with D = q'·high and S the sum
// of q':
//
//	cosine ≤ scale·(16·g/|q|·D - 120.5·g/|q|·S) + loss·(1+|r|/|q|) + |r|/|q|
//
// A row whose limit is below what is asked for need not be looked at. All others
// are compared in full, so that what is found is what a scan of all would find.
type coarse struct {
	code []int8 // q', filled up with zeros to a multiple of rowAlign
	terms
	slack float32 // what does not depend on the row, and all rounding
}

// terms are what a row's sum is made a limit with:
//
//	limit = scale·(mul·D - sub) + loss·spread
type terms struct{ mul, sub, spread, least float32 }

// newCoarse returns the rounded form of a question's code, with components up to
// most and that scale.
func newCoarse(code []int16, dim int, most, scale float64) coarse {
	c := coarse{code: make([]int8, len(code))}
	g := most / maxCode
	var sum, off float64
	for d, x := range code[:dim] {
		v := math.RoundToEven(float64(x) / g)
		c.code[d] = int8(v)
		sum += v
		off += (float64(x) - g*v) * (float64(x) - g*v)
	}
	r := math.Sqrt(off) * scale
	c.mul, c.sub, c.spread = float32(16*g*scale), float32(offset*g*scale*sum), float32(1+r)
	// mul·D is up to 240 times the root of the dimensions, a scale up to 1/127, and
	// three roundings are of 2^-24 each: this is three times what they come to.
	c.slack = float32(r + 1e-6*math.Sqrt(float64(dim)))
	return c
}

// group is how many rows a bit mask of sift's is about.
const group = 8

// siftPlain sets bit i of mask[j] when the limit of row 8·j+i is at least what is
// wanted. It is what the assembly kernel is tested against, bit for bit: every
// product is rounded before it is added to.
func siftPlain(mask, rows, scales, losses []byte, code []int8, t *terms) {
	var sums [group]int32
	half := len(code) / 2
	for j := range mask {
		highDots(sums[:], rows[j*group*half:][:group*half], code)
		mask[j] = 0
		for i, sum := range sums {
			at := 4 * (j*group + i)
			scale, loss := math.Float32frombits(le.Uint32(scales[at:])), math.Float32frombits(le.Uint32(losses[at:]))
			x := float32(scale * float32(float32(float32(sum)*t.mul)-t.sub))
			if x+float32(loss*t.spread) >= t.least {
				mask[j] |= 1 << i
			}
		}
	}
}

// highDotsPlain writes to out the products of high halves with the question.
func highDotsPlain(out []int32, rows []byte, code []int8) {
	half := len(code) / 2
	for i := range out {
		row := rows[i*half:][:half]
		var a, b int32
		for j := 0; j+32 <= len(row) && 2*j+64 <= len(code); j += 32 {
			r, q := row[j:j+32:j+32], code[2*j:2*j+64:2*j+64]
			for k, x := range r {
				a += int32(x&15) * int32(q[k])
				b += int32(x>>4) * int32(q[k+32])
			}
		}
		out[i] = a + b
	}
}
