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
