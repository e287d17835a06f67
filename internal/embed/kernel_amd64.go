package embed

import "golang.org/x/sys/cpu"

// hasAVX2 is whether processor and system have what the assembly needs. The
// processor is asked once for all packages: under a hypervisor that takes a while.
var hasAVX2 = cpu.X86.HasAVX2

//go:noescape
func dotsAVX2(out *float32, n int, q, rows *row)

//go:noescape
func addAVX2(y *row, x float32, r *row)

func dots(out []float32, q *row, rows []row) {
	if !hasAVX2 {
		dotsPlain(out, q, rows)
		return
	}
	if len(out) > 0 {
		_ = rows[len(out)-1]
		dotsAVX2(&out[0], len(out), q, &rows[0])
	}
}

func add(y *row, x float32, r *row) {
	if !hasAVX2 {
		addPlain(y, x, r)
		return
	}
	addAVX2(y, x, r)
}
