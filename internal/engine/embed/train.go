package embed

// Training makes the vector of a question and that of its answer alike, and the
// question unlike all other texts of its batch, and the answer unlike all other
// questions: MultipleNegativesRankingLoss in both directions. With z the unit
// vectors of the texts of a batch of n, and s = 20 times their cosines,
//
//	loss = mean of  -ln softmax(s, question i over all answers and negatives)[i]
//	            and -ln softmax(s, answer i over all questions)[i]
//
// Answers from the same section as the right one do not count as wrong.
//
// A row's step is its gradient, divided by the root of the sum of the mean
// squares of all its gradients so far (AdaGrad by rows), times the rate, which
// falls to a tenth over the run: frequent words settle early, rare ones still
// move.
//
// A batch is made of blocks of examples of one source. Texts of one manual are
// harder to tell apart than those of many, and telling them apart is what search
// in a manual needs. Of blocks of 8, 64 and 512 the largest did best on questions
// in other words, by a little; on the rest they did not differ.

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// Progress is what training tells while it runs.
type Progress struct {
	Epoch, Epochs int
	Step, Steps   int     // batches done and in all
	Loss          float64 // mean over the last batches
}

// TrainOptions tune training. The zero value is a good default.
type TrainOptions struct {
	Epochs   int            // rounds over all triplets; 0 means 3
	Batch    int            // triplets at a time; 0 means 256
	Block    int            // of one source in a row; 0 means 64
	Rate     float32        // how far rows move; 0 means 0.05
	Seed     uint64         // of the order of triplets
	Progress func(Progress) // may be nil
}

func (o TrainOptions) withDefaults() TrainOptions {
	o.Epochs = cmp.Or(max(o.Epochs, 0), 3)
	o.Batch = cmp.Or(max(o.Batch, 0), 256)
	o.Block = cmp.Or(max(o.Block, 0), 64)
	o.Rate = cmp.Or(max(o.Rate, 0), 0.05)
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	return o
}

// ErrNoPairs is returned when there is nothing to learn from.
var ErrNoPairs = errors.New("train: no triplet has words on both sides")

// train moves rows, which the words of c number, by the examples of c. It always
// takes the same steps, whatever the number of processors.
func train(ctx context.Context, c *corpus, rows []row, o TrainOptions) error {
	if len(c.examples) < 2 {
		return ErrNoPairs
	}
	rng := rand.NewPCG(o.Seed, 0x646f63656e74)
	t := newTrainer(c, rows)
	steps := (len(c.examples) + o.Batch - 1) / o.Batch * o.Epochs
	loss, done := 0., 0
	for epoch := range o.Epochs {
		for batch := range slices.Chunk(arrange(c.examples, o.Block, rng), o.Batch) {
			if err := ctx.Err(); err != nil {
				return err
			}
			rate := o.Rate * (1 - float32(0.9*float32(float32(done)/float32(steps))))
			l := t.step(batch, rate)
			done++
			loss += (l - loss) / min(float64(done), 20)
			o.Progress(Progress{epoch + 1, o.Epochs, done, steps, loss})
		}
	}
	return nil
}

// arrange returns the numbers of the examples in random order, but block
// of one source in a row.
func arrange(examples []example, block int, rng *rand.PCG) []int32 {
	bySource := map[uint32][]int32{}
	var sources []uint32
	for i, e := range examples {
		if bySource[e.source] == nil {
			sources = append(sources, e.source)
		}
		bySource[e.source] = append(bySource[e.source], int32(i))
	}
	var blocks [][]int32
	for _, s := range sources {
		list := bySource[s]
		shuffle(list, rng)
		blocks = slices.AppendSeq(blocks, slices.Chunk(list, block))
	}
	shuffle(blocks, rng)
	return slices.Concat(blocks...)
}

// shuffle is written out because the order is part of the recipe, and the one
// of the standard library may change.
func shuffle[T any](list []T, rng *rand.PCG) {
	for i := len(list) - 1; i > 0; i-- {
		j := int((rng.Uint64() >> 32) * uint64(i+1) >> 32)
		list[i], list[j] = list[j], list[i]
	}
}

// MinSections is from how many sections on it pays to adapt the table to a
// corpus: with fewer there is too little to learn from.
const MinSections = 300

// WorthAdapting reports whether a corpus of that many sections has enough to learn
// from.
func WorthAdapting(sections int) bool { return sections >= MinSections }

// Train returns the rows of a table that learning from triplets changes.
func Train(ctx context.Context, t *Table, triplets []Triplet, o TrainOptions) (*Delta, error) {
	c := newCorpus(func(word []byte) uint32 { return uint32(t.find(word)) })
	for i := range triplets {
		c.add(&triplets[i], 0)
	}
	return trainDelta(ctx, t, c, o.withDefaults())
}

func trainDelta(ctx context.Context, t *Table, c *corpus, o TrainOptions) (*Delta, error) {
	numbers := c.compact()
	rows := make([]row, len(numbers))
	for i, n := range numbers {
		readRow(&rows[i], t.row(n))
	}
	if err := train(ctx, c, rows, o); err != nil {
		return nil, err
	}
	return newDelta(t, numbers, rows)
}

// AdaptOptions tune adapting. The zero value is a good default.
type AdaptOptions struct {
	TrainOptions     // Epochs 0 means 2 or 1, see Visits; Rate 0 means 0.15
	Visits       int // pairs looked at in all epochs together; 0 means 60,000
}

// Adapt returns the rows of a table that learning from a corpus changes. The
// pages should come in the order of their paths: the result depends on it.
//
// It takes a CPU-second or so at most, whatever the size of the corpus: a small one
// is read twice, a larger one once, and of one with more pairs than Visits an even
// sample is read once. For the same work, more pairs read less often teach more than
// fewer read more often; reading a small one four times instead of twice gains
// nothing that a second run would not lose (MODEL_CARD.md).
func Adapt(ctx context.Context, t *Table, pages []Page, o AdaptOptions) (*Delta, error) {
	o.Visits = cmp.Or(max(o.Visits, 0), 60_000)
	o.Rate = cmp.Or(max(o.Rate, 0), 0.15)
	var all []Triplet
	for i := range pages {
		all = append(all, Mine(&pages[i], 0)...)
	}
	n := min(len(all), o.Visits)
	if o.Epochs <= 0 && n > 0 {
		o.Epochs = min(max((o.Visits+n/2)/n, 1), 2)
	}
	c := newCorpus(func(word []byte) uint32 { return uint32(t.find(word)) })
	for i := range n {
		c.add(&all[i*len(all)/n], 0)
	}
	return trainDelta(ctx, t, c, o.TrainOptions.withDefaults())
}

// each calls f for 0 to n-1, on all processors.
func each(n int, f func(int)) {
	procs := runtime.GOMAXPROCS(0)
	if procs == 1 {
		for i := range n {
			f(i)
		}
		return
	}
	var wg sync.WaitGroup
	for p := range procs {
		wg.Go(func() {
			for i := p; i < n; i += procs {
				f(i)
			}
		})
	}
	wg.Wait()
}
