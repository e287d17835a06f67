package symbol

import (
	"strings"
	"unicode/utf8"
)

// Literals that are told by what stands before the quote, or by what does not.

// char reads a character literal. A quote that begins none is a lifetime in
// Rust, and nothing elsewhere.
func (l *lexer) char() bool {
	const longest = 12 // '\u{10ffff}'
	rest := l.src[l.pos+1 : min(len(l.src), l.pos+1+longest)]
	end := -1
	if strings.HasPrefix(rest, "\\") && len(rest) > 1 {
		if i := strings.IndexByte(rest[2:], '\''); i >= 0 {
			end = i + 2
		}
	} else if _, size := utf8.DecodeRuneInString(rest); size < len(rest) && rest[size] == '\'' {
		end = size
	} else if l.syn.lang == "rust" {
		l.pos = wordEnd(l.src, l.pos+1, false)
		return true
	} else {
		end = strings.IndexByte(rest, '\'')
	}
	if end < 0 || strings.Contains(rest[:end], "\n") {
		l.pos++
		return true
	}
	l.emit(text, 0, l.pos, l.pos+end+2)
	l.pos += end + 2
	return true
}

// prefixed reads the string behind the word from start to here, if that word is
// the prefix of one: r"", b”, L"", R"x()x".
func (l *lexer) prefixed(start int) bool {
	prefix, c := l.src[start:l.pos], l.src[l.pos]
	switch l.syn.lang {
	case "python":
		if len(prefix) <= 2 && c != '#' && strings.Trim(prefix, "rRbBuUfF") == "" {
			l.quoted(start, plain)
			return true
		}
	case "rust":
		switch prefix {
		case "r", "br", "cr":
			return l.rawRust()
		case "b", "c":
			if c == '"' {
				l.quoted(start, plain)
				return true
			}
			return c == '\'' && l.char()
		}
	case "c", "cpp":
		if c != '"' {
			return false
		}
		switch prefix {
		case "R", "LR", "uR", "UR", "u8R":
			open := strings.IndexByte(l.src[l.pos:min(len(l.src), l.pos+20)], '(')
			return open > 0 && l.until(")"+l.src[l.pos+1:l.pos+open]+`"`, l.pos+open)
		case "L", "u", "U", "u8":
			l.quoted(start, plain)
			return true
		}
	case "sql":
		if c == '\'' && len(prefix) == 1 {
			l.quoted(start, plain)
			return true
		}
	}
	return false
}

// rawRust reads r"", r#""# and the raw identifier r#name.
func (l *lexer) rawRust() bool {
	hashes := 0
	for l.at(hashes) == '#' && hashes < 16 {
		hashes++
	}
	if l.at(hashes) == '"' {
		return l.until(`"`+strings.Repeat("#", hashes), l.pos+hashes+1)
	}
	if hashes != 1 || classes[l.at(1)] != letter {
		return false
	}
	start := l.pos + 1
	l.pos = wordEnd(l.src, start, false)
	l.emit(word, 0, start, l.pos)
	return true
}
