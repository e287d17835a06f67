//go:build purego || !(amd64 || arm64)

package vector

// dots is dotsPlain: there is no kernel for this machine.
func dots(out []int32, rows []halves, query []int16) { dotsPlain(out, rows, query) }

func sift(mask, rows, scales, losses []byte, code []int8, t *terms) {
	siftPlain(mask, rows, scales, losses, code, t)
}

func highDots(out []int32, rows []byte, code []int8) { highDotsPlain(out, rows, code) }
