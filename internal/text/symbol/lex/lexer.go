// Package lex cuts code into words, numbers, strings and marks, drops blanks
// and comments, and pairs brackets. One lexer serves all languages: a Grammar
// says how a language is written.
//
// The lexer never goes back, so it is linear; what spans lines and is never
// closed (a comment, a raw string, a template) ends at its line.
package lex

import (
	"strings"
	"unicode/utf8"
)

// A Lexer cuts block after block with the same buffers. The zero value is
// ready.
type Lexer struct {
	src     string
	grammar *Grammar
	habits  Habits
	toks    []Token
	pos     int
	first   bool   // the next token is the first of its line
	indent  uint16 // of the line
	misses  int    // closers looked for and not found
	noRegex int    // up to here a slash divides

	frames  []frame
	singles int            // frames that a newline ends
	closing map[string]int // where elements of a name close last; nil until asked
	pending []string       // ends of the heredocs that begin on the next line
	session *Session       // that the block is the record of, or nil

	pairs pairer
}

// Lex cuts src, which is less than 2 GiB long, into the tokens of c. They are
// valid until the next call.
func (l *Lexer) Lex(c *Code, src string, g *Grammar) {
	l.reset(src, g)
	if g.Begin != nil {
		g.Begin(l)
	}
	l.startLine()
	for l.pos < len(l.src) {
		if n := len(l.frames); n > 0 && l.frames[n-1].read != nil {
			l.frames[n-1].read(l)
			continue
		}
		l.token()
	}
	*c = Code{Src: src, Toks: l.toks, keywords: &g.Keywords, boundary: g.Boundary}
	c.margin = l.pairs.pair(c)
}

// reset makes l ready for src. What it holds on to is small, or about as large
// as the largest block so far.
func (l *Lexer) reset(src string, g *Grammar) {
	if cap(l.toks) == 0 {
		l.toks = make([]Token, 0, len(src)/4+8)
	}
	*l = Lexer{
		src: src, grammar: g, habits: g.Habits, session: sessionOf(g.Sessions, src),
		toks: l.toks[:0], frames: l.frames[:0], pending: l.pending[:0], pairs: l.pairs,
	}
}

func (l *Lexer) has(h Habits) bool { return l.habits&h != 0 }

// at returns the byte n places from here, or 0 beyond the end.
func (l *Lexer) at(n int) byte {
	if l.pos+n < len(l.src) {
		return l.src[l.pos+n]
	}
	return 0
}

// emit appends the token that ends here.
func (l *Lexer) emit(k Kind, m byte, start, end int) {
	l.toks = append(l.toks, Token{
		Kind: k, Mark: m, First: l.first, Indent: l.indent, Start: int32(start), End: int32(end),
	})
	l.first = false
}

// quietly emits a token that declares nothing.
func (l *Lexer) quietly(k Kind, m byte, start, end int) {
	l.emit(k, m, start, end)
	l.toks[len(l.toks)-1].Quiet = true
}

// token reads one token, or skips blanks and comments, in code.
func (l *Lexer) token() {
	c := l.src[l.pos]
	switch classes[c] {
	case Blank:
		for l.pos++; l.pos < len(l.src) && l.src[l.pos] == ' '; l.pos++ {
		}
	case Newline:
		if l.singles > 0 {
			l.unwind()
		}
		l.pos++
		l.startLine()
	case Letter, Wide:
		l.word()
	case Digit:
		l.number()
	default:
		if read := l.grammar.Readers[c&0x7f]; read != nil && read(l) || c == '\\' && l.continued() {
			return
		}
		l.pos++
		l.emit(Mark, c, l.pos-1, l.pos)
		if len(l.frames) > 0 {
			l.bracket(c)
		}
	}
}

// word reads an identifier. A rune beyond ASCII that is no letter is a mark.
func (l *Lexer) word() {
	start := l.pos
	l.pos = WordEnd(l.src, start, l.has(DollarWords))
	if l.pos == start {
		_, size := utf8.DecodeRuneInString(l.src[start:])
		l.pos += size
		l.emit(Mark, 0xff, start, l.pos)
		return
	}
	if l.pos < len(l.src) {
		c := l.src[l.pos]
		if (c == '"' || c == '\'' || c == '#' || c == '`') && l.grammar.Prefixed != nil && l.grammar.Prefixed(l, start) {
			return
		}
		if (c == '?' || c == '!') && l.has(QuerySuffix) && l.at(1) != '=' && l.at(1) != ':' {
			l.pos++
		}
	}
	l.emit(Word, 0, start, l.pos)
}

