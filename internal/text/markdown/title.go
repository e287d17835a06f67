package markdown

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-md/docent/doc"
)

// Titles and descriptions are repeated in the breadcrumb of every chunk, so their
// length is bounded here, where they are made: a heading of a megabyte would cost
// that much for each chunk below it. What was cut off is text like any other. Of
// 1,696 real headings over 200 bytes nine in ten are under 275.
const (
	maxTitle       = 400
	maxDescription = 1000
)

// cutMark ends what was cut.
const cutMark = "…"

// shorten returns s without what is beyond most bytes, cut between words if it can be.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	at := most - len(cutMark)
	if n := strings.LastIndexByte(s[:at+1], ' '); n > at/2 {
		at = n
	}
	for at > 0 && !utf8.RuneStart(s[at]) {
		at--
	}
	return s[:at] + cutMark
}

// IsCut reports whether the title of h is not all of its words.
func IsCut(h *doc.Heading) bool {
	return h.Span.Len() > maxTitle && strings.HasSuffix(h.Title, cutMark)
}

// A titler finds the words of headings and links.
type titler struct {
	*record
	plain plainer
}

// plainText returns the words of a range of the file, where links are those
// that begin in it or after it. Text without marks, which is most of it, is cut
// from the file.
func (p *titler) plainText(s span, links []link) str {
	linked := len(links) > 0 && links[0].start < s.end
	if !linked && isPlain(p.text[s.start:s.end]) {
		return s.str()
	}
	if p.budget <= 0 {
		return str{s.start, min(s.end-s.start, maxLabel)}
	}
	p.spend(s.len())
	w := &p.plain
	w.src, w.marks, w.exact = p.text, &textMarks, true
	w.links = nil
	if linked {
		w.links = p.finished(links, s.end)
	}
	n := len(p.made)
	p.made = w.append(p.made, int(s.start), int(s.end))
	p.made = collapse(p.made, n)
	return p.madeFrom(n)
}

// isPlain reports whether the words of b are b: it has no marks, and no white
// space but single spaces between words.
func isPlain(b []byte) bool {
	if len(b) == 0 || b[0] == ' ' || b[len(b)-1] == ' ' {
		return false
	}
	for i, c := range b {
		if plainStops[c] && (c != ' ' || b[i+1] == ' ') {
			return false
		}
	}
	return true
}

var plainStops = byteSet(func(c byte) bool { return textMarks[c] || c <= ' ' })

// finished returns the links that begin before end as the document will have
// them, without those inside others. Links within headings and the texts of
// links are few.
func (p *titler) finished(links []link, end int32) []doc.Link {
	var out []doc.Link
	for len(links) > 0 && links[0].start < end {
		l := links[0]
		out = append(out, doc.Link{
			Text: string(p.bytes(l.words)), Span: doc.Span{Start: int(l.start), End: int(l.end)},
		})
		n, _ := slices.BinarySearchFunc(links, l.end, func(l link, at int32) int { return int(l.start - at) })
		links = links[max(n, 1):]
	}
	return out
}

// collapse takes white space off both ends of b[from:] and makes each other run
// of it one space.
func collapse(b []byte, from int) []byte {
	out := b[:from]
	for _, c := range b[from:] {
		if c <= ' ' {
			if len(out) == from || out[len(out)-1] == ' ' {
				continue
			}
			c = ' '
		}
		out = append(out, c)
	}
	if len(out) > from && out[len(out)-1] == ' ' {
		out = out[:len(out)-1]
	}
	return out
}

// headingTitle returns the title of a heading whose text is s,
// with the links in it.
func (p *titler) headingTitle(s span, links []link) str {
	if t := p.text[s.start:s.end]; bytes.HasPrefix(t, []byte("{{")) {
		if title := ShortcodeHeading(string(t)); title != "" {
			n := len(p.made)
			p.made = append(p.made, title...)
			return p.madeFrom(n)
		}
	}
	t := p.plainText(s, links)
	if t.size > maxTitle {
		n := len(p.made)
		p.made = append(p.made, shorten(string(p.bytes(t)), maxTitle)...)
		t = p.madeFrom(n)
	}
	return t
}

// explicitID takes an id off the end of a heading's text, to be its anchor.
func (h *heading) explicitID(file []byte) {
	words, id := cutID(file[h.words.start:h.words.end])
	if id.end > 0 {
		h.anchor = str{h.words.start + id.start, id.end - id.start}
		h.words.end = h.words.start + int32(words)
	}
}

// ShortcodeHeading reads the headings of Hugo sites that are kept in a table of
// translations, {{% heading "whatsnext" %}}, by the words of that table. It is "" for
// anything else.
func ShortcodeHeading(s string) string {
	s = strings.Trim(s, "{}<>% \t\r\n")
	name, ok := strings.CutPrefix(s, "heading ")
	if !ok {
		return ""
	}
	switch strings.Trim(name, "\" ") {
	case "cleanup":
		return "Clean up"
	case "objectives":
		return "Objectives"
	case "options":
		return "Options"
	case "prerequisites":
		return "Before you begin"
	case "seealso":
		return "See also"
	case "synopsis":
		return "Synopsis"
	case "whatsnext":
		return "What's next"
	}
	return ""
}

// cutID returns the length of a heading's text without the id at its end, and
// where the id stands. There is none when it ends at 0. Three forms are known:
// {#id}, which may hold more attributes, {/* #id */} and {/*id*/}.
func cutID(s []byte) (words int, id span) {
	for len(s) > 0 && (isSpace(s[len(s)-1]) || s[len(s)-1] == '#') {
		s = s[:len(s)-1]
	}
	if len(s) < 4 || s[len(s)-1] != '}' {
		return 0, id
	}
	open := bytes.LastIndexByte(s, '{')
	if open < 0 || open > 0 && s[open-1] == '{' {
		return 0, id
	}
	from, to := open+1, len(s)-1
	if b := s[from:to]; len(b) > 4 && b[0] == '/' && b[1] == '*' && b[len(b)-2] == '*' && b[len(b)-1] == '/' {
		from, to = skipSpace(s, from+2), to-2
		if s[from] == '#' {
			from++
		}
		for to > from && isSpace(s[to-1]) {
			to--
		}
	} else {
		i := bytes.IndexByte(b, '#')
		if i < 0 || i > 0 && b[i-1] != ' ' {
			return 0, id
		}
		from += i + 1
		if n := bytes.IndexAny(s[from:to], " \t"); n >= 0 {
			to = from + n
		}
	}
	if from >= to || to-from > maxTitle || !isID(s[from:to]) {
		return 0, id
	}
	return len(bytes.TrimRight(s[:open], " \t")), span{int32(from), int32(to)}
}

// isID reports whether b can be an anchor: one word without brackets or quotes.
func isID(b []byte) bool {
	return len(b) > 0 && !bytes.ContainsAny(b, " \t\r\n{}<>\"'`()[]#")
}
