package grep

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// How a literal is found.
//
// One character of the literal, the rarest, is its anchor. All cases of it are
// looked for with IndexByte, which runs at memory speed while it finds nothing.
// If even the rarest character is frequent, two adjacent ones are looked
// for instead (see pair.go). The rest of the literal is compared around the
// anchor, forwards and backwards, character by character: the Kelvin sign equals
// k but is three bytes, so that a literal has no fixed length once case does not
// matter.

type finder struct {
	runes     []rune // folded, if fold
	fold      bool
	pre, post look // must hold before and after

	anchor   int      // index in runes
	variants [][]byte // the cases of the anchor
	pair     *pair    // else, the anchor and what follows it
	cost     float64  // of looking for it, in nanoseconds a byte
}

// maxAnchor is how many characters of a literal may be its anchor.
const maxAnchor = 64

func newFinder(text string, fold bool, pre, post look) finder {
	f := finder{fold: fold, pre: pre, post: post}
	for _, r := range text {
		if fold {
			r = foldRune(r)
		}
		f.runes = append(f.runes, r)
	}
	near := f.runes[:min(len(f.runes), maxAnchor)]
	for i := range near {
		if f.frequency(i) < f.frequency(f.anchor) {
			f.anchor = i
		}
	}
	f.cost = f.byteCost(f.anchor)
	best := -1
	for i := range near[1:] {
		if c := f.pairCost(i); c < f.cost {
			f.cost, best = c, i
		}
	}
	if best >= 0 {
		pair := newPair(byte(f.runes[best]), byte(f.runes[best+1]), fold)
		f.anchor, f.pair = best, &pair
		return f
	}
	for _, r := range f.cases(f.anchor) {
		f.variants = append(f.variants, utf8.AppendRune(nil, r))
	}
	return f
}

// cases returns the characters that equal runes[i].
func (f *finder) cases(i int) []rune {
	if !f.fold {
		return f.runes[i : i+1]
	}
	return orbit(f.runes[i])
}

// around returns where the literal begins and ends whose anchor is the n bytes
// at text[i:].
func (f *finder) around(text []byte, i, n int, spare *int) (start, end int, ok bool) {
	if f.pair != nil && !f.equalASCII(text[i], f.runes[f.anchor]) {
		return 0, 0, false // the pair mistook it
	}
	end = i + n
	for _, r := range f.runes[f.anchor+1:] {
		*spare--
		width := f.width(text[end:], r)
		if width == 0 {
			return 0, 0, false
		}
		end += width
	}
	start = i
	for j := f.anchor - 1; j >= 0; j-- {
		*spare--
		if start > 0 && text[start-1] < utf8.RuneSelf {
			if !f.equalASCII(text[start-1], f.runes[j]) {
				return 0, 0, false
			}
			start--
			continue
		}
		r, n := utf8.DecodeLastRune(text[:start])
		if n < 2 || !f.equal(r, f.runes[j]) {
			return 0, 0, false
		}
		start -= n
	}
	return start, end, true
}

// width returns how many bytes text begins with that equal r; 0 if none do.
func (f *finder) width(text []byte, r rune) int {
	if len(text) == 0 {
		return 0
	}
	if text[0] < utf8.RuneSelf {
		if f.equalASCII(text[0], r) {
			return 1
		}
		return 0
	}
	got, n := utf8.DecodeRune(text)
	if n < 2 || !f.equal(got, r) {
		return 0
	}
	return n
}

func (f *finder) equalASCII(b byte, r rune) bool {
	return rune(b) == r || f.fold && foldRune(rune(b)) == r
}

func (f *finder) equal(got, r rune) bool {
	return got == r || f.fold && foldRune(got) == r
}

// holds reports whether the looks of the literal hold around text[start:end].
func (f *finder) holds(text []byte, start, end int) bool {
	return f.pre.holdsAt(text, start) && f.post.holdsAt(text, end)
}

// A cursor goes from one occurrence of a literal to the next.
//
// Comparing around the anchor may take time in vain, and too much in a text made
// for it: "abab..." has an anchor everywhere and a long literal that almost fits.
// So a cursor gives up, and is tired, when it has compared patience times as
// many characters as the text has.
type cursor struct {
	f     *finder
	text  []byte
	at    [maxCases]int // by variant: where it is next; len(text) if nowhere
	spare int           // characters that may still be compared
	tired bool
}

const patience = 8

func newCursor(f *finder, text []byte) cursor {
	return cursor{f: f, text: text, spare: 4096 + patience*len(text)}
}

// maxCases is the most characters that equal each other when case does not
// matter.
const maxCases = 4

