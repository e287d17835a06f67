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

type containerKind uint8

const (
	quoteBox  containerKind = iota // ">"; matches a line that has the marker
	listBox                        // holds items; matches every line
	itemBox                        // matches blank lines and lines indented by offset
	indentBox                      // "!!!": as an item, but never continued lazily
	colonBox                       // ":::"; matches up to the line that closes it
)

// A container is an open block that holds other blocks.
type container struct {
	kind   containerKind
	marker byte // of a list: its bullet, or the delimiter after its number
	empty  bool // of an item: nothing has been put in it yet
	block  int  // index in parser.blocks
	offset int  // columns of indentation that belong to the container
	close  int  // of a colonBox: the line that closes it
	firm   int  // how many of the open containers a lazy line must match
	mark   mark // the end of what it holds so far
}

// A mark is the end of a line: the byte after it and its number.
type mark struct{ byte, line int }

type leafKind uint8

const (
	noLeaf leafKind = iota
	paraLeaf
	tableLeaf
	headingLeaf // underlined
	fenceLeaf
	codeLeaf
	htmlLeaf
	componentLeaf
)

// A leaf is an open block that holds text.
type leaf struct {
	kind  leafKind
	block int
	mark  mark // the end of what it holds so far

	text int // of a paragraph: where its text begins
	last int // of a paragraph: where the text of its last line begins

	char  byte // of a fence: '`' or '~'
	count int  // of a fence: how many of them

	end htmlEnd  // of an HTML block: what ends it
	jsx jsxState // of a component
}

// scan goes through the lines. Where no container is open, which is most of
// most files, what needs no closer look is taken here.
func (p *parser) scan() {
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
				if p.end == p.start && len(p.blocks) < maxBlocks {
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
var textStart = func() (t [256]bool) {
	for c := range t {
		t[c] = !starts[c] && c != ' ' && c != '\t' && c != '|'
	}
	return t
}()

// skipTo moves to the next line that holds s, or to the last line. The lines in
// between belong to the open leaf.
func (p *parser) skipTo(s []byte) {
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

var commentEnd = []byte("-->")

// fence returns three of the characters that the open fence is made of.
func (l *leaf) fence() []byte {
	if l.char == '~' {
		return []byte("~~~")
	}
	return []byte("```")
}

var bom = []byte("\xef\xbb\xbf")

func (p *parser) scanLine() {
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
		if len(p.blocks) >= maxBlocks && p.leaf.kind == paraLeaf {
			p.leaf.mark = mark{p.next, p.line}
			return
		}
		if p.blank() {
			p.blankLine(matched)
			return
		}
		c := p.src[p.ns]
		inPara := all && (p.leaf.kind == paraLeaf || p.leaf.kind == tableLeaf)
		if p.nsCol-p.col >= 4 && !p.mdx {
			if inPara || lazy {
				break
			}
			p.closeTo(matched)
			p.openLeaf(codeLeaf, doc.IndentedCode)
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
	if inPara := all && (p.leaf.kind == paraLeaf || p.leaf.kind == tableLeaf); inPara || lazy {
		if all && p.leaf.kind == paraLeaf && p.tableStart() {
			return
		}
		p.leaf.last = p.ns
		p.leaf.mark = mark{p.next, p.line}
		return
	}
	p.closeTo(matched)
	p.openLeaf(paraLeaf, doc.Paragraph)
}

// starts holds the bytes that a block other than a paragraph may begin with.
var starts = func() (t [256]bool) {
	for _, c := range []byte(">#`~<=-*_+:!?0123456789ie") {
		t[c] = true
	}
	return t
}()

// match consumes what the open containers own of the line and returns how many
// of them match. It reports done when the line closed a container and is used up.
func (p *parser) match() (matched int, done bool) {
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

// quoteMarker consumes ">" and the space after it. The marker is overwritten in
// our copy of the file, so that the text of a paragraph in a quote can be read
// as if the quote were not there, at the same offsets.
func (p *parser) quoteMarker() {
	if !p.own {
		p.src, p.own = bytes.Clone(p.src), true
	}
	p.src[p.ns] = ' '
	p.seek(p.ns+1, p.nsCol+1)
	if p.pos < p.end && (p.src[p.pos] == ' ' || p.src[p.pos] == '\t') {
		p.advance(1)
	}
}
