package markdown

import "bytes"

// A pageStarter looks for the beginnings of blocks and opens them.
type pageStarter struct {
	pageStack

	char  byte    // of a fence: '`' or '~'
	count int     // of a fence: how many of them
	gap   int     // of a fence: how far it is indented
	close int     // of code between shortcodes: where the line ends that closes it; 0 for a fence
	until htmlEnd // of an HTML block: what ends it

	dialects dialects // that are still to come
	noMath   bool     // no "$$" follows
	hidden   int      // of lines that are not shown: where they end
}

// leafStart looks for a block that holds text at the first byte c of what is
// left of the line, and takes the line when it finds one.
func (b *pageStarter) leafStart(c byte, matched int, inPara, lazy bool) bool {
	line := b.content()
	if (c == '<' || c == 'i' || c == 'e') && b.hide(matched) {
		return true
	}
	switch c {
	case '{':
		return b.codeStart(matched)
	case '$':
		return b.mathStart(matched)
	case ':':
		return b.objectStart(matched, inPara || lazy)
	case '#':
		level, start, end := atxOpening(line)
		if level == 0 {
			return false
		}
		b.openLeaf(noLeaf, HeadingPiece, matched)
		b.blocks[b.last].level = uint8(level)
		b.lines = append(b.lines, pageLine{span: span{int32(b.ns + start), int32(b.ns + end)}})
		b.blocks[b.last].to = int32(len(b.lines))
		return true
	case '`', '~':
		return b.fenceStart(c, matched)
	case '<':
		end := htmlStart(line, inPara || lazy)
		if end == noHTML {
			return false
		}
		b.openLeaf(htmlLeaf, HTMLPiece, matched)
		b.addLine(b.pos)
		if b.until = end; end.in(line) {
			b.leaf = noLeaf
		}
		return true
	case '=', '-':
		if inPara && b.leaf == paraLeaf {
			if n := run(line, c); isBlank(line[n:]) && b.underline(c) {
				return true
			}
		}
	}
	if (c == '-' || c == '*' || c == '_') && b.isRule(line, c) {
		b.openLeaf(noLeaf, RulePiece, matched)
		return true
	}
	return false
}

// underline makes a heading of the open paragraph. Definitions at its beginning
// are no part of it; when nothing else is there, nothing is underlined.
func (b *pageStarter) underline(c byte) bool {
	block := &b.blocks[b.last]
	if b.src[b.lines[block.from].start] == '[' && b.definitions() {
		return false
	}
	block.kind, block.level = HeadingPiece, 2
	if c == '=' {
		block.level = 1
	}
	block.start = b.lines[block.from].start
	b.leaf = noLeaf
	return true
}

// boxStart looks for a container and opens it.
func (b *pageStarter) boxStart(c byte, matched int, inPara bool) bool {
	switch c {
	case '!', '?', '=', '{':
		return b.labelled(matched)
	case ':':
		return b.labelled(matched) || b.definitionStart(matched, inPara)
	case '[':
		return b.noteStart(matched)
	case '$':
		return false
	}
	line, indent := b.content(), b.indent()
	width, marker := 1, c
	if c != '>' {
		if width, marker = listMarker(line, inPara); width == 0 {
			return false
		}
	}
	if matched > maxPageDepth-2 {
		b.Deep = true
		return false
	}
	b.closeTo(matched)
	if c == '>' {
		b.closeList()
		b.push(pageBox{kind: QuotePiece, block: b.addBlock(QuotePiece)})
		b.passQuote()
		return true
	}
	if n := len(b.open); n == 0 || b.open[n-1].kind != ListPiece || b.open[n-1].marker != marker {
		b.closeList()
		list := b.addBlock(ListPiece)
		if isDigit(c) {
			number := int32(0)
			for _, d := range line[:width-1] {
				number = 10*number + int32(d-'0')
			}
			b.blocks[list].number = number
		}
		b.push(pageBox{kind: ListPiece, marker: marker, block: list})
	}
	b.push(pageBox{kind: ItemPiece, empty: true, block: b.addBlock(ItemPiece), offset: indent + b.passMarker(width)})
	return true
}

// maxColumns is how many columns a table may have. One of more is text.
const maxColumns = 200

// tableStart reports whether this line is the delimiter row of a table whose
// head is the last line of the open paragraph, and if so opens the table. The
// paragraph keeps the lines before the head.
func (b *pageStarter) tableStart() bool {
	if c := b.src[b.ns]; c != '|' && c != '-' && c != ':' {
		return false
	}
	row := b.content()
	columns := delimiterColumns(row)
	if columns == 0 || columns > maxColumns {
		return false
	}
	block := &b.blocks[b.last]
	head := b.lines[block.to-1]
	if cells(b.src[head.start:head.end]) != columns {
		return false
	}
	if block.to-block.from > 1 {
		block.to--
		b.closeLeaf()
		b.last = b.addBlock(TablePiece)
		block = &b.blocks[b.last]
		block.from--
	}
	b.leaf = tableLeaf
	block.kind = TablePiece
	block.alignFrom, block.columns = int32(len(b.aligns)), int32(columns)
	eachCell(row, columns, func(from, to int) {
		cell := bytes.Trim(row[from:to], " \t")
		left, right := cell[0] == ':', cell[len(cell)-1] == ':'
		side := NoSide
		switch {
		case left && right:
			side = CentreSide
		case left:
			side = LeftSide
		case right:
			side = RightSide
		}
		b.aligns = append(b.aligns, side)
	})
	return true
}

// hide takes lines that are not shown.
func (b *pageStarter) hide(matched int) bool {
	x := b.dialects.at(b.start)
	if x == nil || x.kind != hiddenLines {
		return false
	}
	b.openLeaf(componentLeaf, ComponentPiece, matched)
	b.hidden = x.end
	b.continueHidden()
	return true
}

// continueHidden takes the line if it is one of those.
func (b *pageStarter) continueHidden() bool {
	if b.start >= b.hidden {
		b.leaf = noLeaf
		return false
	}
	b.addLine(b.pos)
	if b.next >= b.hidden {
		b.leaf = noLeaf
	}
	return true
}

// fenceStart opens the code that a fence of c begins.
func (b *pageStarter) fenceStart(c byte, matched int) bool {
	line := b.content()
	n, info := fenceOpening(line)
	if n == 0 {
		return false
	}
	b.openLeaf(fenceLeaf, CodePiece, matched)
	b.char, b.count, b.gap, b.close = c, n, b.indent(), 0
	at := b.ns + n + spaces(line[n:])
	b.blocks[b.last].info = span{int32(at), int32(at + len(info))}
	return true
}

// codeStart opens the code that begins on this line: {{< highlight go >}}.
func (b *pageStarter) codeStart(matched int) bool {
	x := b.dialects.at(b.start)
	if x == nil || x.kind != codeLines {
		return false
	}
	language := codeLanguage(b.content())
	at := cap(b.src) - cap(language)
	b.openLeaf(fenceLeaf, CodePiece, matched)
	b.gap, b.close = b.indent(), x.end
	b.blocks[b.last].info = span{int32(at), int32(at + len(language))}
	return true
}

// maxFenced is how deep boxes nest that take no bytes of the lines in them: each line is
// asked about each of them.
const maxFenced = 6

// labelled opens the box that begins on this line.
func (b *pageStarter) labelled(matched int) bool {
	x := b.dialects.at(b.start)
	if x == nil || x.kind == hiddenLines || x.kind == codeLines {
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
	b.blocks[block].level = uint8(foldOf(line, kind))
	b.push(box)
	b.seek(b.end, b.nsCol)
	return true
}
