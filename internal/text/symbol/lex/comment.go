package lex

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
