//go:build !purego

package reranker

// fast is set: every arm64 has NEON. wide is for amd64.
var fast, wide = true, false

// The assembly does not look where slices end; the functions here do.

//go:noescape
func tileNEON(acc *int32, x *byte, rows, in int, w *byte, m *float32, b *int32, high int)

func tile(acc []int32, x []byte, fours int, l *linear, at int) {
	if !fast {
		tilePlain(acc, x, fours, l, at)
		return
	}
	w, m, b := l.w[at*l.in:][:group*l.in], l.m[at:][:group], l.b[at:][:group]
	_, _ = acc[4*fours*group-1], x[4*fours*l.in-1]
	tileNEON(&acc[0], &x[0], 4*fours, l.in, &w[0], &m[0], &b[0], int(l.high))
}

//go:noescape
func scoresNEON(out *int32, n int, q, k *int16, stride int)

func scores(out []int32, q, k []int16, stride int) {
	if !fast {
		scoresPlain(out, q, k, stride)
		return
	}
	_, _ = q[headSize-1], k[(len(out)-1)*stride+headSize-1]
	scoresNEON(&out[0], len(out), &q[0], &k[0], stride)
}

//go:noescape
func mixNEON(sums *int32, w *int16, pairs int, v *int16, stride int)

func mix(out []byte, w, v []int16, stride int, r float32) {
	if !fast {
		mixPlain(out, w, v, stride, r)
		return
	}
	var sums [headSize]int32
	_ = v[(len(w)/2-1)*stride+2*headSize-1]
	mixNEON(&sums[0], &w[0], len(w)/2, &v[0], stride)
	mixNEON(&sums[headSize/2], &w[0], len(w)/2, &v[headSize], stride)
	clipScaledPlain(out, sums[:], 0, r)
}
