package markdown

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
)

// What the dialects of documentation add is shown as what it is. MkDocs blocks and
// ":::" containers are boxes with a label, where Parse found them; so are Hugo's and
// Liquid's paired shortcodes of the names below, which Parse takes for text. Imports,
// exports and components of MDX are not shown. A document that Parse did not make has
// none of these.

// A dialect is a box, or something that is not shown, that begins on a line.
type dialect struct {
	start, end int // whole lines of the file
	kind       dialectKind
}

type dialectKind uint8

const (
	indentedBox dialectKind = iota // what is indented by four is in it
	fencedBox                      // up to a line that closes it
	codeLines                      // code between two lines
	hiddenLines
)

// dialects are in the order of their lines, one a line.
type dialects []dialect

// findDialects lists those of a document.
func findDialects(d *doc.Document) dialects {
	if len(d.Blocks) == 0 {
		return nil
	}
	out := pairShortcodes(d)
	for i := range d.Blocks {
		b := &d.Blocks[i]
		x := dialect{start: b.Span.Start, end: b.Span.End}
		switch b.Kind {
		case doc.Component:
			x.kind = hiddenLines
		case doc.Admonition:
			if line := firstWords(d.Source[b.Span.Start:b.Span.End]); bytes.HasPrefix(line, []byte(":::")) {
				x.kind = fencedBox
			}
		default:
			continue
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b dialect) int { return cmp.Compare(a.start, b.start) })
	return slices.CompactFunc(out, func(a, b dialect) bool { return a.start == b.start })
}

// at returns what begins on the line that starts there, if anything. It forgets
// what begins on the lines before.
func (x *dialects) at(start int) *dialect {
	for len(*x) > 0 && (*x)[0].start < start {
		*x = (*x)[1:]
	}
	if len(*x) == 0 || (*x)[0].start != start {
		return nil
	}
	return &(*x)[0]
}

// firstWords is the first line of s behind what containers have of it.
func firstWords(s []byte) []byte {
	if n := bytes.IndexByte(s, '\n'); n >= 0 {
		s = s[:n]
	}
	return bytes.TrimLeft(s, " \t>-*+0123456789.)")
}

// boxLine takes the line apart that opens a box.
func boxLine(line []byte) (kind, title []byte, ok bool) {
	line = bytes.TrimRight(line, " \t")
	switch {
	case bytes.HasPrefix(line, []byte(":::")):
		line = bytes.TrimLeft(line[run(line, ':'):], " \t{")
		kind = colonKind(line)
		title = bytes.TrimLeft(line[len(kind):], "} \t")
		if n := bytes.IndexByte(title, '{'); n >= 0 { // attributes
			title = title[:n]
		}
		title = bytes.TrimRight(title, " \t")
		if n := len(title); n > 1 && title[0] == '[' && title[n-1] == ']' {
			title = title[1 : n-1]
		}
		return kind, title, len(kind) > 0
	case line[0] == '{':
		s, ok := shortcodeLine(line)
		return s.name, s.label, ok && !s.closes
	}
	kind, title, ok = mkdocsLine(line)
	if line[0] == '=' {
		kind = nil // a tab has its title alone
	}
	return kind, title, ok
}

// endsBox reports whether the line closes a box that ends with it.
func endsBox(line []byte) bool {
	line = bytes.TrimRight(line, " \t")
	if n := run(line, ':'); n >= 3 {
		return n == len(line)
	}
	s, ok := shortcodeLine(line)
	return ok && s.closes
}

// pairShortcodes finds the shortcodes around text, as colonPairs does containers: what
// is not closed is text.
func pairShortcodes(d *doc.Document) []dialect {
	if !bytes.Contains(d.Source, []byte("{%")) && !bytes.Contains(d.Source, []byte("{{<")) {
		return nil
	}
	type opening struct {
		name  string
		start int
	}
	var open []opening
	var out []dialect
	block := 0
	for start, next := 0, 0; start < len(d.Source); start = next {
		next = len(d.Source)
		line := d.Source[start:]
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line, next = line[:n], start+n+1
		}
		line = bytes.Trim(line, " \t\r>")
		if len(line) == 0 || line[0] != '{' {
			continue
		}
		s, ok := shortcodeLine(line)
		if !ok {
			continue
		}
		for block < len(d.Blocks) && (!isVerbatim(d.Blocks[block].Kind) || d.Blocks[block].Span.End <= start) {
			block++
		}
		if block < len(d.Blocks) && d.Blocks[block].Span.Start <= start {
			continue // an example of one
		}
		name := strings.ToLower(string(s.name))
		if !s.closes {
			if len(open) < maxColons {
				open = append(open, opening{name, start})
			}
			continue
		}
		for i := len(open) - 1; i >= 0; i-- {
			if open[i].name == name {
				kind := fencedBox
				if verbatim[name] {
					kind = codeLines
				}
				out = append(out, dialect{open[i].start, next, kind})
				open = open[:i]
				break
			}
		}
	}
	return out
}

func isVerbatim(k doc.Kind) bool {
	return k == doc.Fence || k == doc.IndentedCode || k == doc.FrontMatter || k == doc.Component
}
