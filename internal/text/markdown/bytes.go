package markdown

import "bytes"

// spaces returns the number of spaces and tabs b begins with.
func spaces(b []byte) int {
	i := 0
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	return i
}

func isBlank(b []byte) bool { return spaces(b) == len(b) }

// run returns how often c is repeated at the beginning of b.
func run(b []byte, c byte) int {
	i := 0
	for i < len(b) && b[i] == c {
		i++
	}
	return i
}

func skipSpace(s []byte, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

func lineLen(b []byte) int {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i + 1
	}
	return len(b)
}

// lower returns b in lower case, or "" when it is longer than any name we know.
func lower(b []byte) string {
	if len(b) > 16 {
		return ""
	}
	var buf [16]byte
	for i, c := range b {
		if isUpper(c) {
			c |= 0x20
		}
		buf[i] = c
	}
	return string(buf[:len(b)])
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func isWord(c byte) bool   { return wordBytes[c] }

// wordBytes are ASCII letters, digits, "_" and "-".
var wordBytes = byteSet(func(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' || c == '-' })

func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && !isLetter(c) && !isDigit(c)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

var newline = []byte{'\n'}

var bom = []byte("\xef\xbb\xbf")

// A span is a range of the file.
type span struct{ start, end int32 }

func (s span) len() int { return int(s.end - s.start) }

// byteSet returns the bytes of which is says so.
func byteSet(is func(c byte) bool) (t [256]bool) {
	for c := range t {
		t[c] = is(byte(c))
	}
	return t
}

// bytesOf returns the bytes of s.
func bytesOf(s string) (t [256]bool) {
	for i := range len(s) {
		t[s[i]] = true
	}
	return t
}

// wordLen returns the length of the word that b begins with.
func wordLen(b []byte) int {
	i := 0
	for i < len(b) && isWord(b[i]) {
		i++
	}
	return i
}
