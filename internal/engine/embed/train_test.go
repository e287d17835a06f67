package embed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// two vocabularies that mean the same: word i of one is asked for, word i of the
// other answers.
func twoTongues(n int) []Triplet {
	rng := rand.New(rand.NewPCG(3, 4))
	var out []Triplet
	for range n {
		var q, p []string
		for range 3 {
			w := rng.IntN(40)
			q, p = append(q, fmt.Sprint("ask", w)), append(p, fmt.Sprint("tell", w))
		}
		out = append(out, Triplet{Query: strings.Join(q, " "), Positive: strings.Join(p, " ") + " the end"})
	}
	return out
}

func tongueTable(t testing.TB) *Table {
	var words []string
	for i := range 40 {
		words = append(words, fmt.Sprint("ask", i), fmt.Sprint("tell", i))
	}
	return someTable(t, 16, append(words, "the", "end")...)
}

// Words that nothing but the triplets connect come to lie together.
func TestTrainLearnsWhatGoesTogether(t *testing.T) {
	table := tongueTable(t)
	first, last := 0., 0.
	d, err := Train(context.Background(), table, twoTongues(2000), TrainOptions{Epochs: 4, Batch: 64, Progress: func(p Progress) {
		if p.Step == 1 {
			first = p.Loss
		}
		last = p.Loss
	}})
	if err != nil {
		t.Fatal(err)
	}
	if last > first/2 {
		t.Errorf("the loss went from %.3f to %.3f", first, last)
	}
	m, err := NewModel(table, d)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		q, best, most := m.Embed(fmt.Sprint("ask", i)), -1, float32(-2)
		for k := range 40 {
			v := m.Embed(fmt.Sprint("tell", k))
			if c := Cosine(&q, &v); c > most {
				best, most = k, c
			}
		}
		if best != i {
			t.Errorf("ask%d leads to tell%d", i, best)
		}
	}
}

// Neither the number of processors nor the day changes a byte.
func TestTrainIsDeterministic(t *testing.T) {
	table, triplets := tongueTable(t), twoTongues(300)
	for i := range triplets {
		triplets[i].Negatives = []string{triplets[(i+1)%300].Positive}
	}
	var want []byte
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 3, 7} {
		runtime.GOMAXPROCS(procs)
		d, err := Train(context.Background(), table, triplets, TrainOptions{Epochs: 2, Batch: 50, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = d.Bytes()
		}
		if !bytes.Equal(d.Bytes(), want) {
			t.Errorf("%d processors give other bytes", procs)
		}
	}
	d, err := Train(context.Background(), table, triplets, TrainOptions{Epochs: 2, Batch: 50, Seed: 6})
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(d.Bytes(), want) {
		t.Error("the seed changes nothing")
	}
}

// The gradient is that of the loss: a small change of a row changes the loss as
// the gradient says.
func TestGradient(t *testing.T) {
	words := map[string]uint32{}
	c := newCorpus(func(w []byte) uint32 {
		if _, ok := words[string(w)]; !ok {
			words[string(w)] = uint32(len(words))
		}
		return words[string(w)]
	})
	for _, x := range []Triplet{
		{Query: "a b", Positive: "c d d e", Negatives: []string{"f g", "a h"}},
		{Query: "b i", Positive: "j c", section: 7},
		{Query: "k a", Positive: "l m d", section: 7},
		{Query: "n", Positive: "o a", Negatives: []string{"c e"}},
	} {
		c.add(&x, 0)
	}
	order := []int32{0, 1, 2, 3}
	rows := someRows(len(words), 9)
	lossOf := func() float64 {
		tr := newTrainer(c, append([]row(nil), rows...))
		return tr.step(order, 0)
	}
	tr := newTrainer(c, append([]row(nil), rows...))
	tr.step(order, 0)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 40 {
		k := rng.IntN(len(tr.use.rows))
		var g row
		for _, u := range tr.use.of(k) {
			add(&g, u.weight, &tr.g[u.row])
		}
		r := tr.use.rows[k]
		// along the gradient itself, where the change is largest
		length := math.Sqrt(float64(dot(&g, &g)))
		const h = 1e-2
		before := rows[r]
		add(&rows[r], float32(h/length), &g)
		up := lossOf()
		rows[r] = before
		add(&rows[r], -float32(h/length), &g)
		down := lossOf()
		rows[r] = before
		got := (up - down) / (2 * h)
		want := length * sharpness / float64(2*len(order))
		if math.Abs(got-want) > 0.02*want+1e-4 {
			t.Errorf("row %d: the loss rises by %.5f, the gradient says %.5f", r, got, want)
		}
	}
}

