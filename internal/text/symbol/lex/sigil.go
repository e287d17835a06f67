package lex

import (
	"cmp"
	"strings"
)

// What begins with a sign that only one language gives a meaning to.

// DollarWord reads an identifier that begins with "$".
func DollarWord(l *Lexer) bool {
	l.word()
	return true
}

// PHPVariable reads "$name", as a word with the mark "$".
func PHPVariable(l *Lexer) bool {
	end := WordEnd(l.src, l.pos+1, false)
	if end == l.pos+1 {
		return false
	}
	l.emit(Word, '$', l.pos+1, end)
	l.pos = end
	return true
}

// DollarBody reads PostgreSQL's $$body$$ and $name$body$name$.
func DollarBody(l *Lexer) bool {
	end := WordEnd(l.src, l.pos+1, false)
	return end < len(l.src) && l.src[end] == '$' && l.until(l.src[l.pos:end+1], end+1)
}

// VerbatimString reads C#'s @"", $"", $@"" and @$"".
func VerbatimString(l *Lexer) bool {
	n := 1
	for n < 4 && (l.at(n) == '@' || l.at(n) == '$') {
		n++
	}
	if l.at(n) != '"' {
		return false
	}
	start, signs := l.pos, l.src[l.pos:l.pos+n]
	st := verbatim
	if !strings.Contains(signs, "@") {
		st = holes
	}
	l.pos += n
	l.quoted(start, st)
	return true
}

// Sigil passes over a sign that belongs to the name behind it: Ruby's @name.
func Sigil(l *Lexer) bool {
	l.pos++
	return true
}

// PercentLiteral reads Ruby's %w[], %q() and their like.
func PercentLiteral(l *Lexer) bool {
	n := 1
	if strings.IndexByte("wWiIqQrsx", l.at(1)) >= 0 && l.at(1) != 0 {
		n = 2
	}
	open := l.at(n)
	if n == 1 && open != '(' && open != '{' && open != '[' || classes[open] != Punct || !l.operand() {
		return false
	}
	return l.until(string(cmp.Or(CloserOf(open), open)), l.pos+n+1)
}

// RawHashString reads Swift's #"string"#.
func RawHashString(l *Lexer) bool {
	n := 1
	for l.at(n) == '#' && n < 16 {
		n++
	}
	return l.at(n) == '"' && l.until(`"`+l.src[l.pos:l.pos+n], l.pos+n+1)
}
