package lex

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// Literals that are told by what stands before the quote, or by what does not.

// Char reads a character literal. A quote that begins none is nothing.
func Char(l *Lexer) bool { return char(l, false) }

// CharOrLifetime reads a character literal of Rust, or passes over a lifetime.
func CharOrLifetime(l *Lexer) bool { return char(l, true) }

func char(l *Lexer, lifetimes bool) bool {
	const longest = 12 // '\u{10ffff}'
	rest := l.src[l.pos+1 : min(len(l.src), l.pos+1+longest)]
	end := -1
	if strings.HasPrefix(rest, "\\") && len(rest) > 1 {
		if i := strings.IndexByte(rest[2:], '\''); i >= 0 {
			end = i + 2
		}
	} else if _, size := utf8.DecodeRuneInString(rest); size < len(rest) && rest[size] == '\'' {
		end = size
	} else if lifetimes {
		l.pos = WordEnd(l.src, l.pos+1, false)
		return true
	} else {
		end = strings.IndexByte(rest, '\'')
	}
	if end < 0 || strings.Contains(rest[:end], "\n") {
		l.pos++
		return true
	}
	l.emit(Text, 0, l.pos, l.pos+end+2)
	l.pos += end + 2
	return true
}

// PythonPrefixed reads r"", b'x', f"" and their like.
func PythonPrefixed(l *Lexer, start int) bool {
	if prefix := l.src[start:l.pos]; len(prefix) > 2 || l.at(0) == '#' || strings.Trim(prefix, "rRbBuUfF") != "" {
		return false
	}
	l.quoted(start, plain)
	return true
}

// RustPrefixed reads r"", b"", b'x', c"" and the raw identifier r#name.
func RustPrefixed(l *Lexer, start int) bool {
	c := l.at(0)
	switch l.src[start:l.pos] {
	case "r", "br", "cr":
		return rawRust(l)
	case "b", "c":
		if c == '"' {
			l.quoted(start, plain)
			return true
		}
		return c == '\'' && CharOrLifetime(l)
	}
	return false
}

// rawRust reads r"", r#""# and the raw identifier r#name.
func rawRust(l *Lexer) bool {
	hashes := 0
	for l.at(hashes) == '#' && hashes < 16 {
		hashes++
	}
	if l.at(hashes) == '"' {
		return l.until(`"`+strings.Repeat("#", hashes), l.pos+hashes+1)
	}
	if hashes != 1 || classes[l.at(1)] != Letter {
		return false
	}
	start := l.pos + 1
	l.pos = WordEnd(l.src, start, false)
	l.emit(Word, 0, start, l.pos)
	return true
}

// CPrefixed reads L"", u8"" and R"x()x".
func CPrefixed(l *Lexer, start int) bool {
	if l.at(0) != '"' {
		return false
	}
	switch l.src[start:l.pos] {
	case "R", "LR", "uR", "UR", "u8R":
		open := strings.IndexByte(l.src[l.pos:min(len(l.src), l.pos+20)], '(')
		return open > 0 && l.until(")"+l.src[l.pos+1:l.pos+open]+`"`, l.pos+open)
	case "L", "u", "U", "u8":
		l.quoted(start, plain)
		return true
	}
	return false
}

// SQLPrefixed reads N'x', E'x' and their like.
func SQLPrefixed(l *Lexer, start int) bool {
	if l.at(0) != '\'' || l.pos-start != 1 {
		return false
	}
	l.quoted(start, plain)
	return true
}

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
