package markdown

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
	n := 0
	eachCell(row, len(row)+1, func(int, int) { n++ })
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
