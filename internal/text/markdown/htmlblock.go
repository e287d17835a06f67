package markdown

import "bytes"

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

// endsComment reports whether nothing follows the comment that ends on line.
func endsComment(line []byte) bool {
	i := bytes.Index(line, commentEnd)
	return i >= 0 && isBlank(line[i+3:])
}

var commentEnd = []byte("-->")
