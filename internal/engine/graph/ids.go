package graph

import (
	"bytes"
	"html"

	"github.com/docent-md/docent/doc"
)

// Beside headings a place may be named by an HTML id or name, by an attribute list
// {#id} (Hugo, MkDocs, VitePress), by Obsidian's ^id at the end of a block, by the
// rules of a specification that mdBook knows as r[id] on a line of their own, and by
// the terms that MDN explains in lists:
//
//	- `capture` {{optional_inline}}
//	  - : A boolean value.

// maxID is the length of the longest id.
const maxID = 128

// id reads the id at a hit. Rule ids can be pointed at from any file.
func (p *prose) id(h hit) (id string, rule bool) {
	src := p.d.Source
	switch h.kind {
	case idHit:
		b := p.block(h.at, false)
		if b == nil || !inTag(src[b.Span.Start:h.at]) {
			return "", false
		}
		at := h.at + 1
		if before, ok := bytes.CutSuffix(src[b.Span.Start:h.at], []byte("name")); ok && !isNamed(before) {
			return "", false
		}
		if at >= len(src) || src[at] != '"' && src[at] != '\'' {
			return "", false
		}
		n := bytes.IndexByte(src[at+1:min(len(src), at+1+maxID)], src[at])
		if n <= 0 || bytes.ContainsAny(src[at+1:at+1+n], "{}<> \n\x00") {
			return "", false
		}
		return html.UnescapeString(string(src[at+1 : at+1+n])), false
	case braceHit: // those of headings are their anchors
		b := p.block(h.at, false)
		if b == nil || b.Kind != doc.Paragraph && b.Kind != doc.Table {
			return "", false
		}
		at := h.at + bytes.IndexByte(src[h.at:], '#') + 1
		n := idLen(src[at:])
		if n == 0 || at+n >= len(src) || src[at+n] != '}' && src[at+n] != ' ' {
			return "", false
		}
		return string(src[at : at+n]), false
	case blockHit:
		if p.block(h.at, false) == nil {
			return "", false
		}
		n := idLen(src[h.at+1:])
		end := h.at + 1 + n
		for end < len(src) && (src[end] == ' ' || src[end] == '\r') {
			end++
		}
		if end < len(src) && src[end] != '\n' {
			return "", false
		}
		return string(src[h.at : h.at+1+n]), false
	case ruleHit:
		at := h.at
		if p.block(at, false) == nil {
			return "", false
		}
		n := idLen(src[at+2:])
		end := at + 2 + n
		if n == 0 || end >= len(src) || src[end] != ']' || end+1 < len(src) && src[end+1] != '\n' && src[end+1] != '\r' {
			return "", false
		}
		return string(src[at+2 : end]), true
	case termHit:
		if p.block(h.at+len("- "), false) != nil { // the colon: what follows may be code
			return term(src[:h.at]), false
		}
	}
	return "", false
}

// term returns the id of the term on the line before the end of b, which ends
// with the white space before its explanation.
func term(b []byte) string {
	b = bytes.TrimRight(b[max(0, len(b)-2*maxID):], " \t")
	if len(b) == 0 || b[len(b)-1] != '\n' {
		return ""
	}
	b = bytes.TrimRight(b, " \t\r\n")
	i := bytes.LastIndexByte(b, '\n')
	if i < 0 {
		return ""
	}
	line, ok := bytes.CutPrefix(bytes.TrimLeft(b[i+1:], " \t"), []byte("- "))
	if !ok {
		return ""
	}
	line = bytes.TrimPrefix(line, []byte("["))
	if code, ok := bytes.CutPrefix(line, []byte("`")); ok {
		line, _, _ = bytes.Cut(code, []byte("`")) // what follows says more about it
	}
	if i := bytes.Index(line, []byte("](")); i >= 0 {
		line = line[:i]
	}
	if i := bytes.Index(line, []byte("{{")); i >= 0 { // a badge
		line = line[:i]
	}
	id := bytes.ToLower(bytes.TrimSpace(line))
	if len(id) > maxID {
		return ""
	}
	for i, c := range id {
		if c == ' ' {
			id[i] = '_'
		}
	}
	return string(bytes.TrimRight(id, "_"))
}

// isNamed reports whether a tag that begins so is a place by its name, which
// those of forms are not: "<a " or "<h2 ".
func isNamed(before []byte) bool {
	s := bytes.TrimRight(before[max(0, len(before)-8):], " \t\n")
	i := bytes.LastIndexByte(s, '<')
	if i < 0 {
		return false
	}
	tag := s[i+1:]
	return string(tag) == "a" || string(tag) == "p" || len(tag) == 2 && tag[0] == 'h' && isDigit(tag[1]) || string(tag) == "span" || string(tag) == "div"
}

// inTag reports whether the text before an attribute ends within a tag.
func inTag(before []byte) bool {
	before = before[max(0, len(before)-512):]
	return bytes.LastIndexByte(before, '<') > bytes.LastIndexByte(before, '>')
}

func isIDByte(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '-' || c == '_' || c == '.' || c >= 0x80
}

// idLen returns the length of the id that b begins with.
func idLen(b []byte) int {
	n := 0
	for n < len(b) && n < maxID && isIDByte(b[n]) {
		n++
	}
	return n
}
