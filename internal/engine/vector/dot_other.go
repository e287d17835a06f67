//go:build purego || !(amd64 || arm64)

package vector

// dots is dotsPlain: there is no kernel for this machine.
func dots(out []int32, rows []halves, query []int16) { dotsPlain(out, rows, query) }
