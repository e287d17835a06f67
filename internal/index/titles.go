package index

import "math"

// Titles tells how well titles answer a query. It keeps buffers and serves one
// goroutine.
type Titles struct {
	weights []float64         // of the query's words that count
	total   float64           // their sum
	words   map[string]uint64 // word as it is ranked -> bits of the query's words
	begins  map[[2]byte]bool  // the first two bytes of those: most words of a title need no stemming
	seen    map[string]float64
	covered map[string]float64
	tok     tokenizer
	stem    stemmer
}

// NewTitles returns the Titles of a query, whose words became what info says.
func NewTitles(info []WordInfo) *Titles {
	t := &Titles{
		weights: make([]float64, len(info)), words: map[string]uint64{},
		begins: map[[2]byte]bool{}, seen: map[string]float64{}, covered: map[string]float64{},
	}
	for i, w := range info {
		if !w.Extra {
			t.weights[i] = w.Weight
			t.total += w.Weight
		}
		for _, s := range w.Searched {
			word := t.stem.word([]byte(s))
			t.words[string(word)] |= 1 << i
			t.begins[begin(word)] = true
		}
	}
	return t
}

// Match returns, from 0 to 1, how well a title answers the query: the share of
// the query's weight that stands in the title, times the share of the title's
// words that the query has. An identifier counts by its parts; stop words of
// the title do not count, unless there are no others.
func (t *Titles) Match(title string) float64 {
	m, ok := t.seen[title]
	if !ok {
		m = t.match(title)
		t.seen[title] = m
	}
	return m
}

// Cover returns the share of the query's weight that stands in a text, from 0 to
// 1.
func (t *Titles) Cover(text string) float64 {
	c, ok := t.covered[text]
	if !ok {
		var found uint64
		t.tok.each(text, func(_ kind, word []byte) {
			if t.begins[begin(word)] || word[0] >= 0x80 {
				found |= t.words[string(t.stem.word(word))]
			}
		})
		c = t.share(found)
		t.covered[text] = c
	}
	return c
}

// share is the part of the query's weight that the words in a mask have.
func (t *Titles) share(found uint64) float64 {
	if t.total == 0 {
		return 0
	}
	in := 0.
	for i, w := range t.weights {
		if found>>i&1 == 1 {
			in += w
		}
	}
	return math.Min(in/t.total, 1)
}

// begin is the beginning of a word that stemming leaves as it is.
func begin(word []byte) (b [2]byte) {
	copy(b[:], word)
	return b
}

func (t *Titles) match(title string) float64 {
	if t.total == 0 {
		return 0
	}
	var found uint64
	words, hits, stops := 0, 0, 0
	whole := false // the token before was a run that may turn out to have parts
	wholeHit := false
	t.tok.each(title, func(k kind, text []byte) {
		hit := t.begins[begin(text)] || text[0] >= 0x80
		if hit {
			bits := t.words[string(t.stem.word(text))]
			hit = bits != 0
			found |= bits
		}
		switch {
		case k == joinedToken:
			whole = false
			return
		case k == partToken && whole: // its parts count instead of it
			words--
			if wholeHit {
				hits--
			}
			whole = false
		case k == partToken:
		case stopWords[string(text)]:
			stops++
			whole = false
			return
		default:
			whole, wholeHit = true, hit
		}
		words++
		if hit {
			hits++
		}
	})
	if words == 0 {
		words = stops
		if found != 0 {
			hits = stops
		}
	}
	if words == 0 || found == 0 {
		return 0
	}
	return t.share(found) * float64(hits) / float64(words)
}
