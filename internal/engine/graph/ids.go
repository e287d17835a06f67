package graph

import (
	"bytes"
	"html"

	"github.com/docent-md/docent/doc"
)

// Besides headings, a place may be named by an HTML id or name, by an attribute list
// {#id} (Hugo, MkDocs, VitePress), by Obsidian's ^id at the end of a block, by the
// rules of a specification that mdBook knows as r[id] on a line of their own, and by
// the terms that MDN explains in lists:
//
//	- `capture` {{optional_inline}}
//	  - : A boolean value.

const maxID = 128

// id reads the id at a hit. Rule ids can be pointed at from any file.
func (p *prose) id(h hit) (id string, rule bool) {
	at := h.at
	if h.kind == termHit {
		at += len("- ") // the colon: what follows may be code
	}
	b := p.block(at, false)
	if b == nil {
		return "", false
	}
	src := p.d.Source
	switch h.kind {
	case idHit:
		return attributeID(src[b.Span.Start:h.at], src[h.at+1:]), false
	case braceHit: // those of headings are their anchors
		if b.Kind == doc.Paragraph || b.Kind == doc.Table {
			return braceID(src[h.at:]), false
		}
	case blockHit:
		return blockID(src[h.at:]), false
	case ruleHit:
		return ruleIDOf(src[h.at:]), true
	case termHit:
		return term(src[:h.at]), false
	}
	return "", false
}

// attributeID returns the value of an id or name attribute: before ends with the
// attribute and after begins with the value.
func attributeID(before, after []byte) string {
	if tag, ok := bytes.CutSuffix(before, []byte("name")); !inTag(before) || ok && !isNamed(tag) {
		return ""
	}
	if len(after) == 0 || after[0] != '"' && after[0] != '\'' {
		return ""
	}
	n := bytes.IndexByte(after[1:min(len(after), 1+maxID)], after[0])
	if n <= 0 || bytes.ContainsAny(after[1:1+n], "{}<> \n\x00") {
		return ""
	}
	return html.UnescapeString(string(after[1 : 1+n]))
}

// braceID returns the id of the attribute list that s begins with: {#id} or
// {: #id .class}.
func braceID(s []byte) string {
	s = s[bytes.IndexByte(s, '#')+1:]
	n := idLen(s)
	if n == 0 || n >= len(s) || s[n] != '}' && s[n] != ' ' {
		return ""
	}
	return string(s[:n])
}

// blockID returns the ^id that s begins with, if it ends its line.
func blockID(s []byte) string {
	n := 1 + idLen(s[1:])
	rest := bytes.TrimLeft(s[n:], " \r")
	if len(rest) > 0 && rest[0] != '\n' {
		return ""
	}
	return string(s[:n])
}

// ruleIDOf returns the id of the r[id] that s begins with, if it ends its line.
func ruleIDOf(s []byte) string {
	n := 2 + idLen(s[2:])
	if n == 2 || n >= len(s) || s[n] != ']' || n+1 < len(s) && s[n+1] != '\n' && s[n+1] != '\r' {
		return ""
	}
	return string(s[2:n])
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
	line, _, _ = bytes.Cut(line, []byte("]("))
	line, _, _ = bytes.Cut(line, []byte("{{")) // a badge
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

func idLen(b []byte) int {
	n := 0
	for n < len(b) && n < maxID && isIDByte(b[n]) {
		n++
	}
	return n
}
