package markdown

import "github.com/docent-md/docent/doc"

// A blockStarter looks for the beginnings of blocks and opens them.
type blockStarter struct {
	openBlocks
	own    bool // src is a copy of ours
	mdx    bool // JSX and imports are expected, indented code is not
	colons colonPairs
}

// leafStart looks for a block that holds text at the first byte c of what is
// left of the line, and takes the line when it finds one.
func (p *blockStarter) leafStart(c byte, matched int, inPara, lazy bool) bool {
	line := p.content()
	switch c {
	case '#':
		return p.atxHeading(line, matched)
	case '`', '~':
		return p.fenceStart(line, c, matched)
	case '<':
		if p.mdx {
			return p.jsxStart(line, matched, inPara || lazy)
		}
		return p.htmlBlock(line, matched, inPara || lazy)
	case '=', '-':
		if inPara && p.leaf.kind == paraLeaf {
			if n := run(line, c); isBlank(line[n:]) && p.setextHeading(c) {
				return true
			}
		}
	case 'i', 'e':
		return !inPara && !lazy && p.esmStart(line, matched)
	}
	if (c == '-' || c == '*' || c == '_') && p.isRule(line, c) {
		p.oneLine(doc.Break, matched)
		return true
	}
	return false
}

// htmlBlock looks for the beginning of an HTML block.
func (p *blockStarter) htmlBlock(line []byte, matched int, inPara bool) bool {
	end := htmlStart(line, inPara)
	if end == noHTML {
		return false
	}
	p.openLeaf(htmlLeaf, doc.HTML, matched)
	p.leaf.end = end
	if end.in(line) {
		p.blocks[p.leaf.block].comment = end == endAtComment && endsComment(line)
		p.closeLeaf()
	}
	return true
}

// fenceStart looks for the opening of fenced code.
func (p *blockStarter) fenceStart(line []byte, c byte, matched int) bool {
	n, info := fenceOpening(line)
	if n == 0 {
		return false
	}
	p.openLeaf(fenceLeaf, doc.Fence, matched)
	p.leaf.char, p.leaf.count = c, n
	b := &p.blocks[p.leaf.block]
	b.inner.start = int32(p.next)
	if len(info) > 0 {
		b.info = str{int32(p.ns + n + spaces(line[n:])), int32(len(info))}
	}
	return true
}

// atxHeading looks for "# heading #".
func (p *blockStarter) atxHeading(line []byte, matched int) bool {
	level, start, end := atxOpening(line)
	if level == 0 || len(p.headings) >= MaxHeadings {
		return false
	}
	words := span{int32(p.ns + start), int32(p.ns + end)}
	p.oneLine(doc.HeadingBlock, matched)
	p.headings = append(p.headings, heading{block: int32(len(p.blocks) - 1), words: words, level: uint8(level)})
	return true
}

// setextHeading makes a heading of the open paragraph, underlined by this line.
// Definitions at its beginning are no part of it; when nothing else is there,
// the line underlines nothing.
func (p *blockStarter) setextHeading(c byte) bool {
	if p.src[p.leaf.text] == '[' && p.definitions() || len(p.headings) >= MaxHeadings {
		return false
	}
	h := heading{
		block: int32(p.leaf.block), level: 2,
		words: span{int32(p.leaf.text), int32(p.leaf.mark.byte)},
	}
	if c == '=' {
		h.level = 1
	}
	p.headings = append(p.headings, h)
	p.blocks[h.block].kind = doc.HeadingBlock
	p.leaf.kind, p.leaf.mark = headingLeaf, mark{p.next, p.line}
	p.closeLeaf()
	return true
}

// tableStart reports whether this line is the delimiter row of a table whose
// header is the last line of the open paragraph, and if so opens the table. The
// paragraph keeps the lines before the header. The rows are never divided into
// cells here, so a table costs no more than its bytes.
func (p *blockStarter) tableStart() bool {
	c := p.src[p.ns]
	if c != '|' && c != '-' && c != ':' {
		return false
	}
	columns := delimiterColumns(p.content())
	if columns == 0 {
		return false
	}
	l := &p.leaf
	// A header may lack cells, which Hugo and Microsoft's sites allow, but not
	// have more of them than the delimiter row has columns.
	if cells(p.src[l.last:l.mark.byte]) > columns {
		return false
	}
	if l.last == l.text {
		p.blocks[l.block].kind = doc.Table
	} else {
		// The header's line begins after the last line ending before its text.
		at := l.last
		for at > 0 && p.src[at-1] != '\n' {
			at--
		}
		line := p.line - 1
		l.mark = mark{at, line - 1}
		p.closeLeaf()
		l.block = p.addBlock(doc.Table)
		b := &p.blocks[l.block]
		b.start, b.first = int32(at), int32(line)
	}
	l.kind = tableLeaf
	l.mark = mark{p.next, p.line}
	return true
}

// esmStart looks for an import or export and takes it.
func (p *blockStarter) esmStart(line []byte, matched int) bool {
	if len(p.open) > 0 && matched > 0 || p.ns != p.pos {
		return false
	}
	if !isImport(line) && !(p.mdx && isExport(line)) {
		return false
	}
	p.mdx = true
	p.openLeaf(componentLeaf, doc.Component, matched)
	p.leaf.jsx.esm = true
	if p.leaf.jsx.scan(line) {
		p.closeLeaf()
	}
	return true
}

// jsxStart looks for a line of tags, in MDX.
func (p *blockStarter) jsxStart(line []byte, matched int, inPara bool) bool {
	if len(line) < 2 {
		return false
	}
	c := line[1]
	if c == '!' || c == '?' {
		return p.htmlBlock(line, matched, inPara)
	}
	closing := c == '/' && len(line) > 2
	if closing {
		c = line[2]
	}
	if !isLetter(c) && c != '>' || inPara && !closing {
		return false
	}
	var s jsxState
	done := s.scan(line)
	if s.text {
		return false
	}
	kind := doc.HTML
	if isUpper(c) || c == '>' {
		kind = doc.Component
	}
	p.openLeaf(componentLeaf, kind, matched)
	p.leaf.jsx = s
	if done {
		p.closeLeaf()
	}
	return true
}
