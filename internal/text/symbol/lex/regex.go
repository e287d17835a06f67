package lex

// SlashOrRegex reads comments and regular expressions.
func SlashOrRegex(l *Lexer) bool { return SlashComment(l) || Regex(l) }

// Regex reads a regular expression, which ends on its line.
func Regex(l *Lexer) bool {
	if !l.operand() || l.pos < l.noRegex {
		return false
	}
	class := false
	for i := l.pos + 1; ; i++ {
		if i >= len(l.src) || l.src[i] == '\n' {
			l.noRegex = i
			return false
		}
		switch l.src[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if class {
				continue
			}
			end := WordEnd(l.src, i+1, false)
			l.emit(Text, 0, l.pos, end)
			l.pos = end
			return true
		}
	}
}

// operand reports whether a value may stand here, so that a slash begins a
// regular expression and "<" an element.
func (l *Lexer) operand() bool {
	if len(l.toks) == 0 {
		return true
	}
	switch t := l.toks[len(l.toks)-1]; t.Kind {
	case Word:
		switch l.src[t.Start:t.End] {
		case "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "await",
			"yield", "default", "and", "or", "not", "if", "unless", "when", "while", "until", "puts":
			return true
		}
		return false
	case Mark:
		return t.Mark != ')' && t.Mark != ']' && (t.Mark != '}' || l.first)
	}
	return false
}
