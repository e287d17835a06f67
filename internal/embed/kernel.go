package embed

// The two loops that training spends its time in. On amd64 with AVX2 they are
// assembly (kernel_amd64.s); elsewhere, and in the tests as the twin of that, the
// functions here. Both add in the same order and round every product, so they
// give the same bits: eight sums, of the dimensions that leave the same remainder
// by eight, added up in halves.

type row = [Dim]float32

// dotsPlain sets out[i] to the product of q and the i-th of some rows.
func dotsPlain(out []float32, q *row, rows []row) {
	for i := range out {
		out[i] = dot(q, &rows[i])
	}
}

func dot(a, b *row) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for i := 0; i < Dim; i += 8 {
		s0 += float32(a[i] * b[i])
		s1 += float32(a[i+1] * b[i+1])
		s2 += float32(a[i+2] * b[i+2])
		s3 += float32(a[i+3] * b[i+3])
		s4 += float32(a[i+4] * b[i+4])
		s5 += float32(a[i+5] * b[i+5])
		s6 += float32(a[i+6] * b[i+6])
		s7 += float32(a[i+7] * b[i+7])
	}
	return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
}

// addPlain adds x times a row to y.
func addPlain(y *row, x float32, r *row) {
	for i := 0; i < Dim; i += 4 {
		y[i] += float32(x * r[i])
		y[i+1] += float32(x * r[i+1])
		y[i+2] += float32(x * r[i+2])
		y[i+3] += float32(x * r[i+3])
	}
}
