//go:build purego || !(amd64 || arm64)

package reranker

// There are no kernels for this machine.

const fast = false

func tile(acc []int32, x []byte, fours int, l *linear, at int) { tilePlain(acc, x, fours, l, at) }
func scores(out []int32, q, k []int16, stride int)             { scoresPlain(out, q, k, stride) }
func mix(out []byte, w, v []int16, stride int, r float32)      { mixPlain(out, w, v, stride, r) }
