package index

import (
	"fmt"
	"strings"
)

// An Explanation is the arithmetic behind a score; the formula is in bm25.go.
type Explanation struct {
	Num   uint32
	Score Score
	Texts int // N
	K1    float64
	Terms []TermScore
}

// A TermScore is what one word or term contributes.
type TermScore struct {
	Key     string // the word, or the term as typed
	Exact   bool   // the term as typed
	For     string // the word of the query it was looked for
	DocFreq int
	IDF     float64
	Weight  float64 // in the query
	Title   FieldScore
	Head    FieldScore
	Body    FieldScore
	Sum     float64 // t
	Score   Score
}

// A FieldScore is what one field adds to t.
type FieldScore struct {
	Count   int
	Length  int // rounded
	Average float64
	Value   float64
}

// Explain returns how q scores text num. Words the text does not have are left
// out.
func (s *Searcher) Explain(q Query, num uint32, o Options) (Explanation, error) {
	pl, err := s.plan(q, o.Params)
	if err != nil {
		return Explanation{}, err
	}
	out := Explanation{Num: num, Texts: s.stats.texts, K1: pl.params.K1}
	if num >= s.texts {
		return out, nil
	}
	i := len(s.segments) - 1
	for s.segments[i].base > num {
		i--
	}
	num -= s.segments[i].base
	x := search{s: s, plan: pl, k1: float32(pl.params.K1), norms: newNorms(pl.params, &s.stats)}
	for _, l := range append(pl.lists, pl.light...) {
		t := TermScore{Key: l.word}
		for w := range pl.words {
			if l.words>>w&1 == 1 {
				t.For = pl.words[w].Text
				break
			}
		}
		if err := x.explain(&out, t, &l.weighted, l.only(), i, num); err != nil {
			return Explanation{}, err
		}
		for k := range l.exact {
			t.Key, t.Exact = l.exact[k].term, true
			if err := x.explain(&out, t, &l.exact[k].weighted, l.only(), i, num); err != nil {
				return Explanation{}, err
			}
		}
	}
	return out, nil
}

// explain adds what a list contributes to text num of segment i.
func (x *search) explain(out *Explanation, t TermScore, w *weighted, only counts, i int, num uint32) error {
	seg := &x.s.segments[i]
	cur := cursor{list: w.in[i], decoded: -1}
	c, err := cur.seek(num)
	c &= only
	if err != nil || c == 0 {
		return err
	}
	t.DocFreq, t.IDF, t.Weight = w.df, x.s.stats.idf(w.df), w.weight
	t.Sum = float64(x.norms.weigh(c, &seg.lengths, num))
	t.Score = x.contribution(c, w.scale, seg, num)
	for f, fs := range []*FieldScore{&t.Title, &t.Head, &t.Body} {
		code := seg.lengths[f][num]
		fs.Count = int([]uint32{c.title(), c.headings(), c.body()}[f])
		fs.Length, fs.Average = int(lengthOf[code]), x.s.stats.average(f)
		fs.Value = float64(fs.Count) * float64(x.norms[f][code])
	}
	out.Score += t.Score
	out.Terms = append(out.Terms, t)
	return nil
}

// String gives one line for each term and a sum.
func (e Explanation) String() string {
	var b strings.Builder
	for _, t := range e.Terms {
		kind := "word"
		if t.Exact {
			kind = "term"
		}
		fmt.Fprintf(&b, "%8.4f  %s %q for %q: weight %.3g * idf %.3f (in %d of %d) * %.3g * t/(%.3g + t), t = %.3f",
			t.Score.Float(), kind, t.Key, t.For, t.Weight, t.IDF, t.DocFreq, e.Texts, e.K1+1, e.K1, t.Sum)
		for _, f := range []struct {
			name string
			FieldScore
		}{{"title", t.Title}, {"headings", t.Head}, {"body", t.Body}} {
			if f.Count > 0 {
				fmt.Fprintf(&b, "; %s %d of %d words (average %.1f): %.3f", f.name, f.Count, f.Length, f.Average, f.Value)
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%8.4f  sum\n", e.Score.Float())
	return b.String()
}
