package index

import "math/bits"

// A Proximity tells how closely the words of a query stand together in a text. The
// index has no positions: it is for the texts of the best candidates. It keeps buffers
// and serves one goroutine.
type Proximity struct {
	titles *Titles
	pairs  []pair
	total  float64 // the weight of all pairs
	seen   []Sighting
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
	p.seen = t.Sight(p.seen, text)
	for i := 1; i < len(p.seen) && len(p.pairs) < 64; i++ { // a bit each
		last, now := p.seen[i-1], p.seen[i]
		a, b := t.weightOf(last.Words), t.weightOf(now.Words)
		if last.Place+1 == now.Place && a != 0 && b != 0 {
			p.pairs = append(p.pairs, pair{last.Words, now.Words, max(min(a, b), besideCommon*max(a, b))})
		}
	}
	for _, x := range p.pairs {
		p.total += x.weight
	}
	return p
}

// A Nearness says what a text has of a query, and how closely together.
type Nearness struct {
	Words    uint64     // of the query that it has, a bit each
	Adjacent float64    // share of the query's pairs, by weight, that stand side by side in it too, in their order
	Together float64    // share of the query's weight that one or two sentences of its body have
	Seen     []Sighting // in its body; valid until the next Read
}

// Read compares a text with the query.
func (p *Proximity) Read(heading, body string) Nearness {
	var n Nearness
	var found uint64 // pairs
	p.seen = p.titles.Sight(p.seen[:0], heading)
	n.Words = p.look(p.seen, &found)
	p.seen = p.titles.Sight(p.seen[:0], body)
	n.Seen = p.seen
	n.Words |= p.look(n.Seen, &found)
	n.Together = p.together(n.Seen)
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

// look returns the words of the query that were seen, and adds its pairs to found.
func (p *Proximity) look(seen []Sighting, found *uint64) uint64 {
	var all uint64
	for i, s := range seen {
		all |= s.Words
		if i == 0 || seen[i-1].Place+1 != s.Place {
			continue
		}
		for k := range p.pairs {
			if x := &p.pairs[k]; seen[i-1].Words&x.first != 0 && s.Words&x.second != 0 {
				*found |= 1 << k
			}
		}
	}
	return all
}

// sentences is how many words one or two of them have.
const sentences = 24

// together returns the share of the query's weight that some sentences of a text have.
func (p *Proximity) together(seen []Sighting) float64 {
	var times [64]int
	var have, tried uint64
	most := 0.
	first := 0 // that is not too far back
	for _, s := range seen {
		for w := s.Words; w != 0; w &= w - 1 {
			k := bits.TrailingZeros64(w)
			times[k]++
			have |= 1 << k
		}
		for ; seen[first].Place <= s.Place-sentences; first++ {
			for w := seen[first].Words; w != 0; w &= w - 1 {
				k := bits.TrailingZeros64(w)
				if times[k]--; times[k] == 0 {
					have &^= 1 << k
				}
			}
		}
		if have != tried {
			most, tried = max(most, p.titles.Share(have)), have
		}
	}
	return most
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
