package symbol

import "strings"

// maxMisses bounds the searches for a closer that does not come. Each costs up
// to the length of the block; code that is not hostile has none or one.
const maxMisses = 16

// find returns the position of what closes a construct that may span lines,
// from here on, or -1.
func (l *lexer) find(closer string, from int) int {
	if from > len(l.src) || l.misses >= maxMisses {
		return -1
	}
	i := strings.Index(l.src[from:], closer)
	if i < 0 {
		l.misses++
		return -1
	}
	return from + i
}

// lineEnd returns the position of the newline that ends the line of pos.
func (l *lexer) lineEnd(pos int) int {
	if i := strings.IndexByte(l.src[pos:], '\n'); i >= 0 {
		return pos + i
	}
	return len(l.src)
}

// special reads what begins with punctuation and is more than a mark: comments,
// strings, regular expressions, elements. It reports whether it found one.
func (l *lexer) special(c byte) bool {
	switch c {
	case '/':
		return l.slash()
	case '"':
		if l.has(sqlQuotes) {
			return l.quotedWord('"')
		}
		l.quoted(l.pos, plain)
		return true
	case '\'':
		if l.has(charLiterals) {
			return l.char()
		}
		l.quoted(l.pos, plain)
		return true
	case '`':
		switch {
		case l.has(templates):
			return l.template()
		case l.has(rawBackticks):
			return l.until("`", l.pos+1)
		case l.has(wordBackticks | sqlQuotes):
			return l.quotedWord('`')
		}
	case '#':
		return l.hash()
	case '-':
		if l.has(dashComments) && l.at(1) == '-' {
			l.pos = l.lineEnd(l.pos)
			return true
		}
	case '<':
		if l.has(elements) {
			return l.element()
		}
		if l.has(hereDocs) && l.at(1) == '<' {
			return l.hereDoc()
		}
	case '$':
		return l.dollar()
	case '@':
		if l.has(querySuffix) { // Ruby's @name
			l.pos++
			return true
		}
		return l.syn.lang == "csharp" && l.verbatim()
	case '%':
		return l.has(querySuffix) && l.percent()
	case '?':
		if l.has(phpTags) && l.at(1) == '>' {
			l.skipHTML(false)
			return true
		}
	case '\\':
		if rest := l.src[l.pos+1:]; strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\r\n") { // the line goes on
			l.pos = l.lineEnd(l.pos) + 1
			return true
		}
	}
	return false
}

// slash reads comments and regular expressions.
func (l *lexer) slash() bool {
	if l.has(slashComments) {
		switch l.at(1) {
		case '/':
			l.pos = l.lineEnd(l.pos)
			return true
		case '*':
			l.comment()
			return true
		}
	}
	return l.has(regexes) && l.operand() && l.regex()
}

// comment skips "/* */". One that is never closed ends at its line.
func (l *lexer) comment() {
	end := l.find("*/", l.pos+2)
	if end >= 0 && l.has(nestedComments) {
		end = l.nested(l.pos + 2)
	}
	if end < 0 {
		l.pos = l.lineEnd(l.pos)
		return
	}
	l.pos = end + 2
}

// nested returns the position of the "*/" that ends the comment whose text
// begins at i, or -1.
func (l *lexer) nested(i int) int {
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

// operand reports whether a value may stand here, so that a slash begins a
// regular expression and "<" an element.
func (l *lexer) operand() bool {
	if len(l.toks) == 0 {
		return true
	}
	switch t := l.toks[len(l.toks)-1]; t.kind {
	case word:
		switch l.src[t.start:t.end] {
		case "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "await",
			"yield", "default", "and", "or", "not", "if", "unless", "when", "while", "until", "puts":
			return true
		}
		return false
	case mark:
		return t.mark != ')' && t.mark != ']' && (t.mark != '}' || l.first)
	}
	return false
}

// regex reads a regular expression, which ends on its line.
func (l *lexer) regex() bool {
	if l.pos < l.noRegex {
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
			end := wordEnd(l.src, i+1, false)
			l.emit(text, 0, l.pos, end)
			l.pos = end
			return true
		}
	}
}

// until reads a string without escapes that may span lines.
func (l *lexer) until(closer string, from int) bool {
	end := l.find(closer, from)
	if end < 0 {
		return false
	}
	l.emit(text, 0, l.pos, end+len(closer))
	l.pos = end + len(closer)
	return true
}

// quotedWord reads an identifier in quotes. With blanks in it it is a text: no
// one asks for such a name.
func (l *lexer) quotedWord(quote byte) bool {
	start := l.pos + 1
	end := l.find(string(quote), start)
	if end <= start || strings.Contains(l.src[start:end], "\n") {
		return false
	}
	k := word
	if strings.ContainsAny(l.src[start:end], " \t") {
		k = text
	}
	l.emit(k, quote, start, end)
	l.pos = end + 1
	return true
}
