package markdown

import (
	"bytes"
	"slices"

	"github.com/docent-md/docent/doc"
)

// Three kinds of admonition are known.
//
//   - GitHub alerts and Obsidian callouts, "> [!NOTE] title": a quote.
//   - MkDocs blocks, `!!! note "title"`, `??? note` and the tabs `=== "title"`:
//     what follows, indented by four, is theirs.
//   - Docusaurus, VitePress and MyST containers, ":::note title" up to ":::".
//     mkdocstrings writes ":::" too, but never closes it: such a line is text,
//     so openings and closings are paired before the lines are scanned.

// alertStart makes an admonition of the quote just opened when its first line
// is "[!KIND]". The line belongs to the admonition itself.
func (p *parser) alertStart() {
	p.look()
	line := p.content()
	if len(line) < 4 || line[0] != '[' || line[1] != '!' {
		return
	}
	n := 2
	for n < len(line) && isWord(line[n]) {
		n++
	}
	if n == 2 || n == len(line) || line[n] != ']' {
		return
	}
	b := &p.blocks[p.open[len(p.open)-1].block]
	b.kind = doc.Admonition
	b.info = p.lowered(line[2:n])
	p.seek(p.end, p.nsCol)
}

// admonitionStart looks for a MkDocs admonition or tab.
func (p *parser) admonitionStart(matched int) bool {
	kind, _, ok := mkdocsLine(p.content())
	if !ok {
		return false
	}
	p.closeTo(matched)
	p.closeList()
	p.push(container{kind: indentBox, offset: p.indent() + 4, block: p.addBlock(doc.Admonition)})
	p.blocks[len(p.blocks)-1].info = p.lowered(kind)
	p.seek(p.end, p.nsCol)
	return true
}

// mkdocsLine takes `!!! kind "title"` or `=== "title"` apart.
func mkdocsLine(line []byte) (kind, title []byte, ok bool) {
	rest := line
	switch {
	case bytes.HasPrefix(line, []byte("!!!")):
		rest = line[3:]
	case bytes.HasPrefix(line, []byte("???")):
		rest = bytes.TrimPrefix(line[3:], []byte("+"))
	case bytes.HasPrefix(line, []byte("===")):
		rest = line[3:]
		if len(rest) > 0 && (rest[0] == '!' || rest[0] == '+') {
			rest = rest[1:]
		}
		kind = []byte("tab")
	default:
		return nil, nil, false
	}
	rest = bytes.Trim(rest, " \t")
	if kind == nil {
		n := 0
		for n < len(rest) && isWord(rest[n]) {
			n++
		}
		if n == 0 {
			return nil, nil, false
		}
		kind = rest[:n]
		for n < len(rest) && rest[n] != '"' {
			if !isWord(rest[n]) && rest[n] != ' ' {
				return nil, nil, false
			}
			n++
		}
		rest = rest[n:]
		if len(rest) == 0 {
			return kind, nil, true
		}
	}
	if len(rest) < 2 || rest[0] != '"' || rest[len(rest)-1] != '"' {
		return nil, nil, false
	}
	return kind, rest[1 : len(rest)-1], true
}

// A colonPair is a ":::" container: the lines that open and close it.
type colonPair struct{ open, close int }

// pairColons finds the ":::" containers from this line on. A closing line belongs to the innermost
// open container with as many colons, else to the innermost with fewer.
func (p *parser) pairColons() {
	type opening struct{ line, count int }
	var open []opening
	fence, fenceLen := byte(0), 0
	for line, rest := p.line, p.src[p.start:]; len(rest) > 0; line++ {
		text := rest
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			text, rest = rest[:n], rest[n+1:]
		} else {
			rest = nil
		}
		i := 0
		for i < len(text) && (text[i] == ' ' || text[i] == '>' || text[i] == '\t') {
			i++
		}
		if len(text)-i < 3 || text[i] != ':' && text[i] != '`' && text[i] != '~' {
			continue
		}
		text = bytes.TrimRight(text[i:], " \t\r")
		switch c := text[0]; {
		case c == '`' || c == '~':
			n := run(text, c)
			if n < 3 {
				continue
			}
			if fence == 0 && (c == '~' || bytes.IndexByte(text[n:], '`') < 0) {
				fence, fenceLen = c, n
			} else if fence == c && n >= fenceLen && n == len(text) {
				fence = 0
			}
		case c == ':' && fence == 0:
			n := run(text, ':')
			if n < 3 {
				continue
			}
			if n < len(text) {
				if len(colonKind(text[n:])) > 0 && len(open) < maxColons {
					open = append(open, opening{line, n})
				}
				continue
			}
			at := -1
			for i := len(open) - 1; i >= 0 && at < 0; i-- {
				if open[i].count == n {
					at = i
				}
			}
			for i := len(open) - 1; i >= 0 && at < 0; i-- {
				if open[i].count < n {
					at = i
				}
			}
			if at >= 0 {
				p.colons = append(p.colons, colonPair{open[at].line, line})
				open = open[:at]
			}
		}
	}
	slices.SortFunc(p.colons, func(a, b colonPair) int { return a.open - b.open })
}

// maxColons is how deep ":::" containers nest. A line is asked about each of
// them, and they take no bytes of it, so the number is small.
const maxColons = 16

// colonKind returns the name of the container whose opening line ends with
// rest; it is empty when rest names none: "note title", "note[title]", "{note} title".
func colonKind(rest []byte) []byte {
	rest = bytes.TrimLeft(rest, " \t{")
	n := 0
	for n < len(rest) && (isWord(rest[n]) || rest[n] == ':' || rest[n] == '.') {
		n++
	}
	return rest[:n]
}

// lowered returns b in lower case.
func (p *parser) lowered(b []byte) str {
	n := len(p.made)
	for _, c := range b {
		if isUpper(c) {
			c |= 0x20
		}
		p.made = append(p.made, c)
	}
	return p.madeFrom(n)
}

// colonStart opens a ":::" container.
func (p *parser) colonStart(matched int) bool {
	line := p.content()
	n := run(line, ':')
	if n < 3 {
		return false
	}
	if !p.paired {
		p.pairColons()
		p.paired = true
	}
	for len(p.colons) > 0 && p.colons[0].open < p.line {
		p.colons = p.colons[1:]
	}
	if len(p.colons) == 0 || p.colons[0].open != p.line {
		return false
	}
	p.closeTo(matched)
	p.closeList()
	i := p.addBlock(doc.Admonition)
	p.blocks[i].info = p.lowered(colonKind(line[n:]))
	p.push(container{kind: colonBox, close: p.colons[0].close, block: i})
	p.seek(p.end, p.nsCol)
	return true
}
