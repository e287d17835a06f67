//go:build purego || !amd64

package reranker

// There are no kernels for this machine.

func tile(acc []int32, x []byte, fours, in int, w []byte, m []float32, b []int32) {
	tilePlain(acc, x, fours, in, w, m, b)
}

func clipBytes(out []byte, stride int, acc []int32, rows int) { clipBytesPlain(out, stride, acc, rows) }

func clipWords(out []int16, stride int, acc []int32, rows int) {
	clipWordsPlain(out, stride, acc, rows)
}

func clipPairs(out []int16, stride int, acc []int32, pairs int) {
	clipPairsPlain(out, stride, acc, pairs)
}
func addRows(x []int32, stride int, acc []int32, rows int)    { addRowsPlain(x, stride, acc, rows) }
func moments(x []int32) (sum, squares int64)                  { return momentsPlain(x) }
func clipScaled(out []byte, x []int32, mean int32, r float32) { clipScaledPlain(out, x, mean, r) }
func scores(out []int32, q, k []int16, stride int)            { scoresPlain(out, q, k, stride) }
func mix(out []byte, w, v []int16, stride int, r float32)     { mixPlain(out, w, v, stride, r) }

func weigh(w []int16, dots []int32, power float32, powers []int16, limit int32) int32 {
	return weighPlain(w, dots, power, powers, limit)
}
