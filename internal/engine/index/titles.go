package index

import (
	"math"
	"slices"
)

// Titles tells how well titles answer a query. It keeps buffers and serves one
// goroutine.
type Titles struct {
	weights   []float64  // of the query's words that count
	total     float64    // their sum
	unbounded uint64     // the words that Most knows nothing of
	words     []wordHash // as they are ranked
	filter    uint64     // of the hashes: most words of a phrase need no looking
	begins    uint64     // of how they begin: most words of a title need no stemming
	tok       tokenizer
	stem      stemmer
	pending   []byte
	lower     []byte
	seen      []Sighting
}

// NewTitles returns the Titles of a query, whose words became what info says.
func NewTitles(info []WordInfo) *Titles {
	t := &Titles{weights: make([]float64, len(info)), words: make([]wordHash, 0, len(info))}
	for i, w := range info {
		if !w.Extra {
			t.weights[i] = w.Weight
			t.total += w.Weight
		}
		if w.Title || len(info) > mostKnown {
			t.unbounded |= 1 << i
		}
		for _, s := range w.Searched {
			word := t.stem.word([]byte(s))
			t.begins |= begin(word)
			h := hashWord(word)
			t.filter |= 1 << (h >> 58)
			if at := slices.IndexFunc(t.words, func(w wordHash) bool { return w.hash == h }); at >= 0 {
				t.words[at].bits |= 1 << i
			} else {
				t.words = append(t.words, wordHash{h, 1 << i})
			}
		}
	}
	return t
}

// bits returns which words of the query a word is, given its hash.
func (t *Titles) bits(hash uint64) uint64 {
	if t.filter>>(hash>>58)&1 != 0 {
		for i := range t.words {
			if t.words[i].hash == hash {
				return t.words[i].bits
			}
		}
	}
	return 0
}

// written is bits for a word as it is written.
func (t *Titles) written(word []byte) uint64 {
	if t.begins&begin(word) == 0 {
		return 0
	}
	return t.bits(t.stem.hash(word))
}

// Match returns, from 0 to 1, how well a title answers the query: the share of
// the query's weight that occurs in the title, times the share of the title's
// words that the query has. An identifier counts by its parts; stop words of
// the title do not count, unless there are no others.
func (t *Titles) Match(title string) float64 { return t.Read(title).Value() }

// above is what a word counts that occurs in no title but those above. It is
// below 1, so that only a title that is the query by itself has the value 1.
const above = 0.9

// A Reading is a title compared with a query.
type Reading struct {
	t     *Titles
	found uint64  // the words of the query in it
	fit   float64 // the share of its own words that the query has
}

// Read compares a title with the query.
func (t *Titles) Read(title string) Reading {
	var p Phrase
	var found uint64
	hits := 0
	t.eachToken(title, func(word []byte, c count) {
		p.add(c)
		if bits := t.written(word); bits != 0 {
			found |= bits
			hits += c.counted
		}
	})
	return t.reading(&p, found, hits)
}

// reading returns the reading of a title with the words found, hits of which count.
func (t *Titles) reading(p *Phrase, found uint64, hits int) Reading {
	words := p.counted
	if words == 0 {
		words = p.stops
		if found != 0 {
			hits = p.stops
		}
	}
	if words == 0 || found == 0 {
		return Reading{t: t}
	}
	return Reading{t, found, float64(hits) / float64(words)}
}

// Value is how well the title answers: see Match.
func (r Reading) Value() float64 { return r.t.Share(r.found) * r.fit } // not above the share: see Most

// Covers reports whether the title has all of the query.
func (r Reading) Covers() bool { return r.found != 0 && r.t.Share(r.found) == 1 }

// Open reports whether the titles above can add to what the title says: only where
// all of it occurs in the query, for otherwise it names something else there.
func (r Reading) Open() bool { return r.found != 0 && r.fit == 1 && r.t.Share(r.found) < 1 }

