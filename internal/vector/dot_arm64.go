//go:build !purego

package vector

// dots is dotsPlain, as fast as this machine can. Every arm64 has NEON.
func dots(out []int32, rows []byte, query []int16) {
	if len(out) > 0 {
		dotsNEON(&out[0], len(out), &rows[0], &query[0], len(query))
	}
}

// dotsNEON needs n > 0 and dim a multiple of 32 and more than 0.
//
//go:noescape
func dotsNEON(out *int32, n int, rows *byte, query *int16, dim int)
