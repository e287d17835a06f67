package markdown

import "bytes"

// htmlEnd says what ends an HTML block: the seven kinds of the specification
// have six ends. The seventh is that of MkDocs.
type htmlEnd uint8

const (
	noHTML htmlEnd = iota
	endAtRawTag
	endAtComment
	endAtInstruction
	endAtDeclaration
	endAtCDATA
	endAtBlank
	endAtTag // <figure markdown>: what follows is Markdown
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
	case endAtTag:
		return true
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
	switch line[1] {
	case '!':
		return declarationEnd(line)
	case '?':
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
		if at == 1 && holdsMarkdown(line) {
			return endAtTag
		}
		return endAtBlank
	}
	if !inPara && !isRawTag(name) {
		if end := tagEnd(line, 0); end > 0 && isBlank(line[end:]) {
			return endAtBlank
		}
	}
	return noHTML
}

// declarationEnd is htmlStart for a line that begins with "<!".
func declarationEnd(line []byte) htmlEnd {
	switch {
	case bytes.HasPrefix(line, []byte("<!--")):
		return endAtComment
	case bytes.HasPrefix(line, []byte("<![CDATA[")):
		return endAtCDATA
	case len(line) > 2 && isLetter(line[2]):
		return endAtDeclaration
	}
	return noHTML
}

// holdsMarkdown reports whether line is a tag, and nothing else, with the attribute by
// which writers of MkDocs say that Markdown is in the element: markdown, or markdown="span".
func holdsMarkdown(line []byte) bool {
	if !bytes.Contains(line, []byte("markdown")) {
		return false
	}
	end := tagEnd(line, 0)
	if end < 0 || !isBlank(line[end:]) {
		return false
	}
	for i := 1 + tagName(line[1:]); ; {
		i = skipSpace(line, i)
		name, value, after := attribute(line, i)
		if after <= i {
			return false
		}
		if string(line[i:name]) == "markdown" {
			return value == 0 || line[value] != '0'
		}
		i = after
	}
}

// endsComment reports whether nothing follows the comment that ends on line.
func endsComment(line []byte) bool {
	i := bytes.Index(line, commentEnd)
	return i >= 0 && isBlank(line[i+3:])
}

var commentEnd = []byte("-->")
