package lex

import "strings"

// Strings, which may hold code: what is between "${" and "}", or "#{" and "}",
// or "\(" and ")", is lexed like any code.

// String reads a string in quotes.
func String(l *Lexer) bool {
	l.quoted(l.pos, plain)
	return true
}

// Template reads the beginning of JavaScript's `string ${with} code`, if it has
// an end.
func Template(l *Lexer) bool {
	if l.find("`", l.pos+1) < 0 {
		return false
	}
	l.emit(Text, 0, l.pos, l.pos+1)
	l.pos++
	l.push(frame{read: inString, quote: '`', count: 1})
	return true
}

// RawString reads Go's `string`.
func RawString(l *Lexer) bool { return l.until("`", l.pos+1) }

// QuotedWord reads an identifier in quotes. With blanks in it it is a text: no
// one asks for such a name.
func QuotedWord(l *Lexer) bool {
	quote, start := l.src[l.pos], l.pos+1
	end := l.find(string(quote), start)
	if end <= start || strings.Contains(l.src[start:end], "\n") {
		return false
	}
	k := Word
	if strings.ContainsAny(l.src[start:end], " \t") {
		k = Text
	}
	l.emit(k, quote, start, end)
	l.pos = end + 1
	return true
}

// style says what a quote means.
type style uint8

const (
	plain    style = iota
	verbatim       // C#'s @""
	holes          // C#'s $""
)

// quoted reads the string whose quote is here and whose token begins at start.
func (l *Lexer) quoted(start int, st style) {
	quote := l.src[l.pos]
	f := frame{read: inString, quote: quote, count: 1, line: true, raw: st == verbatim}
	switch {
	case l.has(TripleQuotes) && l.at(1) == quote && l.at(2) == quote:
		if closer := l.src[l.pos : l.pos+3]; l.find(closer, l.pos+3) >= 0 {
			f.count, f.line = 3, false
			f.raw = l.has(RawTriples)
		}
	case l.has(DoubledQuotes):
		f.raw, f.line = true, l.find(string(quote), l.pos+1) < 0
	case f.raw || l.has(LongStrings):
		f.line = l.find(string(quote), l.pos+1) < 0
	}
	if st == holes {
		f.open = '{'
	}
	at := len(l.toks)
	l.emit(Text, 0, start, l.pos)
	l.pos += int(f.count)
	l.push(f)
	inString(l)
	l.toks[at].End = int32(min(l.pos, len(l.src)))
}

// inString reads up to the end of the string or the next code in it.
func inString(l *Lexer) {
	f := l.top()
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; c {
		case f.quote:
			if endsString(l, f) {
				l.pos += int(f.count)
				l.pop()
				return
			}
			if f.raw && f.count == 1 { // two are one
				l.pos++
			}
		case '\n':
			if f.line {
				l.pop()
				return
			}
		case '\\', '$', '#', '{':
			if before, ok := hole(l, f); ok {
				l.pos += before
				l.enter(l.src[l.pos])
				return
			}
			if c == '$' && f.quote == '"' && l.has(DollarBraces) && classes[l.at(1)] == Letter {
				end := WordEnd(l.src, l.pos+1, false)
				l.quietly(Word, 0, l.pos+1, end)
				l.pos = end
				continue
			}
			if c == '\\' && !f.raw || c == '{' && f.open == '{' { // escapes what follows
				l.pos++
			}
		}
		l.pos++
	}
	l.pos = len(l.src)
}

func endsString(l *Lexer, f *frame) bool {
	if f.count == 3 {
		return l.at(1) == f.quote && l.at(2) == f.quote
	}
	return !f.raw || l.at(1) != f.quote
}

// hole reports whether code begins here in a string, and how many bytes come
// before its bracket.
func hole(l *Lexer, f *frame) (before int, ok bool) {
	switch c := l.src[l.pos]; {
	case c == '{':
		return 0, f.open == '{' && l.at(1) != '{'
	case c == '\\':
		return 1, l.at(1) == '(' && !f.raw && l.has(SlashParens)
	case l.at(1) != '{':
		return 0, false
	case c == '$':
		return 1, f.quote == '`' || f.quote == '"' && l.has(DollarBraces)
	}
	return 1, f.quote == '"' && l.has(HashBraces)
}

// HereDoc reads "<<END" of Ruby. The text is on the lines that follow.
func HereDoc(l *Lexer) bool {
	if l.at(1) != '<' {
		return false
	}
	if c := l.at(2); c == '~' || c == '-' {
		return hereDoc(l, 3)
	}
	return hereDoc(l, 2)
}

// PHPHereDoc reads "<<<END" of PHP.
func PHPHereDoc(l *Lexer) bool {
	if l.at(1) != '<' || l.at(2) != '<' {
		return false
	}
	n := 3
	for l.at(n) == ' ' {
		n++
	}
	return hereDoc(l, n)
}

// hereDoc notes the heredoc whose end mark stands n bytes from here.
func hereDoc(l *Lexer, n int) bool {
	quote := l.at(n)
	if quote == '\'' || quote == '"' {
		n++
	} else {
		quote = 0
	}
	start := l.pos + n
	end := WordEnd(l.src, min(start, len(l.src)), false)
	if end <= start || quote != 0 && (end >= len(l.src) || l.src[end] != quote) {
		return false
	}
	if name := l.src[start:end]; quote == 0 && n != 3 && name[0] > 'Z' {
		return false
	} else if len(l.pending) < MaxMisses {
		l.pending = append(l.pending, name)
	}
	if quote != 0 {
		end++
	}
	l.emit(Text, 0, l.pos, end)
	l.pos = end
	return true
}

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
