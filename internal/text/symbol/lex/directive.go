package lex

import "strings"

// DirectiveOrString reads a directive, or Swift's raw string where none may
// stand.
func DirectiveOrString(l *Lexer) bool {
	if l.first {
		return Directive(l)
	}
	return RawHashString(l)
}

// Directive reads the rest of a line that begins with "#", and the lines that
// go on from it behind a backslash.
func Directive(l *Lexer) bool {
	if !l.first {
		return false
	}
	start := pastBlanks(l, l.pos+1)
	end := WordEnd(l.src, start, false)
	switch l.src[start:end] {
	case "if", "ifdef", "ifndef":
		l.emit(Branch, '?', l.pos, end)
	case "else", "elif", "elseif", "elifdef", "elifndef":
		l.emit(Branch, ':', l.pos, end)
	case "endif":
		l.emit(Branch, ';', l.pos, end)
	case "define":
		end = pastBlanks(l, end)
		if name := WordEnd(l.src, end, false); name > end {
			l.emit(Macro, 0, end, name)
		}
	case "include", "import", "undef", "pragma", "error", "warning", "line", "region", "endregion", "using", "nullable", "r", "load":
	default:
		return false
	}
	for {
		l.pos = l.lineEnd(l.pos)
		if l.pos == len(l.src) || !strings.HasSuffix(strings.TrimSuffix(l.src[:l.pos], "\r"), "\\") {
			return true
		}
		l.pos++
	}
}

// pastBlanks returns the position behind the blanks that begin at i.
func pastBlanks(l *Lexer, i int) int {
	return len(l.src) - len(TrimBlanks(l.src[i:]))
}
