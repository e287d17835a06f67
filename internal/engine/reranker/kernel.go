package reranker

import "math"

// The loops that scoring spends its time in. On amd64 with AVX2 they are assembly
// (kernel_amd64.s), on arm64 the three that matter (kernel_arm64.s); elsewhere, and
// in the tests as the twins of those, the functions here. Sums are integers and every float operation stands alone, so both give the
// same bits.

// round returns x times m, rounded half to even.
func round(x, m float32) int32 { return int32(math.RoundToEven(float64(float32(x * m)))) }

func clip(x, low, high int32) int32 { return min(max(x, low), high) }

// tilePlain sets acc to the group of l's outputs that begins at at, for each of
// 4 * fours rows: products of inputs and weights, plus b, times m.
func tilePlain(acc []int32, x []byte, fours int, l *linear, at int) {
	for row := range 4 * fours {
		var sum [group]int32
		for i := 0; i < l.in; i += 4 {
			p, q := x[row*l.in+i:][:4], l.w[at*l.in+i*group:][:4*group]
			x0, x1, x2, x3 := int32(p[0])-l.high, int32(p[1])-l.high, int32(p[2])-l.high, int32(p[3])-l.high
			for o := range sum {
				g := q[4*o:][:4]
				sum[o] += x0*int32(int8(g[0])) + x1*int32(int8(g[1])) + x2*int32(int8(g[2])) + x3*int32(int8(g[3]))
			}
		}
		for o, s := range sum {
			acc[row*group+o] = round(float32(s+l.b[at+o]), l.m[at+o])
		}
	}
}

// clipBytesPlain stores rows of acc as bytes of 0 to 127.
func clipBytesPlain(out []byte, stride int, acc []int32, rows int) {
	for row := range rows {
		for o, x := range acc[row*group:][:group] {
			out[row*stride+o] = byte(clip(x, 0, 127))
		}
	}
}

// clipWordsPlain stores rows of acc as numbers of -127 to 127.
func clipWordsPlain(out []int16, stride int, acc []int32, rows int) {
	for row := range rows {
		for o, x := range acc[row*group:][:group] {
			out[row*stride+o] = int16(clip(x, -127, 127))
		}
	}
}

// clipPairsPlain does so too, and interleaves two rows each.
func clipPairsPlain(out []int16, stride int, acc []int32, pairs int) {
	for pair := range pairs {
		for o := range group {
			out[pair*stride+2*o] = int16(clip(acc[2*pair*group+o], -127, 127))
			out[pair*stride+2*o+1] = int16(clip(acc[(2*pair+1)*group+o], -127, 127))
		}
	}
}

// addRowsPlain adds rows of acc to x.
func addRowsPlain(x []int32, stride int, acc []int32, rows int) {
	for row := range rows {
		for o, y := range acc[row*group:][:group] {
			x[row*stride+o] += y
		}
	}
}

// momentsPlain returns the sum of numbers and of their squares.
func momentsPlain(x []int32) (sum, squares int64) {
	for _, x := range x {
		sum += int64(x)
		squares += int64(x) * int64(x)
	}
	return sum, squares
}

// clipScaledPlain stores distances from the mean, times r, within -127 to 127, and
// 128 too high.
func clipScaledPlain(out []byte, x []int32, mean int32, r float32) {
	for i, x := range x {
		out[i] = byte(clip(round(float32(x-mean), r), -127, 127) + 128)
	}
}

// scoresPlain sets out to the products of one head of q with those of rows of k.
func scoresPlain(out []int32, q, k []int16, stride int) {
	for j := range out {
		sum, k := int32(0), k[j*stride:][:headSize]
		for i, q := range q[:headSize] {
			sum += int32(q) * int32(k[i])
		}
		out[j] = sum
	}
}

// weighPlain sets w to powers of what dots lack to the largest, times power; it
// returns their sum.
func weighPlain(w []int16, dots []int32, power float32, powers []int16, limit int32) (sum int32) {
	most := dots[0]
	for _, x := range dots {
		most = max(most, x)
	}
	for j, x := range dots {
		n := math.RoundToEven(float64(float32(float32(most-x) * power)))
		w[j] = powers[int32(min(n, float64(limit)))]
		sum += int32(w[j])
	}
	return sum
}

// mixPlain stores the sum of one head of v by weights w, times r, as clipScaled
// does.
func mixPlain(out []byte, w, v []int16, stride int, r float32) {
	var sums [headSize]int32
	for j, w := range w {
		for i := range sums {
			sums[i] += int32(w) * int32(v[j/2*stride+2*i+j%2])
		}
	}
	clipScaledPlain(out, sums[:], 0, r)
}
