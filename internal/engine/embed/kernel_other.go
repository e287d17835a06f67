//go:build !amd64

package embed

func dots(out []float32, q *row, rows []row) { dotsPlain(out, q, rows) }

func add(y *row, x float32, r *row) { addPlain(y, x, r) }

func addRow(sum *[Dim]int64, row []byte, weight int64) { addRowPlain(sum, row, weight) }

func dot(a, b *row) float32 { return dotPlain(a, b) }

func gather(y *row, list []part, rows []row) { gatherPlain(y, list, rows) }

func divide(y *row, by float32) { dividePlain(y, by) }

func like(x []float32) { likePlain(x) }

func shares(x []float32, own float32, other []float32) { sharesPlain(x, own, other) }

func steps(to *laneSteps, x *lanes, scales *[groups]float32) { stepsPlain(to, x, scales) }

func losses(to *[groups]float32, x *lanes, scales *[groups]float32) { lossesPlain(to, x, scales) }
