package index

import (
	"sync/atomic"
	"unicode/utf8"
)

// How texts are read for the words of a query.
//
// The best hits of every question are read, so this must not cost more than finding
// them. Most words of a text are passed over by their first two letters, without being
// lower-cased, hashed or stemmed.

// A Sighting is a place in a text where words of a query stand.
type Sighting struct {
	At    int    // byte where the run begins, or the name that it is a part of
	Place int    // how many runs stand before it
	Words uint64 // of the query, a bit each
}

// Sight appends what a text has of the query to seen. The parts of a name count with
// the whole, and a name written in several runs with the last of them.
func (t *Titles) Sight(seen []Sighting, text string) []Sighting {
	var now Sighting // of the run that was read last
	place := -1
	see := func(k kind, word []byte) {
		if k == wordToken || k == pairToken {
			if place++; now.Words != 0 {
				seen = append(seen, now)
			}
			now.Place, now.Words = place, 0
		}
		now.Words |= t.written(word)
	}
	for i := 0; i < len(text); {
		at := i
		first := onRun[text[i]]
		i++
		if first == ends || first == joins {
			continue
		}
		for i < len(text) && onRun[text[i]] == goesOn {
			i++
		}
		if first != beyond && text[at] != '_' && endsAt(text, i) { // like most: it is all there is
			if place++; t.mayBegin(text[at:i]) {
				if bits := t.plain(text[at:i]); bits != 0 {
					seen = append(seen, Sighting{at, place, bits})
				}
			}
			continue
		}
		if end, runs, ok := t.pass(text, at); ok {
			i, place = end, place+runs
			continue
		}
		now = Sighting{At: at}
		i = t.tok.next(text, at, see)
		if now.Words != 0 {
			seen = append(seen, now)
		}
	}
	return seen
}

// endsAt reports whether a run ends at a byte of a text, and none is joined to it.
func endsAt(text string, i int) bool {
	return i == len(text) || onRun[text[i]] == ends || onRun[text[i]] == joins && joiner(text[i:]) == 0
}

// What a byte does to a run of plain letters and digits that stands before it.
const (
	ends       = iota
	goesOn     // a small letter or a digit
	beginsPart // a capital or an underscore
	joins      // another run to it, if one follows
	beyond     // of a letter beyond ASCII, or no letter
)

var onRun = func() (table [256]byte) {
	for c := range table {
		switch {
		case c >= utf8.RuneSelf:
			table[c] = beyond
		case 'A' <= c && c <= 'Z', c == '_':
			table[c] = beginsPart
		case asciiClass[c] == spaced:
			table[c] = goesOn
		case c == '-', c == '.', c == ':':
			table[c] = joins
		}
	}
	return table
}()

// mayBegin reports whether a run may be a word of the query, by how it begins.
func (t *Titles) mayBegin(run string) bool {
	return len(run) < 2 || t.begins&beginBit(asciiLower[run[0]], run[1]) != 0
}

// pass goes over a name, with all that is joined to it, if none of its words and parts
// may be one of the query's by how they begin. It returns where the name ends and how many
// runs it has.
func (t *Titles) pass(text string, i int) (end, runs int, ok bool) {
	for runs = 1; ; runs++ {
		for start := i; i < len(text) && asciiClass[text[i]] == spaced; i++ {
			if i > start && onRun[text[i]] != beginsPart && text[i-1] != '_' {
				continue
			}
			switch c := asciiLower[text[i]]; {
			case i+1 < len(text) && asciiClass[text[i+1]] == spaced:
				if second := asciiLower[text[i+1]]; second == '_' || t.begins&beginBit(c, second) != 0 {
					return 0, 0, false
				}
			case i == start: // a run of one letter; a part of one is none
				return 0, 0, false
			}
		}
		if i < len(text) && text[i] >= utf8.RuneSelf {
			return 0, 0, false
		}
		n := joiner(text[i:])
		if n == 0 {
			return i, runs, true
		}
		i += n
	}
}

// plain is written for a run of ASCII without parts.
func (t *Titles) plain(run string) uint64 {
	t.lower = append(t.lower[:0], run...)
	t.lower[0] = asciiLower[run[0]]
	return t.bits(t.stem.hash(t.lower))
}

// begin gives a bit for the beginning of a word that stemming leaves as it is:
// two letters, but for "dying" and its like. Words that begin with others have
// all bits.
func begin(word []byte) uint64 {
	if len(word) < 2 || word[0] >= utf8.RuneSelf || word[1] >= utf8.RuneSelf || onRun[word[1]] == joins || word[1] == '_' {
		return 1<<64 - 1
	}
	return beginBit(word[0], word[1])
}

func beginBit(first, second byte) uint64 {
	if second == 'y' {
		second = 'i'
	}
	return 1 << ((first*7 + second) % 64)
}

// knownStems are the hashes of words and of their stems, for all goroutines: stemming
// takes thirty times as long as looking. A place holds the hash of the stem, and that of
// the word mixed with it: two that were stored by different goroutines do not give the
// hash of any word.
var knownStems [1 << 13]struct{ mixed, stem atomic.Uint64 }

// hash is the hash of a term's word.
func (s *stemmer) hash(term []byte) uint64 {
	h := hashWord(term) | 1 // an empty place has 0
	k := &knownStems[h>>1%uint64(len(knownStems))]
	if stem := k.stem.Load(); k.mixed.Load()^stem == h {
		return stem
	}
	stem := hashWord(s.word(term))
	k.mixed.Store(stem ^ h)
	k.stem.Store(stem)
	return stem
}
