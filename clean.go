package docent

import (
	"strings"
	"unicode/utf8"
)

// clean takes out of a document's text what could steer a terminal or hide
// words from the person beside the agent: control characters other than tab
// and newline, bidirectional overrides, invisible spaces and tag characters.
// Joiners stay: emoji and Indic scripts need them.
func clean(s string) string {
	i := 0
	for i < len(s) && !suspect[s[i]] {
		i++
	}
	if i == len(s) && utf8.ValidString(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if hidden(r) {
			return -1
		}
		return r // of broken UTF-8, the replacement character
	}, s)
}

// cleanLine is clean for text that must stay on one line: a title, a path.
func cleanLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, clean(s))
}

func hidden(r rune) bool {
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

// suspect marks the bytes that begin a hidden character, so that ordinary text
// is passed over quickly.
var suspect = func() (t [256]bool) {
	for c := range 0x20 {
		t[c] = c != '\n' && c != '\t'
	}
	for _, c := range []byte{0x7f, 0xc2, 0xd8, 0xe2, 0xef, 0xf3} {
		t[c] = true
	}
	return t
}()
