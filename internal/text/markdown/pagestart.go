package markdown

import "bytes"

// leafStart looks for a block that holds text at the first byte c of what is
// left of the line, and takes the line when it finds one.
func (b *pageBuilder) leafStart(c byte, matched int, inPara, lazy bool) bool {
	line := b.content()
	if (c == '<' || c == 'i' || c == 'e') && b.hide(matched) {
		return true
	}
	switch c {
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
		n, info := fenceOpening(line)
		if n == 0 {
			return false
		}
		b.openLeaf(fenceLeaf, CodePiece, matched)
		b.char, b.count, b.gap = c, n, b.indent()
		at := b.ns + n + spaces(line[n:])
		b.blocks[b.last].info = span{int32(at), int32(at + len(info))}
		return true
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
func (b *pageBuilder) underline(c byte) bool {
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
func (b *pageBuilder) boxStart(c byte, matched int, inPara bool) bool {
	switch c {
	case '!', '?', '=', ':', '{':
		return b.labelled(matched)
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

// continueLeaf gives the line to an open fence, code or HTML block, and reports
// whether it took it.
func (b *pageBuilder) continueLeaf() bool {
	b.look()
	switch b.leaf {
	case fenceLeaf:
		if !b.blank() && b.src[b.ns] == b.char && b.indent() < 4 {
			if n := run(b.content(), b.char); n >= b.count && isBlank(b.src[b.ns+n:b.end]) {
				b.leaf = noLeaf
				return true
			}
		}
		b.advance(min(b.indent(), b.gap))
		b.addLine(b.pos)
		return true
	case codeLeaf:
		if b.indent() < 4 && !b.blank() {
			b.closeLeaf()
			return false
		}
		b.advance(min(b.indent(), 4))
		b.addLine(b.pos)
		if b.blank() {
			b.noteBlank()
		} else {
			b.full = int32(len(b.lines))
		}
		return true
	case componentLeaf:
		return b.continueHidden()
	case htmlLeaf:
		if b.blank() {
			if b.until == endAtBlank {
				b.leaf = noLeaf
				return false
			}
			b.noteBlank()
		}
		b.addLine(b.pos)
		if b.until.in(b.src[b.pos:b.end]) {
			b.leaf = noLeaf
		}
		return true
	}
	return false
}

// maxColumns is how many columns a table may have. One of more is text.
const maxColumns = 200

// tableStart reports whether this line is the delimiter row of a table whose
// head is the last line of the open paragraph, and if so opens the table. The
// paragraph keeps the lines before the head.
func (b *pageBuilder) tableStart() bool {
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

// eachCell calls fn with the place of each of the first n cells of a row. A pipe
// behind a backslash is text.
func eachCell(row []byte, n int, fn func(from, to int)) {
	i, end := rowRange(row)
	from, first := i, n
	for ; i < end && n > 0; i++ {
		switch row[i] {
		case '\\':
			i++
		case '|':
			fn(from, i)
			n--
			from = i + 1
		}
	}
	if n > 0 && (from < end || n == first) {
		fn(from, end)
	}
}
