package symbol

import "strings"

// JSX inside JavaScript. In a tag, names are tokens of their own kind: they are
// used, but "<label for=...>" is no loop. Text between tags is skipped, and
// with it its apostrophes. An element whose closing tag does not come (a type
// parameter, HTML's <br>, an elided example) is a tag and nothing more.

// element reads the "<" of a tag, if it is one.
func (l *lexer) element() bool {
	c := l.at(1)
	opens := classes[c] == letter || c == '>'
	if !opens && (c != '/' || !l.first) {
		return false
	}
	if !l.operand() && !(l.first && l.lineBreaks()) {
		return false
	}
	if opens && c != '>' && l.syn.lang == "tsx" && l.typeParameter() {
		return false
	}
	l.push(frame{kind: tagFrame})
	l.openTag()
	return true
}

// lineBreaks reports whether the token before may end a statement, so that a
// line that begins with a tag is not a comparison.
func (l *lexer) lineBreaks() bool {
	t := l.toks[len(l.toks)-1]
	return t.kind != mark || t.mark == ')' || t.mark == ']' || t.mark == '}'
}

// typeParameter tells "<T,>(" and "<T extends X>(" from a tag.
func (l *lexer) typeParameter() bool {
	rest := strings.TrimLeft(l.src[wordEnd(l.src, l.pos+1, true):], " ")
	return strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, "extends ")
}

// openTag reads "<name" or "</name" and notes the name in the tag's frame.
func (l *lexer) openTag() {
	f := &l.frames[len(l.frames)-1]
	l.pos++
	if l.at(0) == '/' {
		f.raw = true // a closing tag
		l.pos++
	}
	start := l.pos
	for {
		end := wordEnd(l.src, l.pos, true)
		if end > l.pos {
			l.quietly(word, 0, l.pos, end)
			l.pos = end
		}
		if c := l.at(0); c != '.' && c != '-' && c != ':' {
			break
		}
		l.quietly(mark, l.at(0), l.pos, l.pos+1)
		l.pos++
	}
	f.name = l.src[start:l.pos]
	if l.at(0) == '<' { // type arguments
		if end := strings.IndexAny(l.src[l.pos:min(len(l.src), l.pos+200)], "\n"); end < 0 || strings.Contains(l.src[l.pos:l.pos+end], ">") {
			l.skipAngles()
		}
	}
}

// skipAngles passes over "<...>" in a tag.
func (l *lexer) skipAngles() {
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

// quietly emits a token that declares nothing.
func (l *lexer) quietly(k kind, m byte, start, end int) {
	l.emit(k, m, start, end)
	l.toks[len(l.toks)-1].quiet = true
}

// inTag reads one piece of a tag.
func (l *lexer) inTag() {
	c := l.src[l.pos]
	switch {
	case c == '>':
		l.pos++
		l.closeTag(false)
	case c == '/' && l.at(1) == '>':
		l.pos += 2
		l.closeTag(true)
	case c == '/' && l.at(1) == '/':
		l.pos = l.lineEnd(l.pos)
	case c == '/' && l.at(1) == '*':
		l.comment()
	case c == '{':
		l.enter('{', 1)
	case c == '"' || c == '\'':
		if end := l.find(string(c), l.pos+1); end >= 0 {
			l.pos = end
		}
		l.pos++
	case c == '\n':
		l.pos++
		l.startLine()
	case classes[c] == letter:
		end := wordEnd(l.src, l.pos, true)
		l.quietly(word, 0, l.pos, end)
		l.pos = end
	default:
		l.pos++
	}
}

// closeTag ends the tag. What follows are children, if the element closes
// somewhere, or what came before it.
func (l *lexer) closeTag(empty bool) {
	f := l.frames[len(l.frames)-1]
	l.pop()
	switch {
	case f.raw:
		l.leave(f.name)
	case !empty && l.closes(f.name):
		l.push(frame{kind: childFrame, name: f.name})
		return
	}
	if n := len(l.frames); n == 0 || l.frames[n-1].kind == codeFrame {
		l.quietly(text, 0, l.pos, l.pos) // the element is a value
	}
}

// leave ends the children of the nearest element of that name. Few levels are
// looked at: closing tags without an opening one must not cost more.
func (l *lexer) leave(name string) {
	const levels = 8
	for i, n := len(l.frames)-1, 0; i >= 0 && n < levels && l.frames[i].kind == childFrame; i, n = i-1, n+1 {
		if l.frames[i].name == name {
			l.frames = l.frames[:i]
			return
		}
	}
}

// closes reports whether a closing tag of that name comes after this place.
func (l *lexer) closes(name string) bool {
	if l.closing == nil {
		l.closing = map[string]int{}
		for from := 0; ; {
			i := strings.Index(l.src[from:], "</")
			if i < 0 {
				break
			}
			from += i + 2
			end := from
			for end < len(l.src) && (classes[l.src[end]] == letter || classes[l.src[end]] == digit || strings.IndexByte(".-:$", l.src[end]) >= 0) {
				end++
			}
			l.closing[l.src[from:end]] = from
		}
	}
	at, ok := l.closing[name]
	return ok && at > l.pos
}

// inChildren reads one piece of what is between tags.
func (l *lexer) inChildren() {
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
		l.enter('{', 1)
		return
	}
	if c := l.at(1); classes[c] == letter || c == '>' || c == '/' {
		l.push(frame{kind: tagFrame})
		l.openTag()
		return
	}
	l.pos++
}
