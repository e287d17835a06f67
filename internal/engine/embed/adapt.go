package embed

import (
	"cmp"
	"context"
)

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
