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

// sift is siftPlain, as fast as this machine can.
func sift(mask, rows, scales, losses []byte, code []int8, t *terms) {
	if hasAVX2 && len(mask) > 0 {
		siftAVX2(&mask[0], len(mask), &rows[0], &scales[0], &losses[0], &code[0], len(code), t)
		return
	}
	siftPlain(mask, rows, scales, losses, code, t)
}

func highDots(out []int32, rows []byte, code []int8) { highDotsPlain(out, rows, code) }

// siftAVX2 needs n > 0 and dim a multiple of 64 and more than 0.
//
//go:noescape
func siftAVX2(mask *byte, n int, rows, scales, losses *byte, code *int8, dim int, t *terms)
