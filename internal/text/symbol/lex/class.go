package lex

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Class says what a byte may begin.
type Class uint8

const (
	Blank Class = iota
	Newline
	Letter // of ASCII, or "_"
	Digit
	Punct
	Wide // first byte of a rune beyond ASCII, or no UTF-8 at all
)

var classes = func() (class [256]Class) {
	for c := range 256 {
		switch {
		case IsLetter(byte(c)), c == '_':
			class[c] = Letter
		case IsDigit(byte(c)):
			class[c] = Digit
		case c == '\n':
			class[c] = Newline
		case c <= ' ', c == 0x7f:
			class[c] = Blank
		case c >= utf8.RuneSelf:
			class[c] = Wide
		default:
			class[c] = Punct
		}
	}
	return class
}()

// wordBytes are the letters and digits of ASCII, and "_".
var wordBytes = func() (is [256]bool) {
	for c, class := range classes {
		is[c] = class == Letter || class == Digit
	}
	return is
}()

// ClassOf returns the class of c.
func ClassOf(c byte) Class { return classes[c] }

// IsLetter reports whether c is a letter of ASCII.
func IsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// IsDigit reports whether c is a digit of ASCII.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsWord reports whether c is a letter or digit of ASCII, or "_".
func IsWord(c byte) bool { return wordBytes[c] }

// WordEnd returns where the identifier that begins at i ends. With dollar, "$"
// is a letter.
func WordEnd(src string, i int, dollar bool) int {
	for {
		for i < len(src) && wordBytes[src[i]] {
			i++
		}
		if i == len(src) {
			return i
		}
		c := src[i]
		switch classes[c] {
		case Wide:
			r, size := utf8.DecodeRuneInString(src[i:])
			if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.In(r, unicode.M, unicode.N)) {
				i += size
				continue
			}
		case Punct:
			if c == '$' && dollar {
				i++
				continue
			}
		}
		return i
	}
}

// LineLen returns the length of the first line of s, without its newline.
func LineLen(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// TrimBlanks takes spaces and tabs off the beginning of s.
func TrimBlanks(s string) string {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return s[i:]
}
