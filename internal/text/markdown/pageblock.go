package markdown

import "bytes"

// The blocks of a page are found as those of a document are (block.go), with
// the same readers of a line. What differs is what is written down: here every
// line's part of a block, and whether blank lines make a list loose; there,
// ranges of bytes. What belongs to a dialect is asked of those (pagedialect.go).

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

// A pageBuilder is the state of one NewPage.
type pageBuilder struct {
	*Page
	cursor
	open []pageBox

	leaf  leafKind // what is open of the last block
	last  int32    // the last block that holds text
	char  byte     // of a fence: '`' or '~'
	count int      // of a fence: how many of them
	gap   int      // of a fence: how far it is indented
	until htmlEnd  // of an HTML block: what ends it
	full  int32    // of indented code: its lines up to the last that is not blank

	dialects []dialect // that are still to come
	hidden   int       // of lines that are not shown: where they end
	mdx      bool      // there is no code by indentation

	blankNow   bool // this line is blank
	blankAbove bool // the line before this one is
	blankFrom  int  // and counts for the containers from here on
	text       []byte
	label      []byte
}

func (b *pageBuilder) scan() {
	if b.next == 0 && bytes.HasPrefix(b.src, bom) && b.nextLine() {
		b.seek(len(bom), 0)
		b.scanLine()
	}
	for b.nextLine() {
		b.blankAbove, b.blankNow = b.blankNow, false
		b.scanLine()
	}
	b.closeTo(0)
}

func (b *pageBuilder) scanLine() {
	matched, done := b.match()
	if done {
		return
	}
	all := matched == len(b.open)
	if all && b.leaf >= fenceLeaf && b.continueLeaf() {
		return
	}
	// The line may continue a paragraph that its containers do not match.
	lazy := !all && b.leaf == paraLeaf && b.open[len(b.open)-1].firm <= matched
	opened := false
	for {
		b.look()
		if b.blank() {
			b.blankLine(matched, opened)
			return
		}
		c := b.src[b.ns]
		inPara := all && (b.leaf == paraLeaf || b.leaf == tableLeaf)
		if b.indent() >= 4 && !b.mdx {
			if inPara || lazy {
				break
			}
			b.openLeaf(codeLeaf, CodePiece, matched)
			b.advance(4)
			b.addLine(b.pos)
			b.full = int32(len(b.lines))
			return
		}
		if !starts[c] && c != '{' {
			break
		}
		if b.leafStart(c, matched, inPara, lazy) {
			return
		}
		if !b.boxStart(c, matched, inPara) {
			break
		}
		matched, all, lazy, opened = len(b.open), true, false, true
	}
	switch {
	case all && b.leaf == paraLeaf && b.tableStart():
	case all && (b.leaf == paraLeaf || b.leaf == tableLeaf), lazy && b.leaf == paraLeaf:
		b.addLine(b.ns)
	default:
		b.openLeaf(paraLeaf, ParagraphPiece, matched)
		b.addLine(b.ns)
	}
}

// match consumes what the open containers own of the line and returns how many
// of them match. It reports done when the line closed a box and is used up.
func (b *pageBuilder) match() (matched int, done bool) {
	for i := range b.open {
		c := &b.open[i]
		b.steps++
		switch c.kind {
		case QuotePiece:
			b.look()
			if b.blank() || b.src[b.ns] != '>' || b.indent() > 3 {
				return i, false
			}
			b.passQuote()
		case BoxPiece, ItemPiece:
			b.look()
			fenced := c.kind == BoxPiece && c.offset == 0
			switch {
			case b.blank() && c.empty:
				return i, false
			case fenced && !b.blank():
				if b.start >= c.until {
					return i, false
				}
				if b.next >= c.until && endsBox(b.content()) {
					b.closeTo(i)
					return i, true
				}
			case b.indent() >= c.offset && !fenced:
				b.advance(c.offset)
			case !b.blank():
				return i, false
			default:
				// What is left of a blank line costs nothing, however deep the
				// nesting: it matches all but quotes, and an item (the innermost,
				// if any) that has nothing in it.
				b.seek(b.ns, b.nsCol)
				n := len(b.open)
				if last := &b.open[n-1]; last.quoted <= i {
					if last.kind == ItemPiece && last.empty {
						n--
					}
					return n, false
				}
			}
		}
	}
	return len(b.open), false
}

// passQuote consumes ">" and the space after it.
func (b *pageBuilder) passQuote() {
	b.seek(b.ns+1, b.nsCol+1)
	if b.pos < b.end && (b.src[b.pos] == ' ' || b.src[b.pos] == '\t') {
		b.advance(1)
	}
}

// blankLine ends what a blank line ends.
func (b *pageBuilder) blankLine(matched int, opened bool) {
	b.closeTo(matched)
	if !opened {
		b.noteBlank()
	}
}

// noteBlank says that this line is blank, for the lists it may stand in: a list
// is loose when something follows a blank line in it or in one of its items. One
// that ends a quote's line does not count outside of the quote.
func (b *pageBuilder) noteBlank() {
	b.blankNow, b.blankFrom = true, 0
	if n := len(b.open); n > 0 {
		b.blankFrom = b.open[n-1].quoted
	}
}

// addBlock writes down a block in the innermost container.
func (b *pageBuilder) addBlock(kind PieceKind) int32 {
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
func (b *pageBuilder) openLeaf(leaf leafKind, kind PieceKind, matched int) {
	b.closeTo(matched)
	b.closeList()
	b.leaf, b.last = leaf, b.addBlock(kind)
	b.blocks[b.last].start = int32(b.ns)
}

// addLine gives the line, from a byte on, to the open leaf.
func (b *pageBuilder) addLine(from int) {
	l := pageLine{span: span{int32(from), int32(b.end)}}
	if b.split && from == b.pos {
		l.start, l.pad = l.start+1, uint8(4-b.col&3)
	}
	b.lines = append(b.lines, l)
	b.blocks[b.last].to = int32(len(b.lines))
}

// closeList closes a list that is to be followed by something not of it.
func (b *pageBuilder) closeList() {
	if n := len(b.open); n > 0 && b.open[n-1].kind == ListPiece {
		b.open = b.open[:n-1]
	}
}

func (b *pageBuilder) push(c pageBox) {
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
func (b *pageBuilder) closeTo(n int) {
	b.closeLeaf()
	b.open = b.open[:n]
}

// closeLeaf closes the open leaf.
func (b *pageBuilder) closeLeaf() {
	switch b.leaf {
	case paraLeaf:
		if block := &b.blocks[b.last]; b.src[b.lines[block.from].start] == '[' && !b.definitions() {
			b.alert()
		}
	case codeLeaf:
		b.blocks[b.last].to = b.full
		b.lines = b.lines[:b.full]
	}
	b.leaf = noLeaf
}
