package index

import (
	"encoding/binary"
	"unicode/utf8"
)

// How words that come again and again are indexed.
//
// Nearly all words of a text are common ones, written as they were a moment ago.
// So a Writer remembers of short chains of ASCII runs, as they are in the
// text, which forms they count for: to find one again costs a comparison of three
// numbers, instead of cutting it up, lower-casing it and looking each form up.
// There is one place for each hash, and the latest chain takes it, so that what
// is remembered stays in the processor's cache whatever the texts are. What is
// not remembered goes the long way (tokenize.go), to the same result.

// A chain of recentBytes characters at most is remembered, if it counts for no
// more than recentForms: a cache line of the processor holds it then.
const (
	recentChains = 1 << 12 // a quarter of a megabyte: a larger table finds more, but slower
	recentBytes  = 24
	recentForms  = 8
)

// A chain is its characters, the first lowest, filled up with zeros.
type chain struct{ a, b, c uint64 }

// A recent is a chain and what it counts for.
type recent struct {
	chain
	forms [recentForms]uint32
	n     uint8 // forms, that of the first run first
	runs  uint8
}

// words counts the words of s for text num in field f, and returns how many
// there are.
func (w *Writer) words(num int32, f int, s string) int {
	length := 0
	var seen [recentForms]uint32
	n := 0
	emit := func(k kind, text []byte) {
		switch k {
		case wordToken, pairToken:
			length++
			k = wordToken
		}
		at := w.form(k, text)
		w.count(num, f, at)
		if n < len(seen) {
			seen[n] = at
		}
		n++
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if asciiClass[c] == notWord {
				i++
				continue
			}
			end := chainEnd(s, i)
			if end == 0 {
				i = w.tok.chain(s, i, emit)
				continue
			}
			c := pack(s, i, end-i)
			r := w.recall(c)
			if r.a == c.a && r.b == c.b && r.c == c.c {
				for _, at := range r.forms[:r.n] {
					w.count(num, f, at)
				}
				length += int(r.runs)
				i = end
				continue
			}
			n = 0
			before := length
			i = w.tok.chain(s, i, emit)
			if n <= len(seen) {
				*r = recent{c, seen, uint8(n), uint8(length - before)}
			}
			continue
		}
		ch, size := utf8.DecodeRuneInString(s[i:])
		switch classOf(ch) {
		case spaced:
			i = w.tok.chain(s, i, emit)
		case paired:
			i = w.tok.pairs(s, i, emit)
		default:
			i += size
		}
	}
	return length
}

// recall returns the place of a chain, where another may be.
func (w *Writer) recall(c chain) *recent {
	h := (c.a ^ c.b*0x9e3779b97f4a7c15 ^ c.c*0xc2b2ae3d27d4eb4f) * 0xff51afd7ed558ccd
	return &w.recent[h>>32&uint64(len(w.recent)-1)]
}

// chainEnd returns where the chain of runs that begins at s[i] ends, if it is one
// that may be remembered; else 0.
func chainEnd(s string, i int) int {
	limit := min(len(s), i+recentBytes)
	for {
		for i < limit && asciiClass[s[i]] != notWord {
			i++
		}
		if i == len(s) {
			return i
		}
		next := i + 1
		switch c := s[i]; {
		case c == '-' || c == '.':
		case c == ':' && next < len(s) && s[next] == ':':
			next++
		case c >= utf8.RuneSelf || asciiClass[c] != notWord:
			return 0
		default:
			return i
		}
		if next == len(s) || s[next] < utf8.RuneSelf && asciiClass[s[next]] == notWord {
			return i
		}
		if s[next] >= utf8.RuneSelf || next >= limit {
			return 0
		}
		i = next
	}
}

// pack returns n bytes of s from i on, the first lowest, filled up with zeros.
func pack(s string, i, n int) (c chain) {
	if i+recentBytes > len(s) {
		var b [recentBytes]byte
		copy(b[:n], s[i:])
		return chain{binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])}
	}
	c.a = eight(s, i)
	switch {
	case n <= 8:
		c.a &= ^uint64(0) >> (64 - 8*n)
	case n <= 16:
		c.b = eight(s, i+8) & (^uint64(0) >> (128 - 8*n))
	default:
		c.b = eight(s, i+8)
		c.c = eight(s, i+16) & (^uint64(0) >> (192 - 8*n))
	}
	return c
}
