package markdown

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"

	"github.com/docent-md/docent/doc"
)

// wikiLink reads "[[target#heading|text]]" at i. What it returns is empty when
// there is none: "[[a]](b)" is an ordinary link whose text has brackets. The
// search ends at the next "[" or line, so it costs no more than the distance to it.
func wikiLink(s []byte, i int) (l link) {
	j, bar := i+2, -1
scan:
	for ; ; j++ {
		if j >= len(s) || j >= i+maxLabel {
			return l
		}
		switch s[j] {
		case '[', '\n':
			return l
		case '|':
			if bar < 0 {
				bar = j
			}
		case ']':
			break scan
		}
	}
	if j+1 >= len(s) || s[j+1] != ']' || j == i+2 || isSpace(s[i+2]) || bar == i+2 || j+2 < len(s) && s[j+2] == '(' {
		return l
	}
	target := span{int32(i + 2), int32(j)}
	words := target
	if bar >= 0 {
		words.start, target.end = int32(bar+1), int32(bar)
		if s[bar-1] == '\\' { // "\|", as it is written in tables
			target.end--
		}
	}
	return link{kind: doc.Wiki, words: trim(s, words), target: trim(s, target), span: span{int32(i), int32(j + 2)}}
}

// addressLink is the link of an address, which is its own text.
func addressLink(all, url span) link {
	return link{kind: doc.Auto, span: all, words: url.str(), target: url.str()}
}

// trim returns the range r of s without white space around it.
func trim(s []byte, r span) str {
	for r.start < r.end && isSpace(s[r.start]) {
		r.start++
	}
	for r.start < r.end && isSpace(s[r.end-1]) {
		r.end--
	}
	return r.str()
}

// autolinkEnd returns the offset after the address "<scheme:...>" or "<a@b>" at
// i, or -1, and whether it is one for mail.
func autolinkEnd(s []byte, i int) (after int, mail bool) {
	j := i + 1
	for j < len(s) && mailBytes[s[j]] {
		j++
	}
	if j >= len(s) || j == i+1 {
		return -1, false
	}
	if s[j] == '@' {
		return mailEnd(s, j+1), true
	}
	j = i + 1
	for j < len(s) && (isLetter(s[j]) || isDigit(s[j]) || s[j] == '+' || s[j] == '.' || s[j] == '-') {
		j++
	}
	if n := j - i - 1; n < 2 || n > 32 || j >= len(s) || s[j] != ':' || !isLetter(s[i+1]) {
		return -1, false
	}
	for j++; j < len(s); j++ {
		switch c := s[j]; {
		case c == '>':
			return j + 1, false
		case c <= ' ' || c == '<' || c == 0x7f:
			return -1, false
		}
	}
	return -1, false
}

// mailBytes may stand before the "@" of an address for mail.
var mailBytes = byteSet(func(c byte) bool {
	return isLetter(c) || isDigit(c) || strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", c) >= 0
})

// mailEnd returns the offset after "host>", the rest of an address for mail, or
// -1. The labels of a host have 63 bytes at most, and no "-" at their ends.
func mailEnd(s []byte, i int) int {
	for {
		from := i
		for i < len(s) && (isLetter(s[i]) || isDigit(s[i]) || s[i] == '-') {
			i++
		}
		if n := i - from; i >= len(s) || n == 0 || n > 63 || s[from] == '-' || s[i-1] == '-' {
			return -1
		}
		switch s[i] {
		case '>':
			return i + 1
		case '.':
			i++
		default:
			return -1
		}
	}
}

