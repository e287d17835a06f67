package markdown

import (
	"bytes"

	"github.com/docent-md/docent/doc"
)

// leafStart looks for a block that holds text at the first byte c of what is
// left of the line, and takes the line when it finds one.
func (p *parser) leafStart(c byte, matched int, inPara, lazy bool) bool {
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
func (p *parser) htmlBlock(line []byte, matched int, inPara bool) bool {
	end := htmlStart(line, inPara)
	if end == noHTML {
		return false
	}
	p.closeTo(matched)
	p.openLeaf(htmlLeaf, doc.HTML)
	p.leaf.end = end
	if end.in(line) {
		p.blocks[p.leaf.block].comment = end == endAtComment && endsComment(line)
		p.closeLeaf()
	}
	return true
}

// boxStart looks for a container and opens it.
func (p *parser) boxStart(c byte, matched int, inPara bool) bool {
	if matched > maxDepth-2 {
		return false
	}
	switch c {
	case '>':
		p.closeTo(matched)
		p.closeList()
		p.push(container{kind: quoteBox, block: p.addBlock(doc.Quote)})
		p.quoteMarker()
		p.alertStart()
		return true
	case ':':
		return p.colonStart(matched)
	case '!', '?', '=':
		return p.admonitionStart(matched)
	}
	return p.itemStart(matched, inPara)
}

// itemStart looks for a list item.
func (p *parser) itemStart(matched int, inPara bool) bool {
	width, marker := listMarker(p.content(), inPara)
	if width == 0 {
		return false
	}
	indent := p.indent()
	p.closeTo(matched)
	if n := len(p.open); n == 0 || p.open[n-1].kind != listBox || p.open[n-1].marker != marker {
		p.closeList()
		p.push(container{kind: listBox, marker: marker, block: p.addBlock(doc.List)})
	}
	p.push(container{kind: itemBox, block: p.addBlock(doc.Item)})
	item := &p.open[len(p.open)-1]
	item.empty = true
	item.offset = indent + p.passMarker(width)
	return true
}

// listMarker returns how wide the list marker is that line begins with, and the
// character that the markers of one list share; 0 when there is none. Only an
// item with text may interrupt a paragraph, and a numbered one only with the
// number 1.
func listMarker(line []byte, inPara bool) (width int, marker byte) {
	width, marker = 1, line[0]
	switch {
	case marker == '-' || marker == '+' || marker == '*':
	case isDigit(marker):
		for width < len(line) && width < 10 && isDigit(line[width]) {
			width++
		}
		if width > 9 || width == len(line) || line[width] != '.' && line[width] != ')' {
			return 0, 0
		}
		if inPara && (width != 1 || marker != '1') {
			return 0, 0
		}
		marker = line[width]
		width++
	default:
		return 0, 0
	}
	rest := line[width:]
	if len(rest) > 0 && rest[0] != ' ' && rest[0] != '\t' || inPara && isBlank(rest) {
		return 0, 0
	}
	return width, marker
}

// passMarker consumes a list marker and returns how many columns it and the
// space behind it have. The text after the marker says how far the item's lines
// are indented; a marker alone, or one before indented code, takes one space.
func (p *cursor) passMarker(width int) int {
	p.seek(p.ns+width, p.nsCol+width)
	p.look()
	gap := p.indent()
	if p.blank() || gap > 4 {
		gap = 1
	}
	p.advance(gap)
	return width + gap
}

// fenceStart looks for the opening of fenced code.
func (p *parser) fenceStart(line []byte, c byte, matched int) bool {
	n, info := fenceOpening(line)
	if n == 0 {
		return false
	}
	p.closeTo(matched)
	p.openLeaf(fenceLeaf, doc.Fence)
	p.leaf.char, p.leaf.count = c, n
	b := &p.blocks[p.leaf.block]
	b.inner.start = int32(p.next)
	if len(info) > 0 {
		b.info = str{int32(p.ns + n + spaces(line[n:])), int32(len(info))}
	}
	return true
}

// fenceOpening returns how long the fence is that line opens, and what stands
// behind it; 0 when it opens none.
func fenceOpening(line []byte) (n int, info []byte) {
	n = run(line, line[0])
	if n < 3 {
		return 0, nil
	}
	info = bytes.Trim(line[n:], " \t")
	if line[0] == '`' && bytes.IndexByte(info, '`') >= 0 {
		return 0, nil
	}
	return n, info
}

// atxHeading looks for "# heading #".
func (p *parser) atxHeading(line []byte, matched int) bool {
	level, start, end := atxOpening(line)
	if level == 0 || len(p.headings) >= maxHeadings {
		return false
	}
	words := span{int32(p.ns + start), int32(p.ns + end)}
	p.oneLine(doc.HeadingBlock, matched)
	p.headings = append(p.headings, heading{block: int32(len(p.blocks) - 1), words: words, level: uint8(level)})
	return true
}

// atxOpening returns the level of the heading that line is, and where its text
// stands; 0 when it is none.
func atxOpening(line []byte) (level, start, end int) {
	level = run(line, '#')
	if level > 6 || level < len(line) && line[level] != ' ' && line[level] != '\t' {
		return 0, 0, 0
	}
	start, end = level, len(line)
	start += spaces(line[start:])
	for end > start && (line[end-1] == ' ' || line[end-1] == '\t') {
		end--
	}
	close := end
	for close > start && line[close-1] == '#' {
		close--
	}
	if close == start || line[close-1] == ' ' || line[close-1] == '\t' {
		end = close
	}
	return level, start, max(start, end)
}

// setextHeading makes a heading of the open paragraph, underlined by this line.
// Definitions at its beginning are no part of it; when nothing else is there,
// the line underlines nothing.
func (p *parser) setextHeading(c byte) bool {
	if p.src[p.leaf.text] == '[' && p.definitions() || len(p.headings) >= maxHeadings {
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
