package markdown

import (
	"html"
	"unicode/utf8"
)

// entity reads the entity that begins at i with "&": "&amp;", "&#38;", "&#x26;".
// It returns what it stands for and the offset after it, or -1.
func entity(s []byte, i int) (text string, after int) {
	j := i + 1
	if j < len(s) && s[j] == '#' {
		return numbered(s, j+1)
	}
	for j < len(s) && j < i+maxEntity && (isLetter(s[j]) || isDigit(s[j])) {
		j++
	}
	if j == i+1 || j >= len(s) || s[j] != ';' {
		return "", -1
	}
	// HTML also knows some names without ";", and as the beginnings of words.
	name := string(s[i : j+1])
	if text = html.UnescapeString(name); text == name || text[len(text)-1] == ';' && name != "&semi;" {
		return "", -1
	}
	return text, j + 1
}

// maxEntity is longer than the longest name, "&CounterClockwiseContourIntegral;".
const maxEntity = 40

// numbered reads an entity that is a number, from behind its "#" on.
func numbered(s []byte, j int) (string, int) {
	base, digits := rune(10), 7
	if j < len(s) && s[j]|0x20 == 'x' {
		base, digits = 16, 6
		j++
	}
	r, from := rune(0), j
	for ; j < len(s) && j-from < digits; j++ {
		c := s[j]
		if isDigit(c) {
			r = r*base + rune(c-'0')
		} else if base == 16 && c|0x20 >= 'a' && c|0x20 <= 'f' {
			r = r*base + rune(c|0x20-'a'+10)
		} else {
			break
		}
	}
	if j == from || j >= len(s) || s[j] != ';' {
		return "", -1
	}
	if r == 0 || !utf8.ValidRune(r) {
		r = utf8.RuneError
	}
	return string(r), j + 1
}

// Unescape returns text with its escapes and entities resolved: what a link's
// target or a fence's info string stands for.
func Unescape(text []byte) string {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		switch text[i] {
		case '\\':
			if i+1 < len(text) && isPunct(text[i+1]) {
				i++
			}
		case '&':
			if t, after := entity(text, i); after > 0 {
				out = append(out, t...)
				i = after
				continue
			}
		}
		out = append(out, text[i])
		i++
	}
	return string(out)
}
