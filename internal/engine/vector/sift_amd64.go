//go:build !purego

package vector

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
