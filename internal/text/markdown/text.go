package markdown

import (
	"bytes"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
)

// AppendText appends the words a reader sees in the given range of d to dst, for
// the search index. The range should begin and end at lines. Code is kept as it
// is; of front matter the title and description; of links, shortcodes and
// macros their words. Markup, link targets, heading ids, comments, scripts,
// imports and component tags are gone. It takes time in proportion to the range.
func AppendText(dst []byte, d *doc.Document, span doc.Span) []byte {
	w := plainer{src: d.Source}
	w.links = d.Links[firstLink(d.Links, span.Start):]
	for i := firstBlock(d.Blocks, span.Start); i < len(d.Blocks); i++ {
		b := &d.Blocks[i]
		if b.Span.Start >= span.End {
			break
		}
		if b.Span.End <= span.Start {
			continue
		}
		dst = w.appendBlock(dst, d, b, span)
	}
	return dst
}

// firstLink returns the index of the first link that begins at or after at.
func firstLink(links []doc.Link, at int) int {
	i, _ := slices.BinarySearchFunc(links, at, func(l doc.Link, at int) int { return l.Span.Start - at })
	return i
}

// firstBlock returns the index of the first block that may reach past at. Blocks
// are in the order of their beginnings; a leaf that began earlier and reaches
// into the range is the last one that began before it.
func firstBlock(blocks []doc.Block, at int) int {
	i, _ := slices.BinarySearchFunc(blocks, at, func(b doc.Block, at int) int { return b.Span.Start - at })
	return max(0, i-1)
}

func (w *plainer) appendBlock(dst []byte, d *doc.Document, b *doc.Block, span doc.Span) []byte {
	start, end := max(b.Span.Start, span.Start), min(b.Span.End, span.End)
	mark := len(dst)
	w.table = false
	switch b.Kind {
	case doc.Paragraph:
		w.marks = &textMarks
		dst = w.appendLines(dst, d, b, start, end)
	case doc.Table:
		w.marks, w.table = &textMarks, true
		dst = w.appendTable(dst, d, b, start, end)
	case doc.HTML:
		w.marks = &htmlMarks
		dst = w.appendLines(dst, d, b, start, end)
	case doc.HeadingBlock:
		i, ok := slices.BinarySearchFunc(d.Headings, b.Span.Start, func(h doc.Heading, at int) int { return h.Span.Start - at })
		switch {
		case ok && IsCut(&d.Headings[i]):
			w.marks = &textMarks
			dst = w.appendLines(dst, d, b, start, end)
		case ok:
			dst = append(dst, d.Headings[i].Title...)
		}
	case doc.Fence:
		start, end = max(start, b.Inner.Start), min(end, b.Inner.End)
		if start < end {
			dst = append(dst, unquoted(d, b, start, end)...)
		}
	case doc.IndentedCode:
		dst = append(dst, unquoted(d, b, start, end)...)
	case doc.Admonition:
		if start == b.Span.Start {
			if from, to := admonitionTitle(d.Source, start, end); from < to {
				w.marks = &textMarks
				dst = w.append(dst, from, to)
			}
		}
	case doc.FrontMatter:
		dst = appendMeta(dst, d, start, end)
	}
	if len(dst) > mark && dst[len(dst)-1] != '\n' {
		dst = append(dst, '\n')
	}
	return dst
}

// appendLines appends the words of a block of text, list markers taken off.
func (w *plainer) appendLines(dst []byte, d *doc.Document, b *doc.Block, start, end int) []byte {
	if b.Parent >= 0 {
		if quoteDepth(d, b) > 0 {
			quoted := *w
			quoted.src, quoted.off = unquoted(d, b, start, end), start
			at := 0
			if start == b.Span.Start {
				at = skipMarkers(quoted.src, 0, end-start)
			}
			dst = quoted.append(dst, at, end-start)
			w.links = quoted.links
			return dst
		}
		if start == b.Span.Start && d.Blocks[b.Parent].Kind == doc.Item {
			start = skipMarkers(d.Source, start, end)
		}
	} else if start == 0 && bytes.HasPrefix(d.Source, bom) {
		start = len(bom)
	}
	return w.append(dst, start, end)
}

