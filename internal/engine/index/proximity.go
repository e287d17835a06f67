package index

import "math/bits"

// A Proximity tells how closely the words of a query stand together in a text. The
// index has no positions: it is for the texts of the best candidates. It keeps buffers
// and serves one goroutine.
type Proximity struct {
	titles *Titles
	pairs  []pair
	total  float64 // the weight of all pairs
	words  []uint64
}

// A pair is two words that follow each other in the query.
type pair struct {
	first, second uint64 // bits of the query's words
	weight        float64
}

// besideCommon is what a pair of a word and a question word weighs, of the word's
// weight: "up" says something beside "compose".
const besideCommon = 0.2

// NewProximity returns the Proximity of a query with the given text.
func NewProximity(t *Titles, text string) *Proximity {
	p := &Proximity{titles: t}
	words := p.sequence(text)
	for i := 1; i < len(words); i++ {
		a, b := t.weightOf(words[i-1]), t.weightOf(words[i])
		if a == 0 || b == 0 {
			continue
		}
		x := pair{words[i-1], words[i], max(min(a, b), besideCommon*max(a, b))}
		p.pairs = append(p.pairs, x)
		p.total += x.weight
	}
	return p
}

// Adjacent returns the share of the query's pairs, by weight, that are next to each
// other in a text too, in their order. Several pieces of text are read one after
// another.
func (p *Proximity) Adjacent(texts ...string) float64 {
	if p.total == 0 {
		return 0
	}
	found, sum := uint64(0), 0.
	for _, text := range texts {
		words := p.sequence(text)
		for i := 1; i < len(words); i++ {
			if words[i-1] == 0 || words[i] == 0 {
				continue
			}
			for k := range p.pairs {
				x := &p.pairs[k]
				if found>>(k&63)&1 == 0 && words[i-1]&x.first != 0 && words[i]&x.second != 0 {
					found |= 1 << (k & 63)
					sum += x.weight
				}
			}
		}
	}
	return sum / p.total
}

// sentences is how many words one or two of them have.
const sentences = 24

// Together returns the share of the query's weight that some sentences of a text has.
func (p *Proximity) Together(text string) float64 {
	words := p.sequence(text)
	var times [64]int
	var have uint64
	most := 0.
	for i, w := range words {
		for ; w != 0; w &= w - 1 {
			k := bits.TrailingZeros64(w)
			times[k]++
			have |= 1 << k
		}
		if i >= sentences {
			for w := words[i-sentences]; w != 0; w &= w - 1 {
				k := bits.TrailingZeros64(w)
				if times[k]--; times[k] == 0 {
					have &^= 1 << k
				}
			}
		}
		if words[i] != 0 {
			most = max(most, p.titles.Share(have))
		}
	}
	return most
}

// sequence returns, for each word of a text in turn, which words of the query it is.
// The parts of a name count with the whole.
func (p *Proximity) sequence(text string) []uint64 {
	p.words = p.words[:0]
	p.titles.tok.each(text, func(k kind, word []byte) {
		is := p.titles.written(word)
		if (k == partToken || k == joinedToken) && len(p.words) > 0 {
			p.words[len(p.words)-1] |= is
			return
		}
		p.words = append(p.words, is)
	})
	return p.words
}

// weightOf is the weight of the heaviest of some words of the query.
func (t *Titles) weightOf(words uint64) float64 {
	most := 0.
	for ; words != 0; words &= words - 1 {
		if k := bits.TrailingZeros64(words); k < len(t.weights) {
			most = max(most, t.weights[k])
		}
	}
	return most
}
