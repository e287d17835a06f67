package lex

import "strings"

// SlashComment reads "//" and "/* */".
func SlashComment(l *Lexer) bool {
	switch l.at(1) {
	case '/':
		return LineComment(l)
	case '*':
		blockComment(l)
		return true
	}
	return false
}

// NestedComment reads "//" and "/* /* */ */".
func NestedComment(l *Lexer) bool {
	if l.at(1) != '*' {
		return SlashComment(l)
	}
	end := l.find("*/", l.pos+2)
	if end >= 0 {
		end = nestedEnd(l, l.pos+2)
	}
	endComment(l, end)
	return true
}

// LineComment reads from here to the end of the line: what begins here is a
// comment in any case.
func LineComment(l *Lexer) bool {
	l.pos = l.lineEnd(l.pos)
	return true
}

// DashComment reads SQL's "--" to the end of the line.
func DashComment(l *Lexer) bool { return l.at(1) == '-' && LineComment(l) }

// ScriptLine reads the "#!" that a file begins with.
func ScriptLine(l *Lexer) bool { return l.pos == 0 && l.at(1) == '!' && LineComment(l) }

// blockComment skips "/* */".
func blockComment(l *Lexer) { endComment(l, l.find("*/", l.pos+2)) }

// endComment goes behind the "*/" at end. A comment that is never closed ends
// at its line.
func endComment(l *Lexer, end int) {
	if end < 0 {
		l.pos = l.lineEnd(l.pos)
		return
	}
	l.pos = end + 2
}

// nestedEnd returns the position of the "*/" that ends the comment whose text
// begins at i, or -1.
func nestedEnd(l *Lexer, i int) int {
	for depth := 1; i+1 < len(l.src); i++ {
		switch l.src[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			if depth--; depth == 0 {
				return i
			}
			i++
		}
	}
	l.misses++
	return -1
}

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

// PHPBegin goes to the first PHP tag. A block without one is PHP throughout.
func PHPBegin(l *Lexer) {
	if at := phpTag(l); at >= 0 {
		l.pos = at
	}
}

// PHPEnd reads "?>" and goes to the next tag.
func PHPEnd(l *Lexer) bool {
	if l.at(1) != '>' {
		return false
	}
	if l.pos = phpTag(l); l.pos < 0 {
		l.pos = len(l.src)
	}
	return true
}

// PHPComment reads "#" to the end of the line, unless it begins an attribute.
func PHPComment(l *Lexer) bool { return l.at(1) != '[' && LineComment(l) }

// phpTag returns the position behind the next opening tag, or -1.
func phpTag(l *Lexer) int {
	for from := l.pos; ; {
		i := l.find("<?", from)
		if i < 0 {
			return -1
		}
		for _, tag := range [...]string{"<?php", "<?=", "<?\n", "<? "} {
			if strings.HasPrefix(l.src[i:], tag) {
				return i + len(tag)
			}
		}
		from = i + 2
	}
}
