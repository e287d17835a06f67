package index

import (
	"math"
	"slices"

	"github.com/docent-md/docent/internal/portable"
)

// How a text is scored (BM25F).
//
// For each word of the query, the counts of its fields are weighed and set
// against their lengths first and saturated together afterwards:
//
//	t     = sum over fields of weight * count / (1 - b + b * length / average)
//	score = idf * (k1 + 1) * t / (k1 + t)
//	idf   = ln(1 + (N - df + 0.5) / (df + 0.5))
//
// The score of a text is the sum over the words, each times the weight it has in
// the query. A word brings two contributions, that of the word (its stem, see
// stem.go) and, with the weight Exact, that of the term as it was typed.
//
// Contributions are rounded to 1/65536 before they are added, and added as
// integers, so that neither the order in which lists are visited nor the number
// of segments can change a score. Products that are added are converted
// explicitly: Go may otherwise fuse the two operations on some machines.

// Params are the numbers of the formula. They can differ from query to query.
type Params struct {
	K1    float64 // how slowly a repeated word loses value
	Title Field
	Head  Field
	Body  Field

	Exact  float64 // weight of the term as typed, added to its word
	Part   float64 // weight of a part of an identifier, added to the whole
	Joined float64 // weight of a joined name, added to its runs
	Stop   float64 // weight of question words and the like
	Light  float64 // weight of other words that people ask with
	Fixed  float64 // weight of a word put in place of an unknown one
	Repeat float64 // a word that the query has n times weighs n to the power of this
}

// A Field weighs one field.
type Field struct {
	Weight float64
	B      float64 // 0: length does not matter; 1: counts are relative to it
}

// DefaultParams return the parameters that did best over seven collections of
// very different questions, documentation and abstracts. The best values are
// broad: changing one by a third moves no collection by more than a hundredth.
//
// Joined is above 1 for whoever asks for --app-resync wants that and not what has
// "app" and "resync" in its titles. An identifier weighs twice its parts; hyphens,
// which join the words of prose too, a little less.
func DefaultParams() Params {
	return Params{
		K1:     1.8,
		Title:  Field{2, .5},
		Head:   Field{1.5, .5},
		Body:   Field{1, .65},
		Exact:  .3,
		Part:   .5,
		Joined: 1.5,
		Stop:   .1,
		Light:  .4,
		Fixed:  .75,
		Repeat: .6,
	}
}

// valid puts numbers that no formula can use back into range, and keeps scores
// below what fits into their type.
func (p Params) valid() Params {
	clamp := func(x *float64, most float64) {
		if !(*x >= 0) { // also NaN
			*x = 0
		}
		*x = min(*x, most)
	}
	clamp(&p.K1, 1000)
	p.K1 = max(p.K1, 1e-6) // 0 would divide by 0 where a count is 0
	for _, f := range []*Field{&p.Title, &p.Head, &p.Body} {
		clamp(&f.Weight, 1000)
		clamp(&f.B, 1)
	}
	for _, w := range []*float64{&p.Exact, &p.Part, &p.Joined, &p.Stop, &p.Light, &p.Fixed, &p.Repeat} {
		clamp(w, 4)
	}
	return p
}

func (p Params) fields() [numFields]Field { return [numFields]Field{p.Title, p.Head, p.Body} }

// A Score is in units of 1/65536.
type Score uint32

// Float gives the score as the formula does.
func (s Score) Float() float64 { return float64(s) / scoreUnit }

// ScoreOf is the score nearest to a number, for matches that were given others.
func ScoreOf(f float64) Score {
	return Score(min(max(float64(f*scoreUnit)+0.5, 0), math.MaxUint32))
}

const (
	scoreUnit = 1 << 16

	// maxLists and maxScale keep the sum of all contributions below 1<<32.
	maxLists = 192
	maxScale = 1 << 24
)

// stats are what the formula needs to know of all texts.
type stats struct {
	texts int
	sums  [numFields]uint64 // of the rounded lengths
}

func (s *stats) average(field int) float64 {
	if s.texts == 0 || s.sums[field] == 0 {
		return 1
	}
	return float64(s.sums[field]) / float64(s.texts)
}

func (s *stats) idf(df int) float64 {
	return max(portable.Log(1+(float64(s.texts-df)+.5)/(float64(df)+.5)), 0)
}

// norms holds, for each field and length code, what one occurrence is worth.
type norms [numFields][256]float32

func newNorms(p Params, s *stats) *norms {
	var n norms
	for f, field := range p.fields() {
		avg := s.average(f)
		for code, length := range lengthOf {
			n[f][code] = float32(field.Weight / lengthFactor(field.B, float64(max(length, 1)), avg))
		}
	}
	return &n
}

func lengthFactor(b, length, avg float64) float64 {
	return float64(1-b) + float64(b*length/avg)
}

// weigh returns t of the formula.
func (n *norms) weigh(c counts, lengths *[numFields][]byte, num uint32) float32 {
	t := float32(float32(c.body()) * n[2][lengths[2][num]])
	if c >= 1<<16 {
		t += float32(float32(c.headings()) * n[1][lengths[1][num]])
		t += float32(float32(c.title()) * n[0][lengths[0][num]])
	}
	return t
}

// scaleOf returns the most a word of that weight and idf can contribute.
func scaleOf(weight, idf, k1 float64) float32 {
	return float32(min(weight*idf*(k1+1)*scoreUnit, maxScale))
}

// saturate returns a word's contribution, which is not above scale.
func saturate(t, k1, scale float32) Score {
	return Score(scale * float32(t/float32(k1+float32(t))))
}

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

// Lengths are stored in one byte: exact up to 38 words, then in steps of about one
// twentieth up to some millions. Averages are made of the rounded lengths, so
// that a deleted text can be subtracted from them exactly.

// lengthOf gives the length a code stands for.
var lengthOf = func() (t [256]uint32) {
	for i := 1; i < len(t); i++ {
		t[i] = t[i-1] + max(1, t[i-1]/19)
	}
	return t
}()

// lengthCode returns the code of the greatest length that is not above n.
func lengthCode(n int) byte {
	i, found := slices.BinarySearchFunc(lengthOf[:], n, func(l uint32, n int) int { return int(l) - n })
	if !found {
		i--
	}
	return byte(i)
}
