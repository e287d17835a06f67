//go:build !purego

package reranker

import (
	"bytes"

	"golang.org/x/sys/cpu"
)

// fast is whether processor and system have AVX2; wide, whether the processor can
// also add four products of bytes at once.
var (
	fast = cpu.X86.HasAVX2
	wide = cpu.X86.HasAVX512F && cpu.X86.HasAVX512VNNI
)

// The assembly does not look where slices end; the functions here do.

//go:noescape
func tileAVX2(acc *int32, x *byte, fours, in int, w *byte, m *float32, lower *int32)

//go:noescape
func tileVNNI(acc *int32, x *byte, fours, in int, w *byte, m *float32, lower *int32)

func tile(acc []int32, x []byte, fours int, l *linear, at int) {
	if !fast {
		tilePlain(acc, x, fours, l, at)
		return
	}
	w, m, lower := l.w[at*l.in:][:group*l.in], l.m[at:][:group], l.lower[at:][:group]
	_, _ = acc[4*fours*group-1], x[4*fours*l.in-1]
	if wide {
		tileVNNI(&acc[0], &x[0], fours, l.in, &w[0], &m[0], &lower[0])
		return
	}
	tileAVX2(&acc[0], &x[0], fours, l.in, &w[0], &m[0], &lower[0])
}

// prepare sets what b is for inputs that are stored too high. A row of ones gives
// the sum of each output's weights.
func prepare(l *linear) {
	sums := linear{in: l.in, out: l.out, w: l.w, m: make([]float32, l.out), b: make([]int32, l.out), lower: make([]int32, l.out)}
	for i := range sums.m {
		sums.m[i] = 1
	}
	l.lower = make([]int32, l.out)
	ones, acc := bytes.Repeat([]byte{1}, 4*l.in), make([]int32, 4*group)
	for at := 0; at < l.out; at += group {
		tile(acc, ones, 1, &sums, at)
		for i := range group {
			l.lower[at+i] = l.b[at+i] - l.high*acc[i]
		}
	}
}

//go:noescape
func clipBytesAVX2(out *byte, stride int, acc *int32, rows int)

func clipBytes(out []byte, stride int, acc []int32, rows int) {
	if !fast {
		clipBytesPlain(out, stride, acc, rows)
		return
	}
	_, _ = out[(rows-1)*stride+group-1], acc[rows*group-1]
	clipBytesAVX2(&out[0], stride, &acc[0], rows)
}

//go:noescape
func clipWordsAVX2(out *int16, stride int, acc *int32, rows int)

func clipWords(out []int16, stride int, acc []int32, rows int) {
	if !fast {
		clipWordsPlain(out, stride, acc, rows)
		return
	}
	_, _ = out[(rows-1)*stride+group-1], acc[rows*group-1]
	clipWordsAVX2(&out[0], stride, &acc[0], rows)
}

//go:noescape
func clipPairsAVX2(out *int16, stride int, acc *int32, pairs int)

func clipPairs(out []int16, stride int, acc []int32, pairs int) {
	if !fast {
		clipPairsPlain(out, stride, acc, pairs)
		return
	}
	_, _ = out[(pairs-1)*stride+2*group-1], acc[2*pairs*group-1]
	clipPairsAVX2(&out[0], stride, &acc[0], pairs)
}

//go:noescape
func addRowsAVX2(x *int32, stride int, acc *int32, rows int)

func addRows(x []int32, stride int, acc []int32, rows int) {
	if !fast {
		addRowsPlain(x, stride, acc, rows)
		return
	}
	_, _ = x[(rows-1)*stride+group-1], acc[rows*group-1]
	addRowsAVX2(&x[0], stride, &acc[0], rows)
}

//go:noescape
func momentsAVX2(x *int32, eights int) (sum, squares int64)

func moments(x []int32) (sum, squares int64) {
	if !fast {
		return momentsPlain(x)
	}
	return momentsAVX2(&x[0], len(x)/8)
}

//go:noescape
func clipScaledAVX2(out *byte, x *int32, groups int, mean int32, r float32)

func clipScaled(out []byte, x []int32, mean int32, r float32) {
	if !fast {
		clipScaledPlain(out, x, mean, r)
		return
	}
	_ = out[len(x)-1]
	clipScaledAVX2(&out[0], &x[0], len(x)/group, mean, r)
}

//go:noescape
func scoresAVX2(out *int32, eights int, q, k *int16, stride int)

func scores(out []int32, q, k []int16, stride int) {
	if !fast {
		scoresPlain(out, q, k, stride)
		return
	}
	_, _ = q[headSize-1], k[(len(out)-1)*stride+headSize-1]
	scoresAVX2(&out[0], len(out)/8, &q[0], &k[0], stride)
}

//go:noescape
func weighAVX2(w *int16, dots *int32, eights int, power float32, limit int32, powers *int16) (sum int32)

func weigh(w []int16, dots []int32, power float32, powers []int16, limit int32) int32 {
	if !fast {
		return weighPlain(w, dots, power, powers, limit)
	}
	_, _ = w[len(dots)-1], powers[limit+1]
	return weighAVX2(&w[0], &dots[0], len(dots)/8, power, limit, &powers[0])
}

//go:noescape
func mixAVX2(out *byte, w *int16, pairs int, v *int16, stride int, r float32)

func mix(out []byte, w, v []int16, stride int, r float32) {
	if !fast {
		mixPlain(out, w, v, stride, r)
		return
	}
	_, _ = out[headSize-1], v[(len(w)/2-1)*stride+2*headSize-1]
	mixAVX2(&out[0], &w[0], len(w)/2, &v[0], stride, r)
}
