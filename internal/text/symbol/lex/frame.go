package lex

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
