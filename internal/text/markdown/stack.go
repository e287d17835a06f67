package markdown

import "github.com/docent-md/docent/doc"

// blankLine ends what a blank line ends. Indented code stays open: it may go on
// after the blank line, which then belongs to it.
func (p *parser) blankLine(matched int) {
	if matched < len(p.open) {
		p.closeTo(matched)
	} else if p.leaf.kind != codeLeaf {
		p.closeLeaf()
	}
}

// addBlock writes down a block that begins and, so far, ends on this line.
func (p *parser) addBlock(kind doc.Kind) int {
	parent := -1
	if n := len(p.open); n > 0 {
		parent = p.open[n-1].block
		p.open[n-1].empty = false
	}
	p.blocks = append(p.blocks, block{
		kind: kind, parent: int32(parent), span: span{int32(p.start), int32(p.next)},
		first: int32(p.line), last: int32(p.line),
	})
	return len(p.blocks) - 1
}

// openLeaf opens a leaf at the current line. The containers that the line does
// not match must have been closed.
func (p *parser) openLeaf(k leafKind, kind doc.Kind) {
	p.closeList()
	p.leaf = leaf{
		kind: k, block: p.addBlock(kind), mark: mark{p.next, p.line},
		text: p.ns, last: p.ns,
	}
}

// oneLine adds a leaf that is complete with this line.
func (p *parser) oneLine(kind doc.Kind, matched int) {
	p.closeTo(matched)
	p.closeList()
	p.addBlock(kind)
	p.reach(mark{p.next, p.line})
}

// closeList closes a list that is to be followed by something not of it.
func (p *parser) closeList() {
	if n := len(p.open); n > 0 && p.open[n-1].kind == listBox {
		p.closeTo(n - 1)
	}
}

func (p *parser) push(c container) {
	c.mark = mark{p.next, p.line}
	if n := len(p.open); c.kind == indentBox || c.kind == colonBox {
		c.firm = n + 1
	} else if n > 0 {
		c.firm = p.open[n-1].firm
	}
	p.open = append(p.open, c)
	if c.kind == quoteBox {
		p.quotes++
	}
}

// reach says that the innermost container holds everything up to m.
func (p *parser) reach(m mark) {
	if n := len(p.open); n > 0 && p.open[n-1].mark.byte < m.byte {
		p.open[n-1].mark = m
	}
}

// closeTo closes the open leaf and all but the n outermost containers.
func (p *parser) closeTo(n int) {
	p.closeLeaf()
	for len(p.open) > n {
		c := p.open[len(p.open)-1]
		p.open = p.open[:len(p.open)-1]
		if c.kind == quoteBox {
			p.quotes--
		}
		p.endBlock(c.block, c.mark)
		p.reach(c.mark)
	}
}

func (p *parser) endBlock(i int, m mark) {
	b := &p.blocks[i]
	b.end, b.last = int32(m.byte), int32(m.line)
}

// closeLeaf closes the open leaf.
func (p *parser) closeLeaf() {
	l := &p.leaf
	if l.kind == noLeaf {
		return
	}
	if l.kind == paraLeaf && p.src[l.text] == '[' && p.definitions() {
		return
	}
	p.endBlock(l.block, l.mark)
	if b := &p.blocks[l.block]; l.kind == fenceLeaf && b.inner.end == 0 {
		b.inner.end = b.end
	}
	p.reach(l.mark)
	l.kind = noLeaf
}

// continueLeaf gives the line to an open fence, code, HTML block or component,
// and reports whether it took it.
func (p *parser) continueLeaf() bool {
	l := &p.leaf
	here := mark{p.next, p.line}
	switch l.kind {
	case fenceLeaf:
		p.look()
		l.mark = here
		if !p.blank() && p.src[p.ns] == l.char && (p.nsCol-p.col < 4 || p.mdx) {
			if n := run(p.content(), l.char); n >= l.count && isBlank(p.src[p.ns+n:p.end]) {
				p.blocks[l.block].inner.end = int32(p.start)
				p.closeLeaf()
			}
		}
		return true
	case codeLeaf:
		p.look()
		if p.blank() {
			return false
		}
		if p.nsCol-p.col < 4 {
			p.closeLeaf()
			return false
		}
		l.mark = here
		return true
	case htmlLeaf:
		p.look()
		if l.end == endAtBlank && p.blank() {
			p.closeLeaf()
			return false
		}
		l.mark = here
		if line := p.src[p.pos:p.end]; l.end.in(line) {
			p.blocks[l.block].comment = l.end == endAtComment && endsComment(line)
			p.closeLeaf()
		}
		return true
	case componentLeaf:
		p.look()
		if p.blank() && !l.jsx.crossesBlank() || l.jsx.blank && endsComponent(p.content()) {
			p.closeLeaf()
			return false
		}
		l.jsx.blank = p.blank()
		l.mark = here
		if l.jsx.scan(p.src[p.pos:p.end]) {
			p.closeLeaf()
		}
		return true
	}
	return false
}
