package markdown

import (
	"bytes"

	"github.com/docent-md/docent/doc"
)

// The block pass follows the parsing strategy of the CommonMark specification
// (appendix, "phase 1"): each line is first matched against the open
// containers, then looked at for the start of new blocks, and what is left is
// text for the open leaf. A container that does not match is closed, unless
// the line is a lazy continuation of a paragraph inside it.

// A blockScanner is the state of the block pass.
type blockScanner struct {
	blockStarter
	steps int // containers asked about a line, for the tests
}

// reset makes p ready for another file; only its memory is used again.
func (p *blockScanner) reset(r *record, src []byte, mdx bool) {
	p.record, p.src, p.own, p.mdx = r, src, false, mdx
	p.next, p.line, p.ruleChar, p.quotes = 0, 0, 0, 0
	p.open, p.leaf, p.steps = p.open[:0], leaf{}, 0
	p.colons.reset()
}

// scan goes through the lines. Where no container is open, which is most of
// most files, what needs no closer look is taken here.
func (p *blockScanner) scan() {
	if p.line == 0 && bytes.HasPrefix(p.src, bom) && p.nextLine() {
		p.seek(len(bom), 0)
		p.scanLine()
	}
	for p.nextLine() {
		if len(p.open) == 0 {
			switch p.leaf.kind {
			case paraLeaf, tableLeaf:
				if p.end > p.start && textStart[p.src[p.start]] {
					p.leaf.last = p.start
					p.leaf.mark = mark{p.next, p.line}
					continue
				}
				if p.end == p.start && len(p.blocks) < MaxBlocks {
					p.closeLeaf()
					continue
				}
			case noLeaf:
				if p.end == p.start {
					continue
				}
				if textStart[p.src[p.start]] {
					l := &p.leaf
					l.kind, l.block = paraLeaf, p.addBlock(doc.Paragraph)
					l.mark = mark{p.next, p.line}
					l.text, l.last = p.start, p.start
					continue
				}
			case fenceLeaf:
				p.skipTo(p.leaf.fence())
			case htmlLeaf:
				if p.leaf.end == endAtComment {
					p.skipTo(commentEnd)
				}
			}
		}
		p.scanLine()
	}
	p.closeTo(0)
}

// textStart holds the bytes that, first on a line, make it text.
var textStart = byteSet(func(c byte) bool { return !starts[c] && c != ' ' && c != '\t' && c != '|' })

// skipTo moves to the next line that holds s, or to the last line. The lines in
// between belong to the open leaf.
func (p *blockScanner) skipTo(s []byte) {
	rest := p.src[p.start:]
	n := bytes.Index(rest, s)
	if n < 0 {
		n = len(rest) - 1
	}
	if n < p.next-p.start {
		return
	}
	line := bytes.LastIndexByte(rest[:n], '\n') + 1
	p.line += bytes.Count(rest[:line], newline) - 1
	p.next = p.start + line
	p.nextLine()
}

func (p *blockScanner) scanLine() {
	matched, done := p.match()
	if done {
		return
	}
	all := matched == len(p.open)
	if all && p.leaf.kind >= fenceLeaf && p.continueLeaf() {
		return
	}
	// The line may continue a paragraph that its containers do not match.
	lazy := !all && p.leaf.kind == paraLeaf && p.open[len(p.open)-1].firm <= matched
	for {
		p.look()
		if len(p.blocks) >= MaxBlocks && p.leaf.kind == paraLeaf {
			p.leaf.mark = mark{p.next, p.line}
			return
		}
		if p.blank() {
			p.blankLine(matched)
			return
		}
		if len(p.blocks) >= MaxBlocks {
			break
		}
		c := p.src[p.ns]
		inPara := all && p.leaf.kind.isProse()
		if p.nsCol-p.col >= 4 && !p.mdx {
			if inPara || lazy {
				break
			}
			p.openLeaf(codeLeaf, doc.IndentedCode, matched)
			return
		}
		if !starts[c] {
			break
		}
		if p.leafStart(c, matched, inPara, lazy) {
			return
		}
		if !p.boxStart(c, matched, inPara) {
			break
		}
		matched, all, lazy = len(p.open), true, false
	}
	if all && p.leaf.kind.isProse() || lazy {
		if all && p.leaf.kind == paraLeaf && p.tableStart() {
			return
		}
		p.leaf.last = p.ns
		p.leaf.mark = mark{p.next, p.line}
		return
	}
	p.openLeaf(paraLeaf, doc.Paragraph, matched)
}

// starts holds the bytes that a block other than a paragraph may begin with.
var starts = bytesOf(">#`~<=-*_+:!?0123456789ie")

// match consumes what the open containers own of the line and returns how many
// of them match. It reports done when the line closed a container and is used up.
func (p *blockScanner) match() (matched int, done bool) {
	if len(p.open) == 0 {
		return 0, false
	}
	// A blank line costs nothing however deep the nesting: it matches all but
	// quotes, and an item (the innermost, if any) that has nothing in it.
	p.look()
	if p.blank() && p.quotes == 0 {
		n := len(p.open)
		if c := &p.open[n-1]; c.kind == itemBox && c.empty {
			n--
		}
		return n, false
	}
	for i := range p.open {
		c := &p.open[i]
		p.steps++
		switch c.kind {
		case listBox:
		case quoteBox:
			p.look()
			if p.blank() || p.src[p.ns] != '>' || p.indent() > 3 && !p.mdx {
				return i, false
			}
			p.quoteMarker()
		case itemBox, indentBox:
			p.look()
			if p.blank() {
				if c.empty {
					return i, false
				}
			} else if p.nsCol-p.col < c.offset {
				return i, false
			} else {
				p.advance(c.offset)
			}
		case colonBox:
			if p.line == c.close {
				p.closeTo(i + 1)
				p.open[i].mark = mark{p.next, p.line}
				p.closeTo(i)
				return i, true
			}
		}
	}
	return len(p.open), false
}

// blankLine ends what a blank line ends. Indented code stays open: it may go on
// after the blank line, which then belongs to it.
func (p *blockScanner) blankLine(matched int) {
	if matched < len(p.open) {
		p.closeTo(matched)
	} else if p.leaf.kind != codeLeaf {
		p.closeLeaf()
	}
}

// continueLeaf gives the line to an open fence, code, HTML block or component,
// and reports whether it took it.
func (p *blockScanner) continueLeaf() bool {
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
