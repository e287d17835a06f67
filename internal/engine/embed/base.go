package embed

// How the table that ships is made: pages are mined, the words that come in most
// of their texts get rows, rows start as a random direction as long as the word
// is rare, and training does the rest. MODEL_CARD.md has the command, the data
// and what came of it.
//
// A word's weight in choosing the vocabulary is the sum over sources of the root
// of the number of texts that have it: what many sources use a little counts
// more than what one uses a lot.

import (
	"cmp"
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
)

// BaseOptions tune TrainBase. The zero value is the recipe of the table that
// ships.
type BaseOptions struct {
	TrainOptions     // Epochs 0 means 4, Batch and Block 512, Rate 0.2, Seed 1
	Words        int // rows for words; 0 means 32,768
	Buckets      int // rows for all other words; 0 means 8,192
	PerSource    int // most pairs of a source; 0 means 15,000
}

func (o BaseOptions) withDefaults() BaseOptions {
	o.Epochs = cmp.Or(max(o.Epochs, 0), 4)
	o.Batch = cmp.Or(max(o.Batch, 0), 512)
	o.Block = cmp.Or(max(o.Block, 0), 512)
	o.Seed = cmp.Or(o.Seed, 1)
	o.Rate = cmp.Or(max(o.Rate, 0), 0.2)
	o.Words = cmp.Or(max(o.Words, 0), 32_768)
	o.Buckets = cmp.Or(max(o.Buckets, 0), 8_192)
	o.PerSource = cmp.Or(max(o.PerSource, 0), 15_000)
	o.TrainOptions = o.TrainOptions.withDefaults()
	return o
}

// TrainBase makes a table from pages, as Pages gives them. The same pages in the
// same order with the same options give the same bytes.
func TrainBase(ctx context.Context, pages iter.Seq2[Page, error], o BaseOptions) (*Table, error) {
	o = o.withDefaults()
	v := &vocabulary{numbers: map[string]uint32{}}
	c := newCorpus(v.number)
	rng := rand.NewPCG(o.Seed, 0x7061697273)
	source, named := "", false
	var mined []Triplet
	take := func() {
		shuffle(mined, rng)
		from := len(c.examples)
		for i := range mined[:min(len(mined), o.PerSource)] {
			c.add(&mined[i], v.sources)
		}
		v.count(c, c.examples[from:])
		mined = mined[:0]
	}
	for p, err := range pages {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if named && p.Source != source {
			take()
		}
		source, named = p.Source, true
		mined = append(mined, Mine(&p, 0)...)
	}
	take()
	if len(c.examples) == 0 {
		return nil, ErrNoPairs
	}
	words := v.choose(o.Words)
	df := v.renumber(c, words, o.Buckets)
	rows := start(df, len(c.examples), rand.NewPCG(o.Seed, 0x726f7773))
	if err := train(ctx, c, rows, o.TrainOptions); err != nil {
		return nil, err
	}
	return newTable(words, o.Buckets, rows)
}

// A vocabulary numbers words as they come.
type vocabulary struct {
	numbers map[string]uint32
	words   []string
	df      []uint32  // texts that have each word
	here    []uint32  // the same, of this source
	weight  []float32 // of each word in choosing
	sources uint32
}

func (v *vocabulary) number(word []byte) uint32 {
	if n, ok := v.numbers[string(word)]; ok {
		return n
	}
	n := uint32(len(v.words))
	w := string(word)
	v.numbers[w] = n
	v.words = append(v.words, w)
	v.df, v.here, v.weight = append(v.df, 0), append(v.here, 0), append(v.weight, 0)
	return n
}

// count takes in the answers of the examples of one source.
func (v *vocabulary) count(c *corpus, examples []example) {
	for _, e := range examples {
		for _, id := range c.ids[e.positive.from:e.positive.to] {
			v.here[id]++
		}
	}
	for id, n := range v.here {
		if n > 0 {
			v.df[id] += n
			v.weight[id] += float32(math.Sqrt(float64(n)))
			v.here[id] = 0
		}
	}
	v.sources++
}

// choose returns the n words with the most weight, at least two texts having
// them.
func (v *vocabulary) choose(n int) []string {
	var ids []uint32
	for id, df := range v.df {
		if df >= 2 {
			ids = append(ids, uint32(id))
		}
	}
	slices.SortFunc(ids, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(v.weight[b], v.weight[a]), cmp.Compare(v.words[a], v.words[b]))
	})
	ids = ids[:min(n, len(ids))]
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = v.words[id]
	}
	return words
}

// renumber gives the words of c the numbers of their rows, and returns how many
// texts have the words of each row.
func (v *vocabulary) renumber(c *corpus, words []string, buckets int) []uint32 {
	rows := make([]uint32, len(v.words))
	for id, w := range v.words {
		rows[id] = uint32(len(words) + int(hash([]byte(w))>>40)&(buckets-1))
	}
	for n, w := range words {
		rows[v.numbers[w]] = uint32(n)
	}
	df := make([]uint32, len(words)+buckets)
	for id, r := range rows {
		df[r] += v.df[id]
	}
	for i, id := range c.ids {
		c.ids[i] = rows[id]
	}
	return df
}

// start returns random rows as long as their words are rare among n texts.
func start(df []uint32, n int, rng *rand.PCG) []row {
	rows := make([]row, len(df))
	for r := range rows {
		x := ln(float32(n+1)/(float32(df[r])+0.5)) / 16 // 16 is the root of Dim
		x = max(x, 0.01)
		for k := 0; k < Dim; k += 64 {
			signs := rng.Uint64()
			for b := range 64 {
				rows[r][k+b] = x
				if signs>>b&1 == 1 {
					rows[r][k+b] = -x
				}
			}
		}
	}
	return rows
}
