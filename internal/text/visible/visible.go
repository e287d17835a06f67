// Package visible takes out of documents' text what a reader would not see: the last
// gate before a terminal, an agent or a browser.
package visible

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Hidden reports whether a character could steer a terminal or hide words from the
// person who reads along: control characters other than tab and newline,
// bidirectional overrides, invisible spaces and marks, and tag characters. Joiners
// are not: emoji and Indic scripts need them.
func Hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, 0x7f <= r && r < 0xa0:
		return true
	case r == 0x200b, r == 0x200e, r == 0x200f, r == 0x061c, r == 0x2060, r == 0xfeff: // invisible spaces and marks
		return true
	case 0x202a <= r && r <= 0x202e, 0x2061 <= r && r <= 0x206f: // overrides, isolates, invisible operators
		return true
	case 0xfff9 <= r && r <= 0xfffb, 0xe0000 <= r && r <= 0xe0fff: // annotations, tags
		return true
	}
	return false
}

// Text is s without hidden characters. Broken UTF-8 becomes the replacement
// character.
func Text(s string) string {
	i := 0
	for i < len(s) && !suspect(s[i]) {
		i++
	}
	if i == len(s) && utf8.ValidString(s) {
		return s
	}
	return strings.Map(keep, s)
}

// Line is Text for what must stay on one line: a title, a path.
func Line(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, Text(s))
}

// Bytes is Text for bytes. What it returns may be b itself.
func Bytes(b []byte) []byte {
	if bytes.IndexFunc(b, Hidden) < 0 && utf8.Valid(b) {
		return b
	}
	return bytes.Map(keep, b)
}

func keep(r rune) rune {
	if Hidden(r) {
		return -1
	}
	return r
}

// suspect reports whether a byte may begin a hidden character: ordinary text is
// passed over quickly.
func suspect(c byte) bool {
	switch c {
	case '\n', '\t':
		return false
	case 0x7f, 0xc2, 0xd8, 0xe2, 0xef, 0xf3:
		return true
	}
	return c < 0x20
}