// seek moves to the first place at or after from, which must be the start of a
// line. It does not move back.
func (c *cursor) seek(from int) {
	if c.f.pair != nil {
		if c.at[0] <= from {
			c.advance(0, from)
		}
		return
	}
	for v := range c.f.variants {
		if c.at[v] <= from {
			c.advance(v, from)
		}
	}
}

// advance looks for variant v from text[from:] on.
func (c *cursor) advance(v, from int) {
	c.at[v] = len(c.text)
	if from >= len(c.text) {
		return
	}
	var i int
	if c.f.pair != nil {
		i = c.f.pair.index(c.text[from:])
	} else if variant := c.f.variants[v]; len(variant) == 1 {
		i = bytes.IndexByte(c.text[from:], variant[0])
	} else {
		i = bytes.Index(c.text[from:], variant)
	}
	if i >= 0 {
		c.at[v] = from + i
	}
}

// next returns the next occurrence of the literal, and moves behind its
// anchor.
func (c *cursor) next() (start, end int, ok bool) {
	variants := c.f.variants
	for {
		v, width := 0, 1
		for i := range variants {
			if c.at[i] < c.at[v] {
				v = i
			}
		}
		if c.f.pair == nil {
			width = len(variants[v])
		}
		at := c.at[v]
		if c.tired = c.spare < 0; c.tired || at == len(c.text) {
			return 0, 0, false
		}
		c.advance(v, at+1)
		if start, end, ok = c.f.around(c.text, at, width, &c.spare); ok {
			return start, end, true
		}
	}
}

// each calls visit for every place in text where the literal occurs, from left
// to right, until visit returns false. It is the way of Knuth, Morris and Pratt,
// which never looks at a character twice: slower than a cursor in all texts but
// those that make a cursor tired.
func (f *finder) each(text []byte, visit func(start, end int) bool) {
	// back[n] is how much of the literal still fits after n characters of it
	// fitted and the next did not.
	back := make([]int, len(f.runes)+1)
	for i, n := 1, 0; i < len(f.runes); i++ {
		for n > 0 && f.runes[i] != f.runes[n] {
			n = back[n]
		}
		if f.runes[i] == f.runes[n] {
			n++
		}
		back[i+1] = n
	}
	places := make([]int, len(f.runes)) // where the last characters began
	n := 0
	for i, count := 0, 0; i < len(text); count++ {
		r, width := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			if r, width = utf8.DecodeRune(text[i:]); width == 1 {
				r = -1
			}
		}
		if f.fold {
			r = foldRune(r)
		}
		for n > 0 && (n == len(f.runes) || f.runes[n] != r) {
			n = back[n]
		}
		if f.runes[n] == r {
			n++
		}
		places[count%len(places)] = i
		i += width
		if n == len(f.runes) && !visit(places[(count+1)%len(places)], i) {
			return
		}
	}
}

// A pair finds two adjacent bytes, in any case, eight places at a
// time. It takes a few bytes for others (what differs from them in the bit of
// case only), so that what it finds is compared again. Unlike IndexByte, whose
// speed falls tenfold where the byte is frequent, it does not care what the text
// is made of.
type pair struct {
	first, second uint64 // each byte eight times
	fold          uint64 // the bit that is set before comparing
}

const ones = 0x0101010101010101

func newPair(first, second byte, fold bool) pair {
	var p pair
	if fold {
		p.fold = ones * 0x20
	}
	p.first = uint64(first)*ones | p.fold
	p.second = uint64(second)*ones | p.fold
	return p
}

// index returns the first place in text where the pair may be, or -1.
func (p *pair) index(text []byte) int {
	i := 0
	for ; i+17 <= len(text); i += 16 {
		t := text[i : i+17 : i+17]
		a := p.zeros(binary.LittleEndian.Uint64(t), binary.LittleEndian.Uint64(t[1:]))
		b := p.zeros(binary.LittleEndian.Uint64(t[8:]), binary.LittleEndian.Uint64(t[9:]))
		if a|b != 0 {
			if a != 0 {
				return i + bits.TrailingZeros64(a)/8
			}
			return i + 8 + bits.TrailingZeros64(b)/8
		}
	}
	for ; i+2 <= len(text); i++ {
		if text[i]|byte(p.fold) == byte(p.first) && text[i+1]|byte(p.fold) == byte(p.second) {
			return i
		}
	}
	return -1
}

// zeros returns a number whose lowest bit set is in the first byte where x
// equals the first byte of the pair and y the second; 0 if there is none.
func (p *pair) zeros(x, y uint64) uint64 {
	z := ((x | p.fold) ^ p.first) | ((y | p.fold) ^ p.second)
	return (z - ones) &^ z & (ones * 0x80)
}
