package embed

import (
	"math"

	"golang.org/x/sys/cpu"
)

// hasAVX2 is whether processor and system have what the assembly needs. The
// processor is asked once for all packages: under a hypervisor that takes a while.
var hasAVX2 = cpu.X86.HasAVX2

//go:noescape
func dotsAVX2(out *float32, n int, q, rows *row)

//go:noescape
func addAVX2(y *row, x float32, r *row)

//go:noescape
func gatherAVX2(y *row, list *part, n int, rows *row)

//go:noescape
func divideAVX2(y *row, by float32)

//go:noescape
func likeAVX2(x *float32, eights int, c *[11]float32)

//go:noescape
func sharesAVX2(x *float32, eights int, own float32, other *float32)

//go:noescape
func lossesAVX2(losses *[groups]float32, x *lanes, scales *[groups]float32)

//go:noescape
func addRowAVX2(sum *[Dim]int64, row *byte, weight int32)

func addRow(sum *[Dim]int64, row []byte, weight int64) {
	if !hasAVX2 {
		addRowPlain(sum, row, weight)
		return
	}
	_ = row[rowBytes-1]
	addRowAVX2(sum, &row[0], int32(weight))
}

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

func dot(a, b *row) float32 {
	if !hasAVX2 {
		return dotPlain(a, b)
	}
	var out float32
	dotsAVX2(&out, 1, a, b)
	return out
}

func add(y *row, x float32, r *row) {
	if !hasAVX2 {
		addPlain(y, x, r)
		return
	}
	addAVX2(y, x, r)
}

// gather needs the numbers in list to be those of rows: the assembly does not
// look.
func gather(y *row, list []part, rows []row) {
	if !hasAVX2 || len(list) == 0 {
		gatherPlain(y, list, rows)
		return
	}
	gatherAVX2(y, &list[0], len(list), &rows[0])
}

func divide(y *row, by float32) {
	if !hasAVX2 {
		dividePlain(y, by)
		return
	}
	divideAVX2(y, by)
}

// likeConstants are what likeAVX2 takes; the last is an integer.
var likeConstants = [11]float32{
	1, sharpness, math.Log2E, ln2High, ln2Low,
	1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, math.Float32frombits(127),
}

func like(x []float32) {
	n := 0
	if hasAVX2 && len(x) >= 8 {
		n = len(x) &^ 7
		likeAVX2(&x[0], n/8, &likeConstants)
	}
	likePlain(x[n:])
}

func shares(x []float32, own float32, other []float32) {
	n := 0
	if hasAVX2 && len(x) >= 8 {
		n = len(x) &^ 7
		_ = other[n-1]
		sharesAVX2(&x[0], n/8, own, &other[0])
	}
	sharesPlain(x[n:], own, other[n:])
}

//go:noescape
func stepsAVX2(to *laneSteps, x *lanes, scales *[groups]float32)

func steps(to *laneSteps, x *lanes, scales *[groups]float32) {
	if !hasAVX2 {
		stepsPlain(to, x, scales)
		return
	}
	stepsAVX2(to, x, scales)
}

func losses(to *[groups]float32, x *lanes, scales *[groups]float32) {
	if !hasAVX2 {
		lossesPlain(to, x, scales)
		return
	}
	lossesAVX2(to, x, scales)
}
