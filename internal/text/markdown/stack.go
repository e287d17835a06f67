package markdown

import (
	"bytes"

	"github.com/docent-md/docent/doc"
)

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
	block  int  // index in record.blocks
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
	mathLeaf // of pages alone
)

// isProse reports whether the next line may go on with the leaf whatever it
// begins with.
func (k leafKind) isProse() bool { return k == paraLeaf || k == tableLeaf }

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

// fence returns three of the characters that the open fence is made of.
func (l *leaf) fence() []byte {
	if l.char == '~' {
		return []byte("~~~")
	}
	return []byte("```")
}

// openBlocks are the blocks that the line being scanned may go on with.
type openBlocks struct {
	*record
	cursor             // in its src a quote marker is overwritten by a space once it is consumed
	open   []container // outermost first
	quotes int         // how many of them are quotes
	leaf   leaf        // the open leaf, if any
}

// addBlock writes down a block that begins and, so far, ends on this line.
func (p *openBlocks) addBlock(kind doc.Kind) int {
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

// openLeaf opens a leaf at the current line, in the containers that it matches.
func (p *openBlocks) openLeaf(k leafKind, kind doc.Kind, matched int) {
	p.closeTo(matched)
	p.closeList()
	p.leaf = leaf{
		kind: k, block: p.addBlock(kind), mark: mark{p.next, p.line},
		text: p.ns, last: p.ns,
	}
}

// oneLine adds a leaf that is complete with this line.
func (p *openBlocks) oneLine(kind doc.Kind, matched int) {
	p.closeTo(matched)
	p.closeList()
	p.addBlock(kind)
	p.reach(mark{p.next, p.line})
}

// closeList closes a list that is to be followed by something not of it.
func (p *openBlocks) closeList() {
	if n := len(p.open); n > 0 && p.open[n-1].kind == listBox {
		p.closeTo(n - 1)
	}
}

func (p *openBlocks) push(c container) {
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
func (p *openBlocks) reach(m mark) {
	if n := len(p.open); n > 0 && p.open[n-1].mark.byte < m.byte {
		p.open[n-1].mark = m
	}
}

// closeTo closes the open leaf and all but the n outermost containers.
func (p *openBlocks) closeTo(n int) {
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

func (p *openBlocks) endBlock(i int, m mark) {
	b := &p.blocks[i]
	b.end, b.last = int32(m.byte), int32(m.line)
}

// closeLeaf closes the open leaf.
func (p *openBlocks) closeLeaf() {
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

// definitions takes the link reference definitions off the beginning of the
// open paragraph. They become a block of their own; what follows them stays in
// the paragraph. It reports whether nothing does, and then closes the leaf.
func (p *openBlocks) definitions() bool {
	l := &p.leaf
	end := l.mark.byte
	at := p.defs.read(p.src, l.text, end)
	if at == l.text {
		return false
	}
	b := &p.blocks[l.block]
	b.kind = doc.Definition
	if at >= end {
		p.endBlock(l.block, l.mark)
		p.reach(l.mark)
		l.kind = noLeaf
		return true
	}
	start := bytes.LastIndexByte(p.src[:at], '\n') + 1
	line := int(b.first) + bytes.Count(p.src[b.start:start], newline)
	rest := block{
		kind: doc.Paragraph, parent: b.parent,
		span:  span{int32(start), int32(l.mark.byte)},
		first: int32(line), last: int32(l.mark.line),
	}
	p.endBlock(l.block, mark{start, line - 1})
	p.blocks = append(p.blocks, rest)
	l.block, l.text = len(p.blocks)-1, at
	l.last = max(l.last, at)
	return false
}
