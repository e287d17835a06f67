// Package embed turns text into vectors that lie close when texts mean much the
// same, with a table of word vectors that fits into the binary.
//
// A text's vector is the weighted sum of the vectors of its words, at unit
// length. That is all: no network, no state, no dependence on order. What the
// table knows it learnt from pairs of texts that belong together (a heading and
// the text under it, a sentence and the rest of its section), and it learns
// the same way from a user's own documents, in seconds.
//
//	words.go     text -> words
//	table.go     the table of word vectors: making it, reading it in place, the one that ships
//	rows.go      a word's vector, as it is stored
//	delta.go     the rows that adapting has changed
//	encode.go    text -> vector, in integers; which words make two texts alike
//	mine.go      documents as titles and texts -> pairs and triplets
//	corpus.go    pairs and triplets from a file -> bags of numbered words
//	train.go     bags -> better rows, or a user's pairs -> a delta
//	step.go      one batch: loss, gradient
//	base.go      training the table that ships
//
// # The same bytes everywhere
//
// A vector is computed in integers. Training is done in float32 in which every
// product is rounded before it is added (Go may otherwise fuse the two on some
// processors), with our own exponential and logarithm, and no number is ever
// summed up by two goroutines. So neither the number of processors nor their
// kind changes a byte of a table, a delta or a vector.
package embed

import "math"

// Dim is the number of dimensions of a vector.
const Dim = 256

// A Vector is a text's place among all texts: Values times Scale has length 1.
// The vector of a text without words is zero, and so is its scale.
type Vector struct {
	Values [Dim]int8
	Scale  float32
}

// Cosine is the likeness of two vectors, from -1 to 1; 0 when one is zero.
func Cosine(a, b *Vector) float32 {
	return float32(float32(Dot(&a.Values, &b.Values))*a.Scale) * b.Scale
}

// Dot is the product of two vectors' values.
func Dot(a, b *[Dim]int8) int32 {
	sum := int32(0)
	for i := range a {
		sum += int32(a[i]) * int32(b[i])
	}
	return sum
}

// ScaleOf returns the scale that gives values length 1. An index may keep the
// values alone.
func ScaleOf(values *[Dim]int8) float32 {
	n := Dot(values, values)
	if n == 0 {
		return 0
	}
	return float32(1 / math.Sqrt(float64(n)))
}
