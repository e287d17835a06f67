package lex

import "strings"

// JSX inside JavaScript. In a tag, names are tokens of their own kind: they are
// used, but "<label for=...>" is no loop. Text between tags is skipped, and
// with it its apostrophes. An element whose closing tag does not come (a type
// parameter, HTML's <br>, an elided example) is a tag and nothing more.

// Element reads the "<" of a tag, if it is one.
func Element(l *Lexer) bool {
	if !opensTag(l) {
		return false
	}
	l.push(frame{read: inTag})
	openTag(l)
	return true
}

// TypedElement is Element where "<T>" may also be a type parameter.
func TypedElement(l *Lexer) bool {
	return !(classes[l.at(1)] == Letter && typeParameter(l)) && Element(l)
}

// opensTag reports whether the "<" here begins a tag.
func opensTag(l *Lexer) bool {
	c := l.at(1)
	if classes[c] != Letter && c != '>' && (c != '/' || !l.first) {
		return false
	}
	return l.operand() || l.first && lineBreaks(l)
}

// lineBreaks reports whether the token before may end a statement, so that a
// line that begins with a tag is not a comparison.
func lineBreaks(l *Lexer) bool {
	t := l.toks[len(l.toks)-1]
	return t.Kind != Mark || t.Mark == ')' || t.Mark == ']' || t.Mark == '}'
}

// typeParameter tells "<T,>(" and "<T extends X>(" from a tag.
func typeParameter(l *Lexer) bool {
	rest := strings.TrimLeft(l.src[WordEnd(l.src, l.pos+1, true):], " ")
	return strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, "extends ")
}

// openTag reads "<name" or "</name" and notes the name in the tag's frame.
func openTag(l *Lexer) {
	f := l.top()
	l.pos++
	if l.at(0) == '/' {
		f.raw = true // a closing tag
		l.pos++
	}
	start := l.pos
	for {
		end := WordEnd(l.src, l.pos, true)
		if end > l.pos {
			l.quietly(Word, 0, l.pos, end)
			l.pos = end
		}
		if c := l.at(0); c != '.' && c != '-' && c != ':' {
			break
		}
		l.quietly(Mark, l.at(0), l.pos, l.pos+1)
		l.pos++
	}
	f.name = l.src[start:l.pos]
	if l.at(0) == '<' { // type arguments
		if end := strings.IndexAny(l.src[l.pos:min(len(l.src), l.pos+200)], "\n"); end < 0 || strings.Contains(l.src[l.pos:l.pos+end], ">") {
			skipAngles(l)
		}
	}
}

// skipAngles passes over "<...>" in a tag.
func skipAngles(l *Lexer) {
	depth := 0
	for i := l.pos; i < len(l.src) && i < l.pos+200; i++ {
		switch l.src[i] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				l.pos = i + 1
				return
			}
		}
	}
}

func inTag(l *Lexer) {
	c := l.src[l.pos]
	switch {
	case c == '>':
		l.pos++
		closeTag(l, false)
	case c == '/' && l.at(1) == '>':
		l.pos += 2
		closeTag(l, true)
	case c == '/' && l.at(1) == '/':
		l.pos = l.lineEnd(l.pos)
	case c == '/' && l.at(1) == '*':
		blockComment(l)
	case c == '{':
		l.enter('{')
	case c == '"' || c == '\'':
		if end := l.find(string(c), l.pos+1); end >= 0 {
			l.pos = end
		}
		l.pos++
	case c == '\n':
		l.pos++
		l.startLine()
	case classes[c] == Letter:
		end := WordEnd(l.src, l.pos, true)
		l.quietly(Word, 0, l.pos, end)
		l.pos = end
	default:
		l.pos++
	}
}

// closeTag ends the tag. What follows are children, if the element closes
// somewhere, or what came before it.
func closeTag(l *Lexer, empty bool) {
	f := *l.top()
	l.pop()
	switch {
	case f.raw:
		leave(l, f.name)
	case !empty && closes(l, f.name):
		l.push(frame{read: inChildren, name: f.name, children: true})
		return
	}
	if n := len(l.frames); n == 0 || l.frames[n-1].read == nil {
		l.quietly(Text, 0, l.pos, l.pos) // the element is a value
	}
}

// leave ends the children of the nearest element of that name. Few levels are
// looked at: closing tags without an opening one must not cost more.
func leave(l *Lexer, name string) {
	const levels = 8
	for i, n := len(l.frames)-1, 0; i >= 0 && n < levels && l.frames[i].children; i, n = i-1, n+1 {
		if l.frames[i].name == name {
			l.frames = l.frames[:i]
			return
		}
	}
}

// closes reports whether a closing tag of that name comes after this place.
func closes(l *Lexer, name string) bool {
	if l.closing == nil {
		l.closing = map[string]int{}
		for from := 0; ; {
			i := strings.Index(l.src[from:], "</")
			if i < 0 {
				break
			}
			from += i + 2
			end := from
			for end < len(l.src) && (classes[l.src[end]] == Letter || classes[l.src[end]] == Digit || strings.IndexByte(".-:$", l.src[end]) >= 0) {
				end++
			}
			l.closing[l.src[from:end]] = from
		}
	}
	at, ok := l.closing[name]
	return ok && at > l.pos
}

// inChildren reads one piece of what is between tags.
func inChildren(l *Lexer) {
	i := strings.IndexAny(l.src[l.pos:], "{<")
	if i < 0 {
		l.pos = len(l.src)
		return
	}
	if nl := strings.LastIndexByte(l.src[l.pos:l.pos+i], '\n'); nl >= 0 {
		at := l.pos + i
		l.pos += nl + 1
		l.startLine()
		i = at - l.pos
	}
	if l.pos += i; l.pos >= len(l.src) {
		return
	}
	if l.src[l.pos] == '{' {
		l.enter('{')
		return
	}
	if c := l.at(1); classes[c] == Letter || c == '>' || c == '/' {
		l.push(frame{read: inTag})
		openTag(l)
		return
	}
	l.pos++
}
