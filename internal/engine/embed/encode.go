package embed

// How a text becomes a vector.
//
// A word that comes n times counts 1+ln n times: that it comes at all says most.
// Weights (in 1/256) and rows are integers, so sums are exact and do not depend on
// their order. The sum is then brought to 24 bits, and to int8 such that the largest
// number is 127. Everything up to there is integer arithmetic; the scale is one
// square root and one division, which every processor rounds alike.

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// A Model is a table, with or without a delta over it. It never changes and may
// be used by many goroutines at once.
type Model struct {
	table    *Table
	delta    *Delta
	encoders sync.Pool
}

// NewModel returns the model of a table and a delta made for it, which may be nil.
func NewModel(t *Table, d *Delta) (*Model, error) {
	if d != nil {
		if err := d.fits(t); err != nil {
			return nil, err
		}
	}
	return &Model{table: t, delta: d}, nil
}

// Fingerprint names the model: the table's, and after a plus sign the delta's.
func (m *Model) Fingerprint() string {
	if m.delta == nil {
		return m.table.Fingerprint()
	}
	return m.table.Fingerprint() + "+" + m.delta.Fingerprint()
}

// Delta returns the delta of the model, or nil.
func (m *Model) Delta() *Delta { return m.delta }

func (m *Model) row(n int) []byte {
	if m.delta != nil {
		if row := m.delta.row(n); row != nil {
			return row
		}
	}
	return m.table.row(n)
}

// Embed returns the vector of a text.
func (m *Model) Embed(text string) Vector {
	e, ok := m.encoders.Get().(*Encoder)
	if !ok {
		e = m.NewEncoder()
	}
	e.Add(text, 1)
	v := e.Vector()
	m.encoders.Put(e)
	return v
}

// An Encoder makes one vector after another in memory it keeps. It is for one
// goroutine.
type Encoder struct {
	model *Model
	split splitter
	count []uint16 // how often each row's words came
	rows  []int32  // those that came
	words Bag
	add   func([]byte)
	times uint16
	sum   [Dim]int64
}

// NewEncoder returns an encoder.
func (m *Model) NewEncoder() *Encoder {
	e := &Encoder{model: m, count: make([]uint16, m.table.Rows())}
	e.add = func(word []byte) {
		n := m.table.find(word)
		if e.count[n] == 0 {
			e.rows = append(e.rows, int32(n))
		}
		e.count[n] = min(e.count[n], maxCount) + e.times
	}
	return e
}

// maxCount is where counting stops to matter, and maxTimes the most a text can
// be made to count.
const (
	maxCount = 1000
	maxTimes = 20
)

// Add adds a text to the vector in the making, as if it were there
// times times: a heading says more than the text under it.
func (e *Encoder) Add(text string, times int) {
	e.times = uint16(min(max(times, 1), maxTimes))
	e.split.split(text, e.add)
}

// A Bag is the words of a text as a table numbers them, and how often each came:
// row<<bagBits | times. It is smaller than the text and fits any delta over the table.
type Bag []uint32

const bagBits = 9

// bag returns the bag of what was added since the last call, in memory of the
// encoder's.
func (e *Encoder) bag() Bag {
	e.words = e.words[:0]
	for _, n := range e.rows {
		e.words = append(e.words, uint32(n)<<bagBits|uint32(min(int(e.count[n]), mostTimes)))
		e.count[n] = 0
	}
	e.rows = e.rows[:0]
	return e.words
}

// Vector returns the vector of what was added since the last call.
func (e *Encoder) Vector() Vector { return e.Of(e.bag()) }

// Of returns the vector of a bag.
func (e *Encoder) Of(b Bag) Vector {
	clear(e.sum[:])
	weights := weights()
	for _, w := range b {
		addRow(&e.sum, e.model.row(int(w>>bagBits)), weights[w&(1<<bagBits-1)])
	}
	return quantise(&e.sum)
}

// Document returns the vector of a chunk of a document: the titles from the
// document down to the chunk, the chunk's own last, and its text. Every title
// counts twice and the last four times. It is what vectors are meant to be made
// of, for an index; a question is text alone.
func (e *Encoder) Document(titles []string, text string) Vector {
	e.document(titles, text)
	return e.Vector()
}

// Bag returns the bag that Document makes its vector of.
func (e *Encoder) Bag(titles []string, text string) Bag {
	e.document(titles, text)
	return slices.Clone(e.bag())
}

func (e *Encoder) document(titles []string, text string) {
	for i, t := range titles {
		if i == len(titles)-1 {
			e.Add(t, 2)
		}
		e.Add(t, 2)
	}
	e.Add(text, 1)
}

// quantise brings a sum to int8 at unit length.
func quantise(sum *[Dim]int64) Vector {
	peak := int64(0)
	for _, x := range sum {
		peak = max(peak, x, -x)
	}
	var v Vector
	if peak == 0 {
		return v
	}
	shift := max(bits.Len64(uint64(peak))-24, 0)
	half := uint32(peak >> shift) // below 1<<24, and so are the others: all fits into 32 bits, which divide faster
	for i, x := range sum {
		// Half a step is added to the size, then the fraction cut off.
		if x < 0 {
			v.Values[i] = -int8(min((uint32(-x>>shift)*254+half)/(2*half), 127))
		} else {
			v.Values[i] = int8(min((uint32(x>>shift)*254+half)/(2*half), 127))
		}
	}
	v.Scale = ScaleOf(&v.Values)
	return v
}

// A Tie is two words, one of a question and one of a text, and what they add to
// the likeness of the two.
type Tie struct {
	Query, Text string
	Share       float64 // of the cosine; all ties together are the cosine
}

// Explain returns the n ties that do most to make a text like a question,
// strongest first. Words that share a row go by the first of them.
func (m *Model) Explain(query, text string, n int) []Tie {
	q, t := m.termsOf(query), m.termsOf(text)
	size := lengthOf(q) * lengthOf(t)
	if size == 0 {
		return nil
	}
	var ties []Tie
	for i := range q {
		for k := range t {
			if share := float64(dot(&q[i].row, &t[k].row)) / size; share > 0 {
				ties = append(ties, Tie{q[i].word, t[k].word, share})
			}
		}
	}
	slices.SortFunc(ties, func(a, b Tie) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Query, b.Query), cmp.Compare(a.Text, b.Text))
	})
	return ties[:min(max(n, 0), len(ties))]
}

// A term is a word of a text and its part of the text's sum.
type term struct {
	word string
	row  row
}

// maxTerms bounds what an explanation looks at; a chunk has fewer.
const maxTerms = 1000

func (m *Model) termsOf(text string) []term {
	at := map[int]int{}
	var terms []term
	var counts []int
	var s splitter
	s.split(text, func(word []byte) {
		n := m.table.find(word)
		i, known := at[n]
		if !known {
			if len(terms) == maxTerms {
				return
			}
			i, at[n] = len(terms), len(terms)
			terms, counts = append(terms, term{word: string(word)}), append(counts, 0)
			readRow(&terms[i].row, m.row(n))
		}
		counts[i]++
	})
	weights := weights()
	for i := range terms {
		w := float32(weights[min(counts[i], len(weights)-1)]) / 256
		for k := range terms[i].row {
			terms[i].row[k] *= w
		}
	}
	return terms
}

func lengthOf(terms []term) float64 {
	var sum row
	for i := range terms {
		add(&sum, 1, &terms[i].row)
	}
	return math.Sqrt(float64(dot(&sum, &sum)))
}
