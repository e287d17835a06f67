//go:build !purego

package vector

import "golang.org/x/sys/cpu"

// hasAVX2 also says that the system keeps the wide registers.
var hasAVX2 = cpu.X86.HasAVX2

// dots is dotsPlain, as fast as this machine can.
func dots(out []int32, rows []halves, query []int16) {
	switch {
	case len(rows) == 0:
	case hasAVX2:
		dotsAVX2(&out[0], len(rows), &rows[0], &query[0], len(query))
	default:
		dotsPlain(out, rows, query)
	}
}

// dotsAVX2 needs n > 0 and dim a multiple of 64 and more than 0.
//
//go:noescape
func dotsAVX2(out *int32, n int, rows *halves, query *int16, dim int)
