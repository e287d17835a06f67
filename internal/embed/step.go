package embed

// One step of training. Every number is made by one goroutine in one order; the
// goroutines only divide which numbers each makes.
//
// With u the sum of a text's weighted rows, z = u/|u|, and g the gradient of the
// loss by z, a row's gradient is the sum over the texts that have it of
//
//	weight · (g - (g·z) z) / |u|

import (
	"math"
	"runtime"
	"sync"
)

const (
	sharpness = 20   // what cosines are multiplied by
	tiny      = 1e-4 // shares of a softmax below this move nothing
)

type trainer struct {
	c     *corpus
	rows  []row
	sums  []float32 // of each row's squared gradients
	batch int
	procs int

	texts  []bag // questions, then answers, then negatives
	z, g   []row
	length []float32
	like   []float32 // exp(s - 20), a row a question
	own    []float32 // of each question, the sum of its row
	other  []float32 // of each answer, the sum of its column
	use    uses
}

func newTrainer(c *corpus, rows []row, o TrainOptions) *trainer {
	return &trainer{
		c: c, rows: rows, sums: make([]float32, len(rows)), batch: o.Batch,
		procs: runtime.GOMAXPROCS(0), use: uses{slot: make([]int32, len(rows))},
	}
}

// step learns from some examples and returns their mean loss before.
func (t *trainer) step(order []int32, rate float32) float64 {
	n := len(order)
	t.texts = t.texts[:0]
	for _, i := range order {
		t.texts = append(t.texts, t.c.examples[i].query)
	}
	for _, i := range order {
		t.texts = append(t.texts, t.c.examples[i].positive)
	}
	for _, i := range order {
		t.texts = append(t.texts, t.c.examples[i].negatives...)
	}
	t.grow(n)
	t.each(len(t.texts), t.pool)
	t.each(n, func(i int) { t.compare(order, i) })
	loss := t.columns(order)
	t.each(n, func(i int) { t.pullQuestion(n, i) })
	t.each(len(t.texts)-n, func(j int) { t.pullAnswer(n, j) })
	t.use.collect(t.c, t.texts)
	t.each(len(t.use.rows), func(k int) { t.move(k, rate) })
	return loss
}

// grow makes room for a batch.
func (t *trainer) grow(n int) {
	m := len(t.texts)
	if len(t.z) < m {
		t.z, t.g, t.length = make([]row, m), make([]row, m), make([]float32, m)
	}
	if need := n * (m - n); len(t.like) < need {
		t.like = make([]float32, need)
	}
	if len(t.own) < n {
		t.own, t.other = make([]float32, n), make([]float32, n)
	}
}

// pool sets the unit vector of a text.
func (t *trainer) pool(i int) {
	z := &t.z[i]
	clear(z[:])
	b := t.texts[i]
	weights := weights()
	for k := b.from; k < b.to; k++ {
		add(z, float32(weights[t.c.tf[k]])/256, &t.rows[t.c.ids[k]])
	}
	length := max(float32(math.Sqrt(float64(dot(z, z)))), 1e-6)
	t.length[i] = length
	for k := range z {
		z[k] /= length
	}
}

// compare sets how like question i is to every answer and negative.
func (t *trainer) compare(order []int32, i int) {
	n, m := len(order), len(t.texts)-len(order)
	like := t.like[i*m:][:m]
	dots(like, &t.z[i], t.z[n:n+m])
	section := t.c.examples[order[i]].section
	sum := float32(0)
	for j := range like {
		if j != i && j < n && t.c.examples[order[j]].section == section {
			like[j] = 0
			continue
		}
		like[j] = exp(sharpness * (like[j] - 1))
		sum += like[j]
	}
	t.own[i] = sum
}

// columns sums up how like the answers are to all questions, and returns the
// mean loss.
func (t *trainer) columns(order []int32) float64 {
	n, m := len(order), len(t.texts)-len(order)
	clear(t.other[:n])
	for i := range n {
		for j, x := range t.like[i*m:][:n] {
			t.other[j] += x
		}
	}
	loss := 0.
	for i := range n {
		x := float64(t.like[i*m+i])
		loss -= math.Log(x/float64(t.own[i])) + math.Log(x/float64(t.other[i]))
	}
	return loss / float64(2*n)
}

// pull is the gradient by the likeness of question i and answer j, times a
// constant that AdaGrad takes out again.
func (t *trainer) pull(n, m, i, j int) float32 {
	x := t.like[i*m+j]
	share := x / t.own[i]
	if j < n {
		share += x / t.other[j]
	}
	if i == j {
		share -= 2
	}
	return share
}

func (t *trainer) pullQuestion(n, i int) {
	m := len(t.texts) - n
	g := &t.g[i]
	clear(g[:])
	for j := range m {
		if p := t.pull(n, m, i, j); p > tiny || p < -tiny {
			add(g, p, &t.z[n+j])
		}
	}
	t.project(i)
}

func (t *trainer) pullAnswer(n, j int) {
	m := len(t.texts) - n
	g := &t.g[n+j]
	clear(g[:])
	for i := range n {
		if p := t.pull(n, m, i, j); p > tiny || p < -tiny {
			add(g, p, &t.z[i])
		}
	}
	t.project(n + j)
}

// project turns the gradient by a unit vector into that by the sum it came from.
func (t *trainer) project(i int) {
	g, z := &t.g[i], &t.z[i]
	add(g, -dot(g, z), z)
	for k := range g {
		g[k] /= t.length[i]
	}
}

// move takes the step of a row.
func (t *trainer) move(k int, rate float32) {
	var g row
	for _, u := range t.use.of(k) {
		add(&g, u.weight, &t.g[u.text])
	}
	square := dot(&g, &g) / Dim
	if square == 0 {
		return
	}
	r := t.use.rows[k]
	t.sums[r] += square
	add(&t.rows[r], -rate/float32(math.Sqrt(float64(t.sums[r]))), &g)
}

// each calls f for 0 to n-1, on all processors.
func (t *trainer) each(n int, f func(int)) {
	if t.procs == 1 {
		for i := range n {
			f(i)
		}
		return
	}
	var wg sync.WaitGroup
	for p := range t.procs {
		wg.Go(func() {
			for i := p; i < n; i += t.procs {
				f(i)
			}
		})
	}
	wg.Wait()
}
