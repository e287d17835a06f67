package symbol

import "strings"

// Strings that may hold code. What is between "${" and "}" (or "#{" and "}", or
// "\(" and ")") is lexed like any code, to any depth: the lexer keeps a stack of
// frames, of which the top one says what it is in. The brackets of such code
// are tokens, so that the code is a group like a body or a call.

type frame struct {
	kind  frameKind
	quote byte   // of a string
	count uint8  // how many of them close it
	multi bool   // the string may span lines
	raw   bool   // a backslash is a backslash, two quotes are one
	open  byte   // of code: the bracket that nests
	depth int32  // of code: how many of them are open
	name  string // of children: the element
}

type frameKind uint8

const (
	codeFrame   frameKind = iota // in brackets inside one of the others
	stringFrame                  // in a string
	tagFrame                     // in <tag ...>
	childFrame                   // between <tag> and </tag>
)

// style says what a quote means.
type style uint8

const (
	plain    style = iota
	verbatim       // C#'s @""
	holes          // C#'s $""
)

// quoted reads the string whose quote is here and whose token begins at start.
func (l *lexer) quoted(start int, st style) {
	quote := l.src[l.pos]
	f := frame{kind: stringFrame, quote: quote, count: 1, raw: st == verbatim}
	switch {
	case l.has(tripleQuotes) && l.at(1) == quote && l.at(2) == quote:
		if closer := l.src[l.pos : l.pos+3]; l.find(closer, l.pos+3) >= 0 {
			f.count, f.multi = 3, true
			f.raw = l.syn.lang == "kotlin"
		}
	case l.has(sqlQuotes):
		f.raw, f.multi = true, l.find(string(quote), l.pos+1) >= 0
	case f.raw || l.has(hereDocs) || l.syn.lang == "rust":
		f.multi = l.find(string(quote), l.pos+1) >= 0
	}
	if st == holes {
		f.open = '{'
	}
	at := len(l.toks)
	l.emit(text, 0, start, l.pos)
	l.pos += int(f.count)
	l.push(f)
	l.inString(&l.frames[len(l.frames)-1])
	l.toks[at].end = int32(min(l.pos, len(l.src)))
}

// template reads the beginning of a `string`, if it has an end.
func (l *lexer) template() bool {
	if l.find("`", l.pos+1) < 0 {
		return false
	}
	l.emit(text, 0, l.pos, l.pos+1)
	l.pos++
	l.push(frame{kind: stringFrame, quote: '`', count: 1, multi: true})
	return true
}

func (l *lexer) push(f frame) {
	if f.kind == stringFrame && !f.multi {
		l.singles++
	}
	l.frames = append(l.frames, f)
}

func (l *lexer) pop() {
	f := l.frames[len(l.frames)-1]
	if f.kind == stringFrame && !f.multi {
		l.singles--
	}
	l.frames = l.frames[:len(l.frames)-1]
}

// enter begins code inside a string or an element, behind its opening bracket.
func (l *lexer) enter(open byte, size int) {
	l.emit(mark, open, l.pos, l.pos+size)
	l.pos += size
	l.push(frame{kind: codeFrame, open: open})
}

// bracket leaves the code that c closes. The mark is already a token.
func (l *lexer) bracket(c byte) {
	f := &l.frames[len(l.frames)-1]
	switch {
	case c == f.open:
		f.depth++
	case c != closerOf(f.open):
	case f.depth > 0:
		f.depth--
	default:
		l.pop()
	}
}

func closerOf(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	}
	return 0
}

// unwind leaves all strings that may not span lines, and what is in them.
func (l *lexer) unwind() {
	for l.singles > 0 {
		if f := l.frames[len(l.frames)-1]; f.kind == codeFrame {
			l.emit(mark, closerOf(f.open), l.pos, l.pos)
		}
		l.pop()
	}
}

// inFrame goes on with what the top frame is in.
func (l *lexer) inFrame(f *frame) {
	switch f.kind {
	case stringFrame:
		l.inString(f)
	case tagFrame:
		l.inTag()
	case childFrame:
		l.inChildren()
	}
}

// inString reads up to the end of the string or the next code in it.
func (l *lexer) inString(f *frame) {
	template := f.quote == '`'
	for l.pos < len(l.src) {
		c := l.src[l.pos]
		switch {
		case c == f.quote:
			if f.count == 3 && (l.at(1) != c || l.at(2) != c) {
				break
			}
			if f.raw && f.count == 1 && l.at(1) == c {
				l.pos++
				break
			}
			l.pos += int(f.count)
			l.pop()
			return
		case c == '\n' && !f.multi:
			l.pop()
			return
		case c == '\\' && !f.raw:
			if l.at(1) == '(' && l.has(slashParens) {
				l.pos++
				l.enter('(', 1)
				return
			}
			l.pos++
		case c == '$' && (template || f.quote == '"' && l.has(dollarBraces)):
			if l.at(1) == '{' {
				l.pos++
				l.enter('{', 1)
				return
			}
			if !template && classes[l.at(1)] == letter {
				end := wordEnd(l.src, l.pos+1, false)
				l.emit(word, 0, l.pos+1, end)
				l.toks[len(l.toks)-1].quiet = true
				l.pos = end
				continue
			}
		case c == '#' && l.at(1) == '{' && f.quote == '"' && l.has(hashBraces):
			l.pos++
			l.enter('{', 1)
			return
		case c == '{' && f.open == '{':
			if l.at(1) == '{' {
				l.pos++
				break
			}
			l.enter('{', 1)
			return
		}
		l.pos++
	}
	l.pos = len(l.src)
}

// dollar reads what begins with "$": PHP's variables, C#'s strings with code,
// PostgreSQL's bodies, and the identifiers of languages where it is a letter.
func (l *lexer) dollar() bool {
	switch {
	case l.has(dollarWords):
		l.word()
		return true
	case l.has(phpTags):
		if end := wordEnd(l.src, l.pos+1, false); end > l.pos+1 {
			l.emit(word, '$', l.pos+1, end)
			l.pos = end
			return true
		}
	case l.has(sqlQuotes):
		end := wordEnd(l.src, l.pos+1, false)
		if end < len(l.src) && l.src[end] == '$' {
			return l.until(l.src[l.pos:end+1], end+1)
		}
	case l.syn.lang == "csharp":
		return l.verbatim()
	}
	return false
}

// verbatim reads C#'s @"", $"", $@"" and @$"".
func (l *lexer) verbatim() bool {
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

// percent reads Ruby's %w[], %q() and the like.
func (l *lexer) percent() bool {
	n := 1
	if strings.IndexByte("wWiIqQrsx", l.at(1)) >= 0 && l.at(1) != 0 {
		n = 2
	}
	open := l.at(n)
	if n == 1 && open != '(' && open != '{' && open != '[' || classes[open] != punct || !l.operand() {
		return false
	}
	closer := closerOf(open)
	if closer == 0 {
		closer = open
	}
	return l.until(string(closer), l.pos+n+1)
}
