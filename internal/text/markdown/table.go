package markdown

import "github.com/docent-md/docent/doc"

// tableStart reports whether this line is the delimiter row of a table whose
// header is the last line of the open paragraph, and if so opens the table. The
// paragraph keeps the lines before the header. The rows are never divided into
// cells here, so a table costs no more than its bytes.
func (p *parser) tableStart() bool {
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

// delimiterColumns returns the number of columns of a delimiter row such as
// "| --- | :-: |", or 0 when line is none. A row of one column needs a pipe or
// a colon, or it would be an underline.
func delimiterColumns(line []byte) int {
	n, i, marks := 0, 0, false
	if line[0] == '|' {
		i, marks = 1, true
	}
	for {
		i += spaces(line[i:])
		if i == len(line) {
			break
		}
		if line[i] == ':' {
			i, marks = i+1, true
		}
		dashes := run(line[i:], '-')
		if dashes == 0 {
			return 0
		}
		i += dashes
		if i < len(line) && line[i] == ':' {
			i, marks = i+1, true
		}
		n++
		i += spaces(line[i:])
		if i == len(line) {
			break
		}
		if line[i] != '|' {
			return 0
		}
		i, marks = i+1, true
	}
	if !marks {
		return 0
	}
	return n
}

// cells returns the number of cells of a table row.
func cells(row []byte) int {
	i, end := rowRange(row)
	n := 1
	for ; i < end; i++ {
		switch row[i] {
		case '\\':
			i++
		case '|':
			if i == end-1 {
				return n
			}
			n++
		}
	}
	return n
}

// rowRange is where the cells of a row lie: without the spaces around them and the
// pipe before the first.
func rowRange(row []byte) (from, to int) {
	to = len(row)
	for from < to && isSpace(row[from]) {
		from++
	}
	for to > from && isSpace(row[to-1]) {
		to--
	}
	if from < to && row[from] == '|' {
		from++
	}
	return from, to
}
