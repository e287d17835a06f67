package embed

// One step of training. Every number is made by one goroutine in one order; the
// goroutines only divide which numbers each makes.
//
// With u the sum of a text's weighted rows, z = u/|u|, and g the gradient of the
// loss by z, a row's gradient is the sum over the texts that have it of
//
//	weight · (g - (g·z) z) / |u|

import "math"

// tiny is the share of a softmax below which nothing moves.
const tiny = 1e-4

type trainer struct {
	c     *corpus
	words []part // of all bags
	rows  []row
	sums  []float32 // of each row's squared gradients

	texts    []bag    // questions, then answers, then negatives
	sections []uint64 // of the questions
	z, g     []row
	length   []float32
	like     []float32 // exp(s - 20), a row a question; then what pulls question and answer apart
	own      []float32 // of each question, the sum of its row
	other    []float32 // of each answer, the sum of its column
	use      uses
}

func newTrainer(c *corpus, rows []row) *trainer {
	words, weights := make([]part, len(c.ids)), weights()
	for i, id := range c.ids {
		words[i] = part{int32(id), float32(weights[c.tf[i]]) / 256}
	}
	return &trainer{
		c: c, words: words, rows: rows, sums: make([]float32, len(rows)),
		use: uses{slot: make([]int32, len(rows))},
	}
}

// step learns from some examples and returns their mean loss before.
func (t *trainer) step(order []int32, rate float32) float64 {
	n := len(order)
	t.texts = t.texts[:0]
	t.sections = t.sections[:0]
	for _, i := range order {
		t.texts = append(t.texts, t.c.examples[i].query)
		t.sections = append(t.sections, t.c.examples[i].section)
	}
	for _, i := range order {
		t.texts = append(t.texts, t.c.examples[i].positive)
	}
	for _, i := range order {
		t.texts = append(t.texts, t.c.examples[i].negatives...)
	}
	t.grow(n)
	each(len(t.texts), t.pool)
	each(n, func(i int) { t.compare(n, i) })
	loss := t.columns(n)
	each(n, func(i int) { t.pullQuestion(n, i) })
	each(len(t.texts)-n, func(j int) { t.pullAnswer(n, j) })
	t.use.collect(t.words, t.texts)
	each(len(t.use.rows), func(k int) { t.move(k, rate) })
	return loss
}

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
	z, b := &t.z[i], t.texts[i]
	gather(z, t.words[b.from:b.to], t.rows)
	t.length[i] = max(float32(math.Sqrt(float64(dot(z, z)))), 1e-6)
	divide(z, t.length[i])
}

// compare sets how like question i is to every answer and negative.
func (t *trainer) compare(n, i int) {
	m := len(t.texts) - n
	x := t.like[i*m:][:m]
	dots(x, &t.z[i], t.z[n:n+m])
	like(x)
	section := t.sections[i]
	for j, s := range t.sections {
		if s == section && j != i {
			x[j] = 0
		}
	}
	sum := float32(0)
	for _, x := range x {
		sum += x
	}
	t.own[i] = sum
}

// columns sums up how like the answers are to all questions, and returns the
// mean loss.
func (t *trainer) columns(n int) float64 {
	m := len(t.texts) - n
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

// pullQuestion sets the gradient of question i. What it is made of is the gradient
// by its likeness to each answer, times a constant that AdaGrad takes out again.
func (t *trainer) pullQuestion(n, i int) {
	m := len(t.texts) - n
	x := t.like[i*m:][:m]
	shares(x[:n], t.own[i], t.other[:n])
	for j := n; j < m; j++ {
		x[j] /= t.own[i]
	}
	x[i] -= 2
	list := make([]part, 0, 512)
	for j, p := range x {
		if p > tiny || p < -tiny {
			list = append(list, part{int32(n + j), p})
		}
	}
	t.pull(i, list)
}

// pullAnswer sets the gradient of answer or negative j, after all questions.
func (t *trainer) pullAnswer(n, j int) {
	m := len(t.texts) - n
	list := make([]part, 0, 512)
	for i := range n {
		if p := t.like[i*m+j]; p > tiny || p < -tiny {
			list = append(list, part{int32(i), p})
		}
	}
	t.pull(n+j, list)
}

// pull sets the gradient by the sum that a unit vector came from, given what other
// vectors have in the gradient by the unit vector.
func (t *trainer) pull(i int, list []part) {
	g, z := &t.g[i], &t.z[i]
	gather(g, list, t.z)
	add(g, -dot(g, z), z)
	divide(g, t.length[i])
}

func (t *trainer) move(k int, rate float32) {
	var g row
	gather(&g, t.use.of(k), t.g)
	square := float32(dot(&g, &g) / Dim)
	if square == 0 {
		return
	}
	r := t.use.rows[k]
	t.sums[r] += square
	add(&t.rows[r], -rate/float32(math.Sqrt(float64(t.sums[r]))), &g)
}

// uses tells which texts of a batch have a row, in the order of the texts.
type uses struct {
	rows []int32 // the rows in use, in the order they first came
	ends []int32 // where the uses of each end
	list []part  // texts, and the row's weight in each
	slot []int32 // of every row, its place in rows plus 1
	next []int32
}

// collect finds the uses of all rows by counting.
func (u *uses) collect(words []part, texts []bag) {
	for _, r := range u.rows {
		u.slot[r] = 0
	}
	u.rows, u.ends = u.rows[:0], u.ends[:0]
	total := 0
	for _, b := range texts {
		for _, w := range words[b.from:b.to] {
			slot := u.slot[w.row]
			if slot == 0 {
				u.rows = append(u.rows, w.row)
				u.ends = append(u.ends, 0)
				slot = int32(len(u.rows))
				u.slot[w.row] = slot
			}
			u.ends[slot-1]++
		}
		total += int(b.to - b.from)
	}
	u.next = append(u.next[:0], u.ends...)
	sum := int32(0)
	for k, n := range u.ends {
		u.next[k] = sum
		sum += n
		u.ends[k] = sum
	}
	if cap(u.list) < total {
		u.list = make([]part, total)
	}
	u.list = u.list[:total]
	for i, b := range texts {
		for _, w := range words[b.from:b.to] {
			slot := u.slot[w.row] - 1
			u.list[u.next[slot]] = part{int32(i), w.weight}
			u.next[slot]++
		}
	}
}

// of returns the uses of the k-th row in use.
func (u *uses) of(k int) []part {
	from := int32(0)
	if k > 0 {
		from = u.ends[k-1]
	}
	return u.list[from:u.ends[k]]
}