// Under is Value for a title that is read with those above it: "Syntax" on the page
// of "stop-opacity" is what "stop-opacity syntax" asks for. The other titles count
// for the share of the query only, not for the share of the title.
func (r Reading) Under(titles ...Reading) float64 {
	all := r.found
	for _, o := range titles {
		all |= o.found
	}
	own := r.t.Share(r.found)
	return (own + float64(above*(r.t.Share(all)-own))) * r.fit
}

// Cover returns the share of the query's weight that occurs in a text, from 0 to
// 1.
func (t *Titles) Cover(text string) float64 { return t.Share(t.Words(text)) }

// Words returns which words of the query a text has, a bit each.
func (t *Titles) Words(text string) uint64 {
	var found uint64
	t.seen = t.Sight(t.seen[:0], text)
	for _, s := range t.seen {
		found |= s.Words
	}
	return found
}

// mostKnown is how many words a query may have for all of them to have lists,
// whatever replaces them: see maxLists.
const mostKnown = 32

// Most returns limits to what Match can give for the title of a text and for
// those among its headings, and Cover for something that is part of its
// headings, by what the postings say about the text.
func (t *Titles) Most(m *Match) (match, cover float64) {
	headings := m.Headings | t.unbounded
	cover = t.Share(headings)
	if m.Title&^headings == 0 {
		return cover, cover
	}
	return t.Share(m.Title | headings), cover
}

// Share is the part of the query's weight that the words in a mask have.
func (t *Titles) Share(found uint64) float64 {
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

// A Phrase is a title taken apart, for one that is compared with many queries:
// stemming its words takes a hundred times as long as comparing them. It never
// changes.
type Phrase struct {
	words   []uint64 // hashes, the lowest bit set in those of words that count
	counted int      // words that count
	stops   int      // stop words, which count if there are no others
}

// A count says how a word of a title counts.
type count struct{ counted, stops int }

func (p *Phrase) add(c count) {
	p.counted += c.counted
	p.stops += c.stops
}

// wordHash is a word and the bits of the query's words it is.
type wordHash struct {
	hash uint64
	bits uint64
}

// hashWord is FNV-1a, with the lowest bit clear.
func hashWord(word []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range word {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h &^ 1
}

// eachToken calls f for every token of a title. Of an identifier the parts count
// instead of the whole, so that a run is held back until it is known whether
// parts follow it.
func (t *Titles) eachToken(title string, f func(word []byte, c count)) {
	waiting := false
	t.tok.each(title, func(k kind, word []byte) {
		if waiting {
			c := count{counted: 1}
			if k == partToken {
				c.counted = 0
			}
			f(t.pending, c)
			waiting = false
		}
		switch {
		case k == joinedToken:
			f(word, count{})
		case k == partToken:
			f(word, count{counted: 1})
		case stopWords[string(word)]:
			f(word, count{stops: 1})
		default:
			t.pending = append(t.pending[:0], word...)
			waiting = true
		}
	})
	if waiting {
		f(t.pending, count{counted: 1})
	}
}

// Phrase takes a text apart.
func (t *Titles) Phrase(text string) *Phrase {
	p := &Phrase{}
	t.eachToken(text, func(word []byte, c count) {
		p.add(c)
		p.words = append(p.words, t.stem.hash(word)|uint64(c.counted))
	})
	return p
}

// ReadPhrase is Read for a title taken apart.
func (t *Titles) ReadPhrase(p *Phrase) Reading {
	found, hits := t.compare(p)
	return t.reading(p, found, hits)
}

// CoverPhrase is Cover for a text taken apart.
func (t *Titles) CoverPhrase(p *Phrase) float64 {
	found, _ := t.compare(p)
	return t.Share(found)
}

// compare returns which words of the query a phrase has, and how many of its own
// that count the query has.
func (t *Titles) compare(p *Phrase) (found uint64, hits int) {
	for _, w := range p.words {
		if bits := t.bits(w &^ 1); bits != 0 {
			found |= bits
			hits += int(w & 1)
		}
	}
	return found, hits
}
