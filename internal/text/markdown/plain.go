package markdown

import (
	"bytes"
	"html"

	"github.com/docent-md/docent/doc"
)

// A plainer turns inline Markdown into the words a reader sees: links become
// their text, code its content, shortcodes and macros their words; tags,
// comments and the marks of emphasis go.
type plainer struct {
	src    []byte     // the text, or a part of it
	off    int        // where in the file src begins
	links  []doc.Link // those not yet passed, in reading order
	marks  *[256]bool // the bytes to look at
	table  bool       // pipes are borders
	exact  bool       // only emphasis that is closed goes
	ticks  tickRuns
	budget int
	delims []delim
}

// textMarks and htmlMarks are the bytes that are not just text.
var (
	textMarks = bytesOf("\\`<{&*_~|\r")
	htmlMarks = bytesOf("<&\r")
)

// append appends the words of src[i:end] to dst.
func (w *plainer) append(dst []byte, i, end int) []byte {
	s := w.src[:end]
	w.ticks.reset()
	w.budget = 4*(end-i) + 256
	w.delims = w.delims[:0]
	base := len(dst)
	for i < end {
		stop := end
		for len(w.links) > 0 {
			if at := w.links[0].Span.Start - w.off; at >= i {
				stop = min(stop, at)
				break
			}
			w.links = w.links[1:]
		}
		if i == stop {
			l := &w.links[0]
			dst = append(dst, l.Text...)
			i = l.Span.End - w.off
			continue
		}
		j := i
		for j < stop && !w.marks[s[j]] {
			j++
		}
		dst = append(dst, s[i:j]...)
		if i = j; i < stop {
			dst, i = w.mark(dst, s, i)
		}
	}
	if w.exact {
		dst = dropEmphasis(dst, base, w.delims)
	}
	return dst
}

// mark handles the byte at i, which is not just text.
func (w *plainer) mark(dst, s []byte, i int) ([]byte, int) {
	switch c := s[i]; c {
	case '\\':
		if i+1 < len(s) && isPunct(s[i+1]) {
			return append(dst, s[i+1]), i + 2
		}
	case '`':
		code, after := w.ticks.span(s, i)
		if code.end == 0 {
			return append(dst, s[i:after]...), after
		}
		return append(dst, trimCode(s[code.start:code.end])...), after
	case '<':
		if w.budget > 0 {
			e := markupEnd(s, i)
			if e > 0 {
				if raw := rawElement(s, i, e); raw > 0 {
					e = raw
				}
				return gap(dst, s, i, e), e
			}
			w.budget += e
		}
	case '{':
		if e := braceEnd(s, i); e > 0 {
			if s[i+1] == '{' {
				dst = appendCall(dst, s[i:e])
			}
			return dst, e
		}
		return append(dst, s[i:min(i+2, len(s))]...), min(i+2, len(s))
	case '&':
		if n := bytes.IndexByte(s[i:min(len(s), i+32)], ';'); n > 1 {
			return append(dst, html.UnescapeString(string(s[i:i+n+1]))...), i + n + 1
		}
	case '*', '_', '~':
		return w.emphasis(dst, s, i)
	case '|':
		if w.table {
			return append(dst, ' '), i + 1
		}
	case '\r':
		if i+1 < len(s) && s[i+1] == '\n' {
			return dst, i + 1
		}
	}
	return append(dst, s[i]), i + 1
}

// gap appends a space where a tag that breaks the line stood between words.
func gap(dst, s []byte, i, e int) []byte {
	if len(dst) > 0 && !isSpace(dst[len(dst)-1]) && e < len(s) && !isSpace(s[e]) {
		if n := tagName(s[i+1 : e]); n == 2 && lower(s[i+1:i+3]) == "br" {
			return append(dst, ' ')
		}
	}
	return dst
}

// braceEnd returns the offset after "{{...}}", "{% ... %}" or the comment
// "{/* ... */}" that begins at i, or -1.
func braceEnd(s []byte, i int) int {
	if i+1 >= len(s) {
		return -1
	}
	switch s[i+1] {
	case '{':
		return callEnd(s, i)
	case '%':
		if n := bytes.Index(s[i:min(len(s), i+512)], []byte("%}")); n > 0 {
			return i + n + 2
		}
	case '/':
		if n := bytes.Index(s[i:min(len(s), i+512)], []byte("*/}")); n > 0 && s[i+2] == '*' {
			return i + n + 3
		}
	}
	return -1
}

// emphasis handles a run of "*", "_" or "~".
func (w *plainer) emphasis(dst, s []byte, i int) ([]byte, int) {
	c := s[i]
	n := run(s[i:], c)
	if c == '~' && n != 2 {
		return append(dst, s[i:i+n]...), i + n
	}
	left, right := flanking(s, i, n)
	if !w.exact {
		if !left && !right {
			dst = append(dst, s[i:i+n]...)
		}
		return dst, i + n
	}
	if (left || right) && len(w.delims) < maxDelims {
		w.delims = append(w.delims, delim{at: len(dst), n: n, size: n, c: c, open: left, close: right})
	}
	return append(dst, s[i:i+n]...), i + n
}
