//go:build !purego

package vector

// dots is dotsPlain, as fast as this machine can. Every arm64 has NEON.
func dots(out []int32, rows []halves, query []int16) {
	code := make([]byte, len(query))
	for i, h := range rows {
		join(code, h.high, h.low)
		dotsNEON(&out[i], 1, &code[0], &query[0], len(query))
	}
}

// dotsNEON multiplies codes that follow each other. It needs n > 0 and dim a
// multiple of 32 and more than 0.
//
//go:noescape
func dotsNEON(out *int32, n int, rows *byte, query *int16, dim int)

// sift is siftPlain, whose sums come from a kernel.
func sift(mask, rows, scales, losses []byte, code []int8, t *terms) {
	siftPlain(mask, rows, scales, losses, code, t)
}

// highDots is highDotsPlain, as fast as this machine can.
func highDots(out []int32, rows []byte, code []int8) {
	if len(out) > 0 {
		highDotsNEON(&out[0], len(out), &rows[0], &code[0], len(code))
	}
}

// highDotsNEON needs n > 0 and dim a multiple of 64 and more than 0.
//
//go:noescape
func highDotsNEON(out *int32, n int, rows *byte, code *int8, dim int)
