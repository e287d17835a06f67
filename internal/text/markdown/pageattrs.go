package markdown

import "bytes"

// Attributes in braces, {#id .class key="value"}, say how something looks. They stand
// behind a link, a picture, code or emphasis, at the end of a heading, or on the last line
// of a paragraph, and are not shown. {: .class } may stand anywhere.

// maxBraces is the length of the longest list of attributes.
const maxBraces = 300

// attrsEnd returns the offset after the attributes that begin at i, or 0.
func attrsEnd(s []byte, i int) int {
	if i+3 > len(s) || s[i] != '{' {
		return 0
	}
	end := bytes.IndexByte(s[i:min(len(s), i+maxBraces)], '}')
	if end < 0 {
		return 0
	}
	end += i
	b := bytes.TrimPrefix(s[i+1:end], []byte(":"))
	n := 0
	for {
		b = bytes.TrimLeft(b, " \t\n")
		if len(b) == 0 {
			break
		}
		size := attrLen(b)
		if size == 0 {
			return 0
		}
		b = b[size:]
		n++
	}
	if n == 0 {
		return 0
	}
	return end + 1
}

// attrLen returns the length of the attribute that b begins with, or 0.
func attrLen(b []byte) int {
	if b[0] == '#' || b[0] == '.' {
		if n := attrName(b[1:]); n > 0 {
			return n + 1
		}
		return 0
	}
	n := attrName(b)
	if n == 0 || !isLetter(b[0]) {
		return 0
	}
	if n == len(b) || b[n] != '=' {
		if bytes.IndexByte(b[:n], '-') > 0 { // data-preview
			return n
		}
		return 0
	}
	n++
	if n < len(b) && (b[n] == '"' || b[n] == '\'') {
		k := bytes.IndexByte(b[n+1:], b[n])
		if k < 0 {
			return 0
		}
		return n + k + 2
	}
	k := n
	for k < len(b) && !isSpace(b[k]) {
		k++
	}
	if k == n {
		return 0
	}
	return k
}

// attrName returns the length of the name that b begins with.
func attrName(b []byte) int {
	n := 0
	for n < len(b) && (isWord(b[n]) || b[n] == '-' || b[n] == ':' || b[n] == '.') {
		n++
	}
	return n
}

// withoutAttrs takes attributes off the end of a heading.
func withoutAttrs(s []byte) []byte {
	s = bytes.TrimRight(s, " \t")
	if len(s) < 4 || s[len(s)-1] != '}' {
		return s
	}
	at := bytes.LastIndexByte(s, '{')
	if at > 0 && isSpace(s[at-1]) && attrsEnd(s, at) == len(s) {
		return bytes.TrimRight(s[:at], " \t")
	}
	return s
}

// brace handles the "{" at i: a shortcode, of which its words are shown, what belongs to
// a template, or attributes. It returns what angle does.
func (w *pageReader) brace(i, from int) (next, rest int) {
	s := w.s
	if len(w.d.Blocks) == 0 {
		return i + 1, from
	}
	if text, values, after := inlineShortcode(s, i); after > 0 {
		w.flush(from, i)
		if text.len() > 0 {
			w.push(tok{kind: TextPiece, span: text})
		}
		for i, v := range values {
			if i > 0 { // the space behind the value before, or the comma
				at := values[i-1].end + int32(max(0, bytes.IndexAny(s[values[i-1].end:v.start], " \t\n,")))
				w.push(tok{kind: TextPiece, span: span{at, at + 1}})
			}
			w.push(tok{kind: CallPiece, span: v})
		}
		return after, after
	}
	if part, ok := templateAt(s, i, w.literal); ok {
		w.flush(from, i)
		if part.shown.len() > 0 {
			w.push(tok{kind: CallPiece, span: part.shown})
		}
		w.literal = part.literal
		return part.after, part.after
	}
	after := attrsEnd(s, i)
	if after == 0 {
		return i + 1, from
	}
	ownLine := (i == 0 || s[i-1] == '\n') && (after == len(s) || s[after] == '\n')
	behind := from == i && len(w.toks) > 0 && (w.toks[len(w.toks)-1].kind == CodeSpanPiece || w.toks[len(w.toks)-1].kind == noPiece)
	if !ownLine && !behind && s[i+1] != ':' {
		return i + 1, from
	}
	w.flush(from, i)
	return after, after
}

// crossReference is the target of "[text][a.b.c]" or "[a.b][]" where nothing of that name
// is defined: MkDocs has these for the objects of a program. arr[0][] is none, nor is
// [a][b]: names of one or two letters are indexes.
func (w *pageLinker) crossReference(open *pageBracket, i int) (pageTarget, int) {
	s := w.s
	if i+1 >= len(s) || s[i+1] != '[' || len(w.d.Blocks) == 0 {
		return pageTarget{}, -1
	}
	if at := int(open.after) - 2; at >= 0 && (isWord(s[at]) || s[at] == ']') {
		return pageTarget{}, -1
	}
	end := bytes.IndexByte(s[i+2:min(len(s), i+2+maxBraces)], ']')
	if end < 0 {
		return pageTarget{}, -1
	}
	label := s[i+2 : i+2+end]
	if end == 0 {
		label = bytes.Trim(s[open.after:i], "`")
		label = bytes.TrimSuffix(label, []byte("()"))
		if !isObject(label) {
			return pageTarget{}, -1
		}
		return pageTarget{target: label}, i + 3
	}
	text := s[open.after:i]
	if !isObject(label) || bytes.IndexByte(label, '.') < 0 && !bytes.ContainsAny(text, " `") && (end < 3 || len(text) < 3 || !isLetter(text[0])) {
		return pageTarget{}, -1
	}
	return pageTarget{target: label}, i + 3 + end
}

// isObject reports whether a label is a name with dots.
func isObject(label []byte) bool {
	if len(label) == 0 || len(label) > 200 || !isLetter(label[0]) && label[0] != '_' {
		return false
	}
	for _, c := range label {
		if !isWord(c) && c != '.' && c != '-' {
			return false
		}
	}
	return true
}