// Answers of the same section are not pushed away from each other's questions.
func TestSameSectionIsNoWrongAnswer(t *testing.T) {
	loss := func(a, b uint64) float64 {
		words := map[string]uint32{}
		c := newCorpus(func(w []byte) uint32 {
			if _, ok := words[string(w)]; !ok {
				words[string(w)] = uint32(len(words))
			}
			return words[string(w)]
		})
		c.add(&Triplet{Query: "a", Positive: "b c", section: a}, 0)
		c.add(&Triplet{Query: "a d", Positive: "b c", section: b}, 0)
		return newTrainer(c, someRows(len(words), 1)).step([]int32{0, 1}, 0)
	}
	if got := loss(1, 1); got != 0 {
		t.Errorf("loss %g", got)
	}
	if got := loss(1, 2); got < 0.1 {
		t.Errorf("loss %g although the sections differ", got)
	}
}

func TestTrainStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	steps := 0
	_, err := Train(ctx, tongueTable(t), twoTongues(200), TrainOptions{Batch: 10, Progress: func(p Progress) {
		if steps++; p.Step == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || steps != 3 {
		t.Errorf("%v after %d steps", err, steps)
	}
}

func TestTrainOnNothing(t *testing.T) {
	table := tongueTable(t)
	for name, triplets := range map[string][]Triplet{
		"no triplets":   nil,
		"no words":      {{Query: "...", Positive: "ask1"}, {Query: "ask1", Positive: " - "}},
		"a single pair": {{Query: "ask1", Positive: "tell1"}},
	} {
		if _, err := Train(context.Background(), table, triplets, TrainOptions{}); !errors.Is(err, ErrNoPairs) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Only what the triplets hold is changed, so only that is stored.
func TestDeltaHoldsOnlyWhatWasTrained(t *testing.T) {
	d, err := Train(context.Background(), tongueTable(t), []Triplet{
		{Query: "ask1", Positive: "tell1"}, {Query: "ask2", Positive: "tell2"},
	}, TrainOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Rows() != 4 {
		t.Errorf("%d rows", d.Rows())
	}
}

// Examples of one source stand together, and all are there.
func TestArrange(t *testing.T) {
	var examples []example
	for i := range 100 {
		examples = append(examples, example{source: uint32(i % 3)})
	}
	order := arrange(examples, 4, rand.NewPCG(1, 1))
	seen := map[int32]bool{}
	changes := 0
	for i, n := range order {
		seen[n] = true
		if i > 0 && examples[n].source != examples[order[i-1]].source {
			changes++
		}
	}
	if len(order) != 100 || len(seen) != 100 {
		t.Errorf("%d examples, %d of them different", len(order), len(seen))
	}
	if changes > 27 {
		t.Errorf("the source changes %d times", changes)
	}
}

// 10,000 triplets, three times: what "docent train" does.
func BenchmarkTrain(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	table := Base()
	text := func(n int) string {
		var words []string
		for range n {
			words = append(words, string(table.word(int(float64(table.words)*math.Pow(rng.Float64(), 3)))))
		}
		return strings.Join(words, " ")
	}
	var triplets []Triplet
	for range 10_000 {
		triplets = append(triplets, Triplet{Query: text(10), Positive: text(120), Negatives: []string{text(120)}})
	}
	for b.Loop() {
		if _, err := Train(context.Background(), table, triplets, TrainOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
