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
	hiddenLines
)

// dialects lists them in the order of their lines, one a line.
func dialects(d *doc.Document) []dialect {
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

// firstWords is the first line of s behind what containers have of it.
func firstWords(s []byte) []byte {
	if n := bytes.IndexByte(s, '\n'); n >= 0 {
		s = s[:n]
	}
	return bytes.TrimLeft(s, " \t>-*+0123456789.)")
}

// here returns what begins on this line, if anything.
func (b *pageBuilder) here() *dialect {
	for len(b.dialects) > 0 && b.dialects[0].start < b.start {
		b.dialects = b.dialects[1:]
	}
	if len(b.dialects) == 0 || b.dialects[0].start != b.start {
		return nil
	}
	return &b.dialects[0]
}

// hide takes lines that are not shown.
func (b *pageBuilder) hide(matched int) bool {
	x := b.here()
	if x == nil || x.kind != hiddenLines {
		return false
	}
	b.closeTo(matched)
	b.closeList()
	b.leaf, b.hidden = componentLeaf, x.end
	b.continueHidden()
	return true
}

// continueHidden takes the line if it is one of those.
func (b *pageBuilder) continueHidden() bool {
	if b.start >= b.hidden {
		b.leaf = noLeaf
		return false
	}
	if b.next >= b.hidden {
		b.leaf = noLeaf
	}
	return true
}

// labelled opens the box that begins on this line.
func (b *pageBuilder) labelled(matched int) bool {
	x := b.here()
	if x == nil || x.kind == hiddenLines {
		return false
	}
	line := b.content()
	kind, title, ok := boxLine(line)
	if !ok {
		return false
	}
	fenced := 0
	for _, c := range b.open[:matched] {
		if c.kind == BoxPiece && c.offset == 0 {
			fenced++
		}
	}
	if matched > maxPageDepth-2 || fenced == maxFenced {
		b.Deep = true
		return false
	}
	b.closeTo(matched)
	b.closeList()
	indent := b.indent()
	block := b.addBlock(BoxPiece)
	box := pageBox{kind: BoxPiece, block: block, until: x.end}
	if x.kind == indentedBox {
		box.offset = indent + 4
	}
	b.entitle(block, kind, title)
	b.push(box)
	b.seek(b.end, b.nsCol)
	return true
}

// maxFenced is how deep boxes nest that take no bytes of the lines in them: each line is
// asked about each of them.
const maxFenced = 6

// entitle says of a box or an alert what it is about.
func (b *pageBuilder) entitle(block int32, kind, title []byte) {
	x := &b.blocks[block]
	x.alert, x.info = alertClass(kind), b.within(kind)
	if len(title) > 0 {
		x.number = int32(len(b.labels))
		b.labels = append(b.labels, b.within(title))
	}
}

// within is where a part of the file that was sliced from it lies.
func (b *pageBuilder) within(part []byte) span {
	if len(part) == 0 {
		return span{}
	}
	at := cap(b.src) - cap(part)
	return span{int32(at), int32(at + len(part))}
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

// alertClass is how a box of a kind looks: 1 + index in alerts.
func alertClass(kind []byte) uint8 {
	word := strings.ToLower(string(kind[:min(len(kind), 20)]))
	switch word {
	case "hint", "success", "check", "done", "example":
		word = "tip"
	case "attention", "alert", "question", "help", "faq":
		word = "warning"
	case "danger", "error", "bug", "failure", "fail", "missing":
		word = "caution"
	case "seealso", "abstract", "summary", "tldr":
		word = "important"
	}
	return uint8(max(slices.Index(alerts[:], word), 0) + 1)
}

// A shortcode is a line that is nothing else: {{< note >}}, {{% /note %}},
// {% note %} or {% endnote %}.
type shortcode struct {
	name, label []byte
	closes      bool
}

// shortcodeLine reads one, of the names that stand around text.
func shortcodeLine(line []byte) (s shortcode, ok bool) {
	n := len(line)
	if n < 5 || n > maxCall || line[0] != '{' || line[n-1] != '}' {
		return s, false
	}
	body := line[1 : n-1]
	liquid := body[0] == '%'
	if !liquid {
		if body[0] != '{' || body[len(body)-1] != '}' || len(body) < 5 {
			return s, false
		}
		body = body[1 : len(body)-1]
	}
	open, end := body[0], body[len(body)-1]
	if !(open == '%' && end == '%' || open == '<' && end == '>' && !liquid) || len(body) < 3 {
		return s, false
	}
	body = bytes.Trim(body[1:len(body)-1], " \t-")
	if bytes.IndexByte(body, '}') >= 0 {
		return s, false // more than one
	}
	if rest, cut := bytes.CutPrefix(body, []byte("/")); cut && !liquid {
		body, s.closes = bytes.TrimLeft(rest, " \t"), true
	} else if rest, cut := bytes.CutPrefix(body, []byte("end")); cut && liquid {
		body, s.closes = rest, true
	}
	at := 0
	for at < len(body) && isWord(body[at]) {
		at++
	}
	s.name = body[:at]
	if len(s.name) == 0 || len(s.name) > 20 || !enclosing[strings.ToLower(string(s.name))] {
		return s, false
	}
	s.label = shownLabel(body[at:])
	return s, true
}

// shortcodeText is what a reader is to see of the shortcode that begins at i, and where
// the text goes on: {{< glossary_tooltip text="Pods" term_id="pod" >}}. Of those that do
// not say it, and where there are no dialects, it has nothing.
func (w *pageWalker) shortcodeText(i int) (text span, after int) {
	if len(w.d.Blocks) == 0 || i+5 > len(w.s) || w.s[i+1] != '{' || w.s[i+2] != '<' && w.s[i+2] != '%' {
		return span{}, 0
	}
	end := shortcodeEnd(w.s, i)
	if end < 0 {
		return span{}, 0
	}
	value := quotedParam(w.s[i:end], `text="`, `caption="`, `title="`)
	if value == nil {
		return span{}, 0
	}
	at := cap(w.s) - cap(value)
	return span{int32(at), int32(at + len(value))}, end
}

// quotedParam is the value of the first of some parameters that there is.
func quotedParam(params []byte, names ...string) []byte {
	for _, name := range names {
		if i := bytes.Index(params, []byte(name)); i > 0 && isSpace(params[i-1]) {
			value := params[i+len(name):]
			if n := bytes.IndexByte(value, '"'); n > 0 {
				return value[:n]
			}
		}
	}
	return nil
}

// shownLabel is what a shortcode around text is about.
func shownLabel(params []byte) []byte {
	if value := quotedParam(params, `title="`, `name="`, `summary="`, `label="`); value != nil {
		return value
	}
	params = bytes.Trim(params, " \t")
	if n := len(params); n > 2 && params[0] == '"' && bytes.IndexByte(params[1:], '"') == n-2 {
		return params[1 : n-1]
	}
	return nil
}

// enclosing are the shortcodes that stand around text, by the names that themes and
// documentation sites have for them.
var enclosing = func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(`note tip important warning caution danger info hint alert callout notice
		admonition attention success error example question quote seealso todo details expand collapse tab tabs tabset tabpane`) {
		m[name] = true
	}
	return m
}()

// pairShortcodes finds the shortcodes around text, as pairColons does containers: what
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
				out = append(out, dialect{open[i].start, next, fencedBox})
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
