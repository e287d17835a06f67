//go:build purego || !amd64

package reranker

// There are no kernels of these for this machine.

func prepare(*linear) {}

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

func weigh(w []int16, dots []int32, power float32, powers []int16, limit int32) int32 {
	return weighPlain(w, dots, power, powers, limit)
}