// appendTable appends the cells of a table, its delimiter row left out.
func (w *plainer) appendTable(dst []byte, d *doc.Document, b *doc.Block, start, end int) []byte {
	at := start
	if start == b.Span.Start {
		head := at + lineLen(d.Source[at:end])
		dst = w.appendLines(dst, d, b, at, head)
		at = head + lineLen(d.Source[head:end])
	}
	if at < end {
		dst = w.appendLines(dst, d, b, at, end)
	}
	return dst
}

// skipMarkers returns the offset after the list markers that a line begins
// with, and the box of a task.
func skipMarkers(s []byte, i, end int) int {
	for {
		i += spaces(s[i:end])
		n := 0
		if i < end && (s[i] == '-' || s[i] == '*' || s[i] == '+') {
			n = 1
		} else {
			for i+n < end && n < 9 && isDigit(s[i+n]) {
				n++
			}
			if n == 0 || i+n >= end || s[i+n] != '.' && s[i+n] != ')' {
				n = 0
			} else {
				n++
			}
		}
		if n == 0 || i+n < end && !isSpace(s[i+n]) {
			break
		}
		i += n
	}
	if i+3 < end && s[i] == '[' && s[i+2] == ']' && s[i+3] == ' ' && (s[i+1] == ' ' || s[i+1]|0x20 == 'x') {
		i += 3
	}
	return i
}

// quoteDepth returns how many quotes b is in.
func quoteDepth(d *doc.Document, b *doc.Block) int {
	n := 0
	for i := b.Parent; i >= 0; {
		p := &d.Blocks[i]
		if p.Kind == doc.Quote || p.Kind == doc.Admonition && isAlert(p.Span.Of(d.Source)) {
			n++
		}
		i = p.Parent
	}
	return n
}

// isAlert reports whether an admonition is a quote, "> [!NOTE]".
func isAlert(s []byte) bool { return bytes.Contains(s[:lineLen(s)], []byte("[!")) }

// unquoted returns d.Source[start:end], with the quote markers that the lines
// of b begin with overwritten by spaces.
func unquoted(d *doc.Document, b *doc.Block, start, end int) []byte {
	s := d.Source[start:end]
	depth := quoteDepth(d, b)
	if depth == 0 {
		return s
	}
	s = bytes.Clone(s)
	for at := 0; at < len(s); at += lineLen(s[at:]) {
		i := at
		for range depth {
			i += spaces(s[i:])
			if i >= len(s) || s[i] != '>' {
				break
			}
			s[i] = ' '
		}
	}
	return s
}

// appendMeta appends the words of front matter: its title and description, or
// all of it when it could not be read or these are too long.
func appendMeta(dst []byte, d *doc.Document, start, end int) []byte {
	if d.MetaError != "" || strings.HasSuffix(d.Title, cutMark) || strings.HasSuffix(d.Description, cutMark) {
		return append(dst, d.Source[start:end]...)
	}
	if title := words(scalar(d.Meta["title"])); title != "" {
		dst = append(dst, title...)
		dst = append(dst, '\n')
	}
	return append(dst, d.Description...)
}

// admonitionTitle returns where the title stands on the first line of the
// admonition between start and end.
func admonitionTitle(s []byte, start, end int) (from, to int) {
	line := bytes.TrimRight(s[start:start+lineLen(s[start:end])], " \t\r\n")
	to = start + len(line)
	if i := bytes.Index(line, []byte("[!")); i >= 0 {
		if n := bytes.IndexByte(line[i:], ']'); n >= 0 {
			return to - len(bytes.TrimLeft(line[i+n+1:], "+- \t")), to
		}
		return to, to
	}
	if i := bytes.Index(line, []byte(":::")); i >= 0 {
		rest := bytes.TrimLeft(line[i:], ": \t{")
		rest = bytes.TrimLeft(rest[len(colonKind(rest)):], "[}: \t")
		return to - len(rest), to - (len(rest) - len(bytes.TrimRight(rest, "]")))
	}
	if i := bytes.IndexByte(line, '"'); i >= 0 {
		return start + i + 1, to - 1
	}
	return to, to
}
