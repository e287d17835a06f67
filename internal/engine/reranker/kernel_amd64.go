//go:build !purego

package reranker

import "golang.org/x/sys/cpu"

// hasAVX2 also says that the system keeps the wide registers.
var hasAVX2 = cpu.X86.HasAVX2

// hasVNNI is for processors that add four products of bytes at once.
var hasVNNI = cpu.X86.HasAVX512F && cpu.X86.HasAVX512VNNI

// The assembly does not look where slices end; the functions here do.

//go:noescape
func tileAVX2(acc *int32, x *byte, fours, in int, w *byte, m *float32, b *int32)

//go:noescape
func tileVNNI(acc *int32, x *byte, fours, in int, w *byte, m *float32, b *int32)

func tile(acc []int32, x []byte, fours, in int, w []byte, m []float32, b []int32) {
	if !hasAVX2 {
		tilePlain(acc, x, fours, in, w, m, b)
		return
	}
	_, _, _, _, _ = acc[4*fours*group-1], x[4*fours*in-1], w[group*in-1], m[group-1], b[group-1]
	if hasVNNI {
		tileVNNI(&acc[0], &x[0], fours, in, &w[0], &m[0], &b[0])
		return
	}
	tileAVX2(&acc[0], &x[0], fours, in, &w[0], &m[0], &b[0])
}

//go:noescape
func clipBytesAVX2(out *byte, stride int, acc *int32, rows int)

func clipBytes(out []byte, stride int, acc []int32, rows int) {
	if !hasAVX2 {
		clipBytesPlain(out, stride, acc, rows)
		return
	}
	_, _ = out[(rows-1)*stride+group-1], acc[rows*group-1]
	clipBytesAVX2(&out[0], stride, &acc[0], rows)
}

//go:noescape
func clipWordsAVX2(out *int16, stride int, acc *int32, rows int)

func clipWords(out []int16, stride int, acc []int32, rows int) {
	if !hasAVX2 {
		clipWordsPlain(out, stride, acc, rows)
		return
	}
	_, _ = out[(rows-1)*stride+group-1], acc[rows*group-1]
	clipWordsAVX2(&out[0], stride, &acc[0], rows)
}

//go:noescape
func clipPairsAVX2(out *int16, stride int, acc *int32, pairs int)

func clipPairs(out []int16, stride int, acc []int32, pairs int) {
	if !hasAVX2 {
		clipPairsPlain(out, stride, acc, pairs)
		return
	}
	_, _ = out[(pairs-1)*stride+2*group-1], acc[2*pairs*group-1]
	clipPairsAVX2(&out[0], stride, &acc[0], pairs)
}

//go:noescape
func addRowsAVX2(x *int32, stride int, acc *int32, rows int)

func addRows(x []int32, stride int, acc []int32, rows int) {
	if !hasAVX2 {
		addRowsPlain(x, stride, acc, rows)
		return
	}
	_, _ = x[(rows-1)*stride+group-1], acc[rows*group-1]
	addRowsAVX2(&x[0], stride, &acc[0], rows)
}

//go:noescape
func momentsAVX2(x *int32, eights int) (sum, squares int64)

func moments(x []int32) (sum, squares int64) {
	if !hasAVX2 {
		return momentsPlain(x)
	}
	return momentsAVX2(&x[0], len(x)/8)
}

//go:noescape
func clipScaledAVX2(out *byte, x *int32, groups int, mean int32, r float32)

func clipScaled(out []byte, x []int32, mean int32, r float32) {
	if !hasAVX2 {
		clipScaledPlain(out, x, mean, r)
		return
	}
	_ = out[len(x)-1]
	clipScaledAVX2(&out[0], &x[0], len(x)/group, mean, r)
}

//go:noescape
func scoresAVX2(out *int32, eights int, q, k *int16, stride int)

func scores(out []int32, q, k []int16, stride int) {
	if !hasAVX2 {
		scoresPlain(out, q, k, stride)
		return
	}
	_, _ = q[headSize-1], k[(len(out)-1)*stride+headSize-1]
	scoresAVX2(&out[0], len(out)/8, &q[0], &k[0], stride)
}

//go:noescape
func weighAVX2(w *int16, dots *int32, eights int, power float32, limit int32, powers *int16) (sum int32)

func weigh(w []int16, dots []int32, power float32, powers []int16, limit int32) int32 {
	if !hasAVX2 {
		return weighPlain(w, dots, power, powers, limit)
	}
	_, _ = w[len(dots)-1], powers[limit+1]
	return weighAVX2(&w[0], &dots[0], len(dots)/8, power, limit, &powers[0])
}

//go:noescape
func mixAVX2(out *byte, w *int16, pairs int, v *int16, stride int, r float32)

func mix(out []byte, w, v []int16, stride int, r float32) {
	if !hasAVX2 {
		mixPlain(out, w, v, stride, r)
		return
	}
	_, _ = out[headSize-1], v[(len(w)/2-1)*stride+2*headSize-1]
	mixAVX2(&out[0], &w[0], len(w)/2, &v[0], stride, r)
}
