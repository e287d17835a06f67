package token

import "math/bits"

// What a byte is.
const (
	other = iota // part of a character outside ASCII
	letter
	digit
	blank
	lineEnd
	sign // any other ASCII
)

var kinds = func() (t [256]byte) {
	for c := range byte(0x80) {
		switch {
		case isLetter(c):
			t[c] = letter
		case isDigit(c):
			t[c] = digit
		case isBlank(c):
			t[c] = blank
		case isNewline(c):
			t[c] = lineEnd
		default:
			t[c] = sign
		}
	}
	return t
}()

func isUpper(c byte) bool   { return c-'A' < 26 }
func isLower(c byte) bool   { return c-'a' < 26 }
func isLetter(c byte) bool  { return (c|0x20)-'a' < 26 }
func isDigit(c byte) bool   { return c-'0' < 10 }
func isBlank(c byte) bool   { return c == ' ' || c == '\t' }
func isNewline(c byte) bool { return c == '\n' || c == '\r' }

// lowerRun returns how many letters from a to z follow each other at s[i].
func lowerRun[T string | []byte](s T, i int) int {
	const each = 0x0101010101010101
	start := i
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		// The high bit of each byte says whether it is, of those below 0x80.
		low := x & (each * 0x7f)
		is := (low + each*(0x80-'a')) &^ (low + each*(0x80-'z'-1)) &^ x
		if not := ^is & (each * 0x80); not != 0 {
			return i - start + bits.TrailingZeros64(not)/8
		}
	}
	for i < len(s) && isLower(s[i]) {
		i++
	}
	return i - start
}

// character returns the class and size of the character outside ASCII at s[i].
// A byte that is not part of valid UTF-8 is a character of four: each is a
// token or close to it.
func character[T string | []byte](s T, i int) (class, size int) {
	c := s[i]
	switch {
	case c >= 0xF0:
		class, size = fourBytes, 4
	case c >= 0xE0:
		class, size = threeBytes, 3
	case c >= 0xC2:
		class, size = twoBytes, 2
	default:
		return fourBytes, 1
	}
	if i+size > len(s) {
		return fourBytes, 1
	}
	for j := i + 1; j < i+size; j++ {
		if s[j]&0xC0 != 0x80 {
			return fourBytes, 1
		}
	}
	next := s[i+1]
	switch {
	case c >= 0xD0 && c <= 0xD4:
		class = cyrillic
	case c == 0xE2:
		class = symbol
		if i >= 3 && s[i-3] == c && s[i-2] == next && s[i-1] == s[i+2] {
			class = symbolAgain
		}
	case c == 0xE3:
		switch {
		case next == 0x81, next == 0x82 && s[i+2] < 0xA0:
			class = hiragana
		case next == 0x82, next == 0x83:
			class = katakana
		case next >= 0x90:
			class = han
		default:
			class = wide
		}
	case c >= 0xE4 && c <= 0xE9:
		class = han
	case c == 0xEA && next >= 0xB0, c == 0xEB, c == 0xEC, c == 0xED:
		class = hangul
	case c == 0xEF && next >= 0xBC:
		class = wide
	}
	return class, size
}

// lengthClass sorts a word by its number of letters. Where the processor would
// have to guess which, a table is faster.
func lengthClass(letters int) int { return int(lengthClasses[min(letters, len(lengthClasses)-1)]) }

var lengthClasses = [...]uint8{0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3}

func skipNewlines[T string | []byte](s T, i int) int {
	for i < len(s) && isNewline(s[i]) {
		i++
	}
	return i
}

// isAccented reports whether a letter from U+00C0 to U+027F begins at s[i].
func isAccented[T string | []byte](s T, i int) bool {
	return s[i] >= 0xC3 && s[i] <= 0xC9 && i+1 < len(s) && s[i+1]&0xC0 == 0x80
}
