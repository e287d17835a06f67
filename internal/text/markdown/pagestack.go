package markdown

import "bytes"

// A pageBox is an open container.
type pageBox struct {
	kind     PieceKind
	marker   byte
	empty    bool // of an item: nothing has been put in it yet
	block    int32
	offset   int // columns of indentation that belong to an item
	children int // blocks in it that are shown
	quoted   int // how many containers are open up to the innermost quote, itself included
	firm     int // and up to the innermost box, whose paragraphs do not go on outside of it
	until    int // of a box: where it ends, in the file
}

// A pageStack is what is open of a page that is being read.
type pageStack struct {
	*Page
	cursor
	open []pageBox

	leaf leafKind // what is open of the last block
	last int32    // the last block that holds text
	full int32    // of indented code: its lines up to the last that is not blank
	text []byte   // room for a paragraph

	blankNow   bool // this line is blank
	blankAbove bool // the line before this one is
	blankFrom  int  // and counts for the containers from here on
}

// addBlock writes down a block in the innermost container.
func (b *pageStack) addBlock(kind PieceKind) int32 {
	parent := int32(-1)
	if n := len(b.open); n > 0 {
		up := &b.open[n-1]
		if b.blankAbove && n > b.blankFrom && up.children > 0 {
			switch up.kind {
			case ListPiece:
				b.blocks[up.block].loose = true
			case ItemPiece:
				b.blocks[b.open[n-2].block].loose = true
			}
		}
		parent = up.block
		up.children++
		up.empty = false
	}
	at := int32(len(b.lines))
	b.blocks = append(b.blocks, pageBlock{kind: kind, parent: parent, from: at, to: at, number: -1})
	return int32(len(b.blocks) - 1)
}

// openLeaf opens a block that holds text.
func (b *pageStack) openLeaf(leaf leafKind, kind PieceKind, matched int) {
	b.closeTo(matched)
	b.closeList()
	b.leaf, b.last = leaf, b.addBlock(kind)
	b.blocks[b.last].start = int32(b.ns)
}

// addLine gives the line, from a byte on, to the open leaf.
func (b *pageStack) addLine(from int) {
	l := pageLine{span: span{int32(from), int32(b.end)}}
	if b.split && from == b.pos {
		l.start, l.pad = l.start+1, uint8(4-b.col&3)
	}
	b.lines = append(b.lines, l)
	b.blocks[b.last].to = int32(len(b.lines))
}

// noteBlank says that this line is blank, for the lists it may stand in: a list
// is loose when something follows a blank line in it or in one of its items. One
// that ends a quote's line does not count outside of the quote.
func (b *pageStack) noteBlank() {
	b.blankNow, b.blankFrom = true, 0
	if n := len(b.open); n > 0 {
		b.blankFrom = b.open[n-1].quoted
	}
}

// closeList closes a list that is to be followed by something not of it.
func (b *pageStack) closeList() {
	if n := len(b.open); n > 0 && (b.open[n-1].kind == ListPiece || b.open[n-1].kind == TermsPiece) {
		b.open = b.open[:n-1]
	}
}

func (b *pageStack) push(c pageBox) {
	n := len(b.open)
	if n > 0 {
		c.quoted, c.firm = b.open[n-1].quoted, b.open[n-1].firm
	}
	switch c.kind {
	case QuotePiece:
		c.quoted = n + 1
	case BoxPiece:
		c.firm = n + 1
	}
	b.open = append(b.open, c)
}

// closeTo closes the open leaf and all but the n outermost containers.
func (b *pageStack) closeTo(n int) {
	b.closeLeaf()
	b.open = b.open[:n]
}

// closeLeaf closes the open leaf.
func (b *pageStack) closeLeaf() {
	switch b.leaf {
	case paraLeaf:
		switch block := &b.blocks[b.last]; b.src[b.lines[block.from].start] {
		case '[':
			if !b.definitions() {
				b.alert()
			}
		case ':':
			b.defining(block)
		}
	case codeLeaf:
		b.blocks[b.last].to = b.full
		b.lines = b.lines[:b.full]
	}
	b.leaf = noLeaf
}

// definitions takes the link reference definitions off the beginning of the open
// paragraph. It reports whether nothing else is there, and then closes it.
func (b *pageStack) definitions() bool {
	block := &b.blocks[b.last]
	s := b.text[:0]
	for _, l := range b.lines[block.from:block.to] {
		s = append(append(s, b.src[l.start:l.end]...), '\n')
	}
	b.text = s
	block.from += int32(bytes.Count(s[:b.define(s)], newline))
	if block.from < block.to {
		return false
	}
	block.kind = noPiece
	if n := len(b.open); n > 0 && b.open[n-1].block == block.parent {
		b.open[n-1].children--
	}
	b.leaf = noLeaf
	return true
}

// alert makes an alert of the quote that the open paragraph begins, if its first
// line says so.
func (b *pageStack) alert() {
	block := &b.blocks[b.last]
	if block.parent != b.last-1 || block.parent < 0 || b.blocks[block.parent].kind != QuotePiece {
		return
	}
	l := b.lines[block.from]
	kind, title, ok := alertLine(b.src[l.start:l.end])
	if !ok {
		return
	}
	b.entitle(block.parent, kind, title)
	b.blocks[block.parent].level = uint8(alertFold(b.src[l.start:l.end], kind))
	if block.from++; block.from == block.to {
		block.kind = noPiece
	}
}
