package index

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
		p.words = append(p.words, hashWord(t.stem.word(word))|uint64(c.counted))
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