// number reads a numeric literal, suffixes and exponents included, but not the
// dots of a range or of a method call.
func (l *Lexer) number() {
	start := l.pos
	for ; l.pos < len(l.src); l.pos++ {
		c := l.src[l.pos]
		digits := wordBytes[c] || c == '.' && IsDigit(l.at(1))
		exponent := (c == '+' || c == '-') && l.src[l.pos-1]|0x20 == 'e' && IsDigit(l.at(1))
		quote := c == '\'' && l.has(DigitQuotes) && IsDigit(l.src[l.pos-1]) && IsDigit(l.at(1)) // 1'000'000
		if !digits && !exponent && !quote {
			break
		}
	}
	if l.at(0) == '.' && l.endsNumber(start) {
		l.pos++
	}
	l.emit(Number, 0, start, l.pos)
}

// endsNumber reports whether the dot here is the last byte of the number that begins at
// start, as in "8." for 8.0: it is the only dot, and what follows is neither another nor a
// name. The line does not go on behind it.
func (l *Lexer) endsNumber(start int) bool {
	if start > 0 && l.src[start-1] == '.' || strings.IndexByte(l.src[start:l.pos], '.') >= 0 {
		return false
	}
	next := l.at(1)
	return next != '.' && classes[next] != Letter && classes[next] != Wide
}

// MaxMisses bounds the searches for a closer that does not come. Each costs up
// to the length of the block; code that is not hostile has none or one.
const MaxMisses = 16

// find returns the position of what closes a construct that may span lines,
// from here on, or -1.
func (l *Lexer) find(closer string, from int) int {
	if from > len(l.src) || l.misses >= MaxMisses {
		return -1
	}
	i := strings.Index(l.src[from:], closer)
	if i < 0 {
		l.misses++
		return -1
	}
	return from + i
}

// until reads a string without escapes that may span lines.
func (l *Lexer) until(closer string, from int) bool {
	end := l.find(closer, from)
	if end < 0 {
		return false
	}
	l.emit(Text, 0, l.pos, end+len(closer))
	l.pos = end + len(closer)
	return true
}

// lineEnd returns the position of the newline that ends the line of pos.
func (l *Lexer) lineEnd(pos int) int {
	return pos + LineLen(l.src[pos:])
}

// Code may stand inside of strings and of JSX elements, and they in it, to any
// depth: the lexer keeps a stack of frames, of which the top one says what it
// is in. The brackets of such code are tokens, so that the code is a group like
// a body or a call.

type frame struct {
	read     func(l *Lexer) // goes on with what the frame is in; nil for code
	children bool           // it is in an element, between its tags
	quote    byte           // of a string
	count    uint8          // how many of them close it
	line     bool           // the string ends with its line
	raw      bool           // a backslash is a backslash, two quotes are one
	open     byte           // of code: the bracket that nests; of a string: the one that begins code
	depth    int32          // of code: how many of them are open
	name     string         // of a tag or children: the element
}

func (l *Lexer) push(f frame) {
	if f.line {
		l.singles++
	}
	l.frames = append(l.frames, f)
}

func (l *Lexer) pop() {
	if l.top().line {
		l.singles--
	}
	l.frames = l.frames[:len(l.frames)-1]
}

func (l *Lexer) top() *frame { return &l.frames[len(l.frames)-1] }

// enter begins code inside a string or an element, at its opening bracket.
func (l *Lexer) enter(open byte) {
	l.emit(Mark, open, l.pos, l.pos+1)
	l.pos++
	l.push(frame{open: open})
}

// bracket leaves the code that c closes. The mark is already a token.
func (l *Lexer) bracket(c byte) {
	f := l.top()
	switch {
	case c == f.open:
		f.depth++
	case c != CloserOf(f.open):
	case f.depth > 0:
		f.depth--
	default:
		l.pop()
	}
}

// unwind leaves all strings that end with their line, and what is in them.
func (l *Lexer) unwind() {
	for l.singles > 0 {
		if f := l.top(); f.read == nil {
			l.emit(Mark, CloserOf(f.open), l.pos, l.pos)
		}
		l.pop()
	}
}