// tagLink returns the link of the tag s[i:e], <a href> or <img src>, if it is
// one, and how many bytes behind it were looked at.
func tagLink(s []byte, i, e int) (l link, cost int, ok bool) {
	n := tagName(s[i+1 : e])
	switch {
	case n == 1 && s[i+1]|0x20 == 'a':
		if href := tagValue(s[:e], i+1+n, "href"); href.end > 0 {
			// Its text goes on to the end tag, which is near or not looked for.
			inner, after := span{int32(e), int32(e)}, e
			near := s[e:min(len(s), e+maxLabel)]
			if k := bytes.Index(near, []byte("</a>")); k >= 0 {
				inner.end, after = int32(e+k), e+k+4
			}
			return link{target: href.str(), inner: inner, span: span{int32(i), int32(after)}}, len(near), true
		}
	case n == 3 && lower(s[i+1:i+4]) == "img":
		if src := tagValue(s[:e], i+1+n, "src"); src.end > 0 {
			alt := tagValue(s[:e], i+1+n, "alt")
			return link{image: true, words: trim(s, alt), target: src.str(), span: span{int32(i), int32(e)}}, 0, true
		}
	}
	return l, 0, false
}

// bareURL returns the http address around the ":" at i, as GitHub has it, and
// the offset to go on from. It is empty when there is none.
func bareURL(s []byte, i int) (url span, after int) {
	end := len(s)
	if i+3 >= end || s[i+1] != '/' || s[i+2] != '/' {
		return url, i + 1
	}
	start := i - 4
	if i >= 5 && s[i-1]|0x20 == 's' {
		start = i - 5
	}
	if start < 0 || lower(s[start:start+4]) != "http" {
		return url, i + 1
	}
	if start > 0 {
		switch c := s[start-1]; c {
		case ' ', '\t', '\n', '\r', '*', '_', '~', '(', '[', '|', '>', '"', '\'', ',', ':', ';':
		default:
			if c < 0x80 {
				return url, i + 1
			}
		}
	}
	e := i + 3
	for e < end && s[e] > ' ' && s[e] != '<' && s[e] != '`' && s[e] != '|' && s[e] != '"' && s[e] != ']' && s[e] != '{' {
		e++
	}
	e = trimURL(s, i+3, e)
	if e == i+3 || !isLetter(s[i+3]) && !isDigit(s[i+3]) && s[i+3] < 0x80 {
		return url, i + 1
	}
	return span{int32(start), int32(e)}, e
}

// trimURL takes punctuation that ends a sentence rather than an address, and
// parentheses that were not opened in it, off the end e.
func trimURL(s []byte, i, e int) int {
	unopened := bytes.Count(s[i:e], []byte{')'}) - bytes.Count(s[i:e], []byte{'('})
	for e > i {
		switch s[e-1] {
		case '?', '!', '.', ',', ':', ';', '*', '_', '~', '\'', '\\', '}', '>':
		case ')':
			if unopened <= 0 {
				return e
			}
			unopened--
		default:
			return e
		}
		e--
	}
	return e
}

// linkBytes are the bytes that links, or things that hide links, begin with.
var linkBytes = bytesOf("\\`<[]:{")

// nextLinkByte returns the offset of the first of linkBytes from i on. It looks
// at sixteen bytes at a time. All link bytes but the backtick have bits 3 and 4
// set and bit 7 clear, as have few others in prose; where there is no such byte
// and no backtick they are passed over.
func nextLinkByte(s []byte, i int) int {
	for ; i >= 0 && i <= len(s)-16; i += 16 {
		b := s[i : i+16 : i+16]
		x, y := maybeLinks(binary.LittleEndian.Uint64(b)), maybeLinks(binary.LittleEndian.Uint64(b[8:]))
		if x|y == 0 {
			continue
		}
		for ; x != 0; x &= x - 1 {
			if j := bits.TrailingZeros64(x) >> 3; linkBytes[b[j&15]] {
				return i + j
			}
		}
		for ; y != 0; y &= y - 1 {
			if j := 8 + bits.TrailingZeros64(y)>>3; linkBytes[b[j&15]] {
				return i + j
			}
		}
	}
	for i < len(s) && !linkBytes[s[i]] {
		i++
	}
	return i
}

// maybeLinks has bit 7 set in each byte where x may hold a link byte.
func maybeLinks(x uint64) uint64 {
	const ones = 0x0101010101010101
	tick := x ^ '`'*ones // zero where a backtick is
	return (x<<3&(x<<4)&^x | (tick-ones)&^tick) & (0x80 * ones)
}
