package markdown

import (
	"bytes"
)

// htmlEnd says what ends an HTML block: the seven kinds of the specification
// have six ends.
type htmlEnd uint8

const (
	noHTML htmlEnd = iota
	endAtRawTag
	endAtComment
	endAtInstruction
	endAtDeclaration
	endAtCDATA
	endAtBlank
)

// in reports whether the line holds the end of the block.
func (e htmlEnd) in(line []byte) bool {
	switch e {
	case endAtRawTag:
		for {
			i := bytes.Index(line, []byte("</"))
			if i < 0 {
				return false
			}
			line = line[i+2:]
			if n := tagName(line); isRawTag(lower(line[:n])) && n < len(line) && line[n] == '>' {
				return true
			}
		}
	case endAtComment:
		return bytes.Contains(line, []byte("-->"))
	case endAtInstruction:
		return bytes.Contains(line, []byte("?>"))
	case endAtDeclaration:
		return bytes.IndexByte(line, '>') >= 0
	case endAtCDATA:
		return bytes.Contains(line, []byte("]]>"))
	}
	return false
}

// isRawTag reports whether a tag holds text that is no Markdown, up to its end tag.
func isRawTag(name string) bool {
	switch name {
	case "pre", "script", "style", "textarea":
		return true
	}
	return false
}

// isBlockTag reports whether a tag begins an HTML block that ends at a blank line.
func isBlockTag(name string) bool {
	switch name {
	case "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption",
		"center", "col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt",
		"fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2",
		"h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link",
		"main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param",
		"search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title",
		"tr", "track", "ul":
		return true
	}
	return false
}

// lower returns b in lower case, or "" when it is longer than any name we know.
func lower(b []byte) string {
	if len(b) > 16 {
		return ""
	}
	var buf [16]byte
	for i, c := range b {
		if isUpper(c) {
			c |= 0x20
		}
		buf[i] = c
	}
	return string(buf[:len(b)])
}

// tagName returns the length of the tag name b begins with.
func tagName(b []byte) int {
	if len(b) == 0 || !isLetter(b[0]) {
		return 0
	}
	i := 1
	for i < len(b) && (isLetter(b[i]) || isDigit(b[i]) || b[i] == '-') {
		i++
	}
	return i
}

// htmlStart returns the end of the HTML block that line begins, or noHTML. A
// block that begins with any other tag cannot interrupt a paragraph.
func htmlStart(line []byte, inPara bool) htmlEnd {
	if len(line) < 2 {
		return noHTML
	}
	switch c := line[1]; {
	case c == '!':
		switch {
		case bytes.HasPrefix(line, []byte("<!--")):
			return endAtComment
		case bytes.HasPrefix(line, []byte("<![CDATA[")):
			return endAtCDATA
		case len(line) > 2 && isLetter(line[2]):
			return endAtDeclaration
		}
		return noHTML
	case c == '?':
		return endAtInstruction
	}
	at := 1
	if line[1] == '/' {
		at = 2
	}
	n := tagName(line[at:])
	if n == 0 {
		return noHTML
	}
	name := lower(line[at : at+n])
	after := byte('>')
	if at+n < len(line) {
		after = line[at+n]
	}
	ended := after == '>' || after == ' ' || after == '\t'
	if at == 1 && ended && isRawTag(name) {
		return endAtRawTag
	}
	if isBlockTag(name) && (ended || after == '/' && bytes.HasPrefix(line[at+n:], []byte("/>"))) {
		return endAtBlank
	}
	if !inPara && !isRawTag(name) {
		if end := tagEnd(line, 0); end > 0 && isBlank(line[end:]) {
			return endAtBlank
		}
	}
	return noHTML
}

// tagEnd returns the offset after the HTML tag that begins at i in s. When there
// is none it returns a negative number: minus the bytes it read to find out.
func tagEnd(s []byte, i int) int {
	start := i
	i++
	closing := i < len(s) && s[i] == '/'
	if closing {
		i++
	}
	n := tagName(s[min(i, len(s)):])
	if n == 0 {
		return -1
	}
	for i += n; ; {
		j := skipSpace(s, i)
		if j >= len(s) {
			return start - j
		}
		switch c := s[j]; {
		case c == '>':
			return j + 1
		case closing:
			return start - j
		case c == '/':
			if j+1 < len(s) && s[j+1] == '>' {
				return j + 2
			}
			return start - j
		case j == i || !isLetter(c) && c != '_' && c != ':':
			return start - j
		}
		if _, _, i = attribute(s, j); i < 0 {
			return start - len(s)
		}
	}
}

// attribute reads the attribute whose name begins at i. It returns the end of
// its name, the offset of its value's first byte (0 when it has none), and the
// offset after it, or -1.
func attribute(s []byte, i int) (name, value, after int) {
	for i < len(s) && (isWord(s[i]) || s[i] == ':' || s[i] == '.') {
		i++
	}
	name = i
	j := skipSpace(s, i)
	if j >= len(s) || s[j] != '=' {
		return name, 0, i
	}
	j = skipSpace(s, j+1)
	if j >= len(s) {
		return name, 0, -1
	}
	if q := s[j]; q == '"' || q == '\'' {
		n := bytes.IndexByte(s[j+1:], q)
		if n < 0 {
			return name, 0, -1
		}
		return name, j + 1, j + n + 2
	}
	k := j
	for k < len(s) && !isSpace(s[k]) && bytes.IndexByte([]byte("\"'=<>`"), s[k]) < 0 {
		k++
	}
	if k == j {
		return name, 0, -1
	}
	return name, j, k
}

func skipSpace(s []byte, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

// endsComment reports whether nothing follows the comment that ends on line.
func endsComment(line []byte) bool {
	i := bytes.Index(line, commentEnd)
	return i >= 0 && isBlank(line[i+3:])
}

// markupEnd returns the offset after the tag, comment, instruction or the like
// that begins at i in s. When "<" is just a character it returns a negative
// number: minus the bytes it read to find out.
func markupEnd(s []byte, i int) int {
	find := func(from int, end string) int {
		if n := bytes.Index(s[from:], []byte(end)); n >= 0 {
			return from + n + len(end)
		}
		return i - len(s)
	}
	rest := s[i:]
	if len(rest) < 2 {
		return -1
	}
	switch c := rest[1]; {
	case c == '/' || isLetter(c):
		return tagEnd(s, i)
	case c == '?':
		return find(i+2, "?>")
	case c != '!':
	case bytes.HasPrefix(rest, []byte("<!-->")):
		return i + 5
	case bytes.HasPrefix(rest, []byte("<!--->")):
		return i + 6
	case bytes.HasPrefix(rest, []byte("<!--")):
		return find(i+4, "-->")
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		return find(i+9, "]]>")
	case len(rest) > 2 && isLetter(rest[2]):
		return find(i+2, ">")
	}
	return -1
}
