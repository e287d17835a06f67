package markdown

import (
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// appendSlug appends the anchor GitHub gives to a heading of this text, before it
// is made unique: lower case; letters, marks, decimal and letter numbers,
// connectors, "-" and space are kept; each space becomes "-". It is what the
// npm package github-slugger does, on which most site generators rely.
func appendSlug(dst, text []byte) []byte {
	i, n := 0, len(dst)
	dst = slices.Grow(dst, len(text))[:n+len(text)]
	for ; i < len(text) && text[i] < utf8.RuneSelf; i++ {
		if c := slugBytes[text[i]]; c != 0 {
			dst[n] = c
			n++
		}
	}
	dst = dst[:n]
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			i++
			if c = slugBytes[c]; c != 0 {
				dst = append(dst, c)
			}
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && n == 1:
		case r == 0x130: // the one letter whose lower case is two characters
			dst = append(dst, "i̇"...)
		case r == 'Σ' && finalSigma(text, i, i+n):
			dst = append(dst, "ς"...)
		case inSlug(r):
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		i += n
	}
	return dst
}

// slugBytes holds what becomes of each ASCII character; 0 is dropped.
var slugBytes = func() (t [utf8.RuneSelf]byte) {
	for i := range t {
		switch c := byte(i); {
		case isUpper(c):
			t[i] = c | 0x20
		case isWord(c):
			t[i] = c
		case c == ' ':
			t[i] = '-'
		}
	}
	return t
}()

// inSlug reports whether a character beyond ASCII stays in a slug.
func inSlug(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic)
}

// finalSigma reports whether the sigma text[i:end] ends a word, where lower
// case has another form of it.
func finalSigma(text []byte, i, end int) bool {
	before, _ := utf8.DecodeLastRune(text[:i])
	after, _ := utf8.DecodeRune(text[end:])
	return unicode.IsLetter(before) && !unicode.IsLetter(after)
}

// A slugger makes slugs unique within a document by the suffixes "-1", "-2" and
// so on. The zero value is ready to use.
type slugger struct {
	names names // the slugs given out, with the suffixes each has used up
}

// unique makes buf[from:] unlike the names given out before by adding to it.
func (s *slugger) unique(buf []byte, from int) []byte {
	e, isNew := s.names.add(buf[from:], 0)
	size := len(buf)
	for !isNew {
		// Adding may move the entries; e is found by its number.
		s.names.list[e].value++
		buf = strconv.AppendInt(append(buf[:size], '-'), int64(s.names.list[e].value), 10)
		_, isNew = s.names.add(buf[from:], 0)
	}
	return buf
}

// noSlug is the anchor of a heading without a letter. GitHub leaves it empty,
// which cannot be pointed at.
const noSlug = "section"

// anchors gives every heading its anchor. Explicit ids are taken first, so that
// a link written against one works whatever the other headings are called.
func (s *slugger) anchors(r *record) {
	for i := range r.headings {
		if h := &r.headings[i]; h.anchor.size > 0 {
			n := len(r.made)
			r.made = s.unique(append(r.made, r.bytes(h.anchor)...), n)
			h.anchor = r.madeFrom(n)
		}
	}
	for i := range r.headings {
		h := &r.headings[i]
		if h.anchor.size > 0 {
			continue
		}
		n := len(r.made)
		r.made = appendSlug(r.made, r.bytes(h.title))
		if run(r.made[n:], '-') == len(r.made)-n {
			r.made = append(r.made[:n], noSlug...)
		}
		r.made = s.unique(r.made, n)
		h.anchor = r.madeFrom(n)
	}
}
