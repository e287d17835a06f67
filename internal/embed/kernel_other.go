//go:build !amd64

package embed

func dots(out []float32, q *row, rows []row) { dotsPlain(out, q, rows) }

func add(y *row, x float32, r *row) { addPlain(y, x, r) }
