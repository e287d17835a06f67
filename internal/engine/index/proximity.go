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
		if p.pairs = append(p.pairs, x); len(p.pairs) == 64 { // a bit each
			break
		}
	}
	for _, x := range p.pairs {
		p.total += x.weight
	}
	return p
}

// A Nearness says what a text has of a query, and how closely together.
type Nearness struct {
	Words    uint64  // of the query that it has, a bit each
	Adjacent float64 // share of the query's pairs, by weight, that stand side by side in it too, in their order
	Together float64 // share of the query's weight that one or two sentences of its body have
}

// Read compares a text with the query.
func (p *Proximity) Read(heading, body string) Nearness {
	var n Nearness
	var found uint64 // pairs
	n.Words = p.look(p.sequence(heading), &found)
	words := p.sequence(body)
	n.Words |= p.look(words, &found)
	n.Together = p.together(words)
	for k, x := range p.pairs {
		if found>>k&1 != 0 {
			n.Adjacent += x.weight
		}
	}
	if p.total > 0 {
		n.Adjacent /= p.total
	}
	return n
}

// look returns the words of the query that a sequence has, and adds its pairs to found.
func (p *Proximity) look(words []uint64, found *uint64) uint64 {
	var all, last uint64
	for _, w := range words {
		all |= w
		if last != 0 && w != 0 {
			for k := range p.pairs {
				if x := &p.pairs[k]; last&x.first != 0 && w&x.second != 0 {
					*found |= 1 << k
				}
			}
		}
		last = w
	}
	return all
}

// sentences is how many words one or two of them have.
const sentences = 24

// together returns the share of the query's weight that some sentences of a text have.
func (p *Proximity) together(words []uint64) float64 {
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
