package lex

import "strings"

// MaxMisses bounds the searches for a closer that does not come. Each costs up
// to the length of the block; code that is not hostile has none or one.
const MaxMisses = 16

// find returns the position of what closes a construct that may span lines,
// from here on, or -1.
func (l *Lexer) find(closer string, from int) int {
	if from > len(l.src) || l.misses >= MaxMisses {
		return -1
	}
	i := strings.Index(l.src[from:], closer)
	if i < 0 {
		l.misses++
		return -1
	}
	return from + i
}

// until reads a string without escapes that may span lines.
func (l *Lexer) until(closer string, from int) bool {
	end := l.find(closer, from)
	if end < 0 {
		return false
	}
	l.emit(Text, 0, l.pos, end+len(closer))
	l.pos = end + len(closer)
	return true
}

// lineEnd returns the position of the newline that ends the line of pos.
func (l *Lexer) lineEnd(pos int) int {
	return pos + LineLen(l.src[pos:])
}
