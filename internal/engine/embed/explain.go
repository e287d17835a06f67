package embed

import (
	"cmp"
	"math"
	"slices"
)

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

// lengthOf is the length of the sum of terms.
func lengthOf(terms []term) float64 {
	var sum row
	for i := range terms {
		add(&sum, 1, &terms[i].row)
	}
	return math.Sqrt(float64(dot(&sum, &sum)))
}
