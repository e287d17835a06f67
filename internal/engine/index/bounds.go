package index

import (
	"math"
	"slices"
)

// How much a block can score.
//
// Pruning needs, for each block of postings, a limit to t of the formula (see
// bm25.go) that no posting in it exceeds. Which t a posting has depends on
// weights, b and average lengths, and these change with the caller's wishes and
// with every text that is added. So a block stores the greatest t under fixed
// reference parameters and the averages of its own segment, and a query
// multiplies it by how much t can at most differ under its own: for one field,
//
//	weight'/weight * (1 - b + b*length/avg) / (1 - b' + b'*length/avg')
//
// which is monotonic in the length, so that its greatest value is found at the
// shortest or the longest one. With the usual parameters the factor is 1 and
// the bound is tight.
//
// A stored bound is one byte: 0.05 * 1.05^byte, rounded up; 255 means no limit.

// reference are the parameters stored bounds are made with. They are part of
// the format.
var reference = Params{Title: Field{2, .5}, Head: Field{1.5, .5}, Body: Field{1, .65}}

var boundOf = func() (t [256]float32) {
	v := .05
	for i := range t {
		t[i] = float32(v)
		v *= 1.05
	}
	t[255] = float32(math.Inf(1))
	return t
}()

// A bounder makes the bounds of one segment.
type bounder struct {
	norms   *norms
	lengths *[numFields][]byte
}

func newBounder(s *stats, lengths *[numFields][]byte) *bounder {
	return &bounder{newNorms(reference, s), lengths}
}

func (b *bounder) bound(ps []posting) byte {
	most := float32(0)
	for _, p := range ps {
		most = max(most, b.norms.weigh(p.counts, b.lengths, p.num))
	}
	i, _ := slices.BinarySearch(boundOf[:], most)
	return byte(min(i, 255))
}

// boundFactor returns by how much t may exceed a stored bound of a segment with
// statistics own, for a query with parameters p over texts with statistics all.
func boundFactor(p Params, all, own *stats) float32 {
	factor := 0.
	for f, field := range p.fields() {
		ref := reference.fields()[f]
		for _, length := range []float64{1, float64(lengthOf[255])} {
			factor = max(factor, field.Weight/ref.Weight*
				lengthFactor(ref.B, length, own.average(f))/
				lengthFactor(field.B, length, all.average(f)))
		}
	}
	return float32(factor * (1 + 1e-5))
}

// limit returns what no contribution of a list exceeds if t does not exceed t.
func limit(t, k1, scale float32) Score {
	if math.IsInf(float64(t), 1) || math.IsNaN(float64(t)) {
		return Score(scale)
	}
	return min(Score(float32(saturate(t, k1, scale))*(1+1e-5))+2, Score(scale))
}
