package markdown

import "bytes"

// listMarker returns how wide the list marker is that line begins with, and the
// character that the markers of one list share; 0 when there is none. Only an
// item with text may interrupt a paragraph, and a numbered one only with the
// number 1.
func listMarker(line []byte, inPara bool) (width int, marker byte) {
	width, marker = 1, line[0]
	switch {
	case marker == '-' || marker == '+' || marker == '*':
	case isDigit(marker):
		for width < len(line) && width < 10 && isDigit(line[width]) {
			width++
		}
		if width > 9 || width == len(line) || line[width] != '.' && line[width] != ')' {
			return 0, 0
		}
		if inPara && (width != 1 || marker != '1') {
			return 0, 0
		}
		marker = line[width]
		width++
	default:
		return 0, 0
	}
	rest := line[width:]
	if len(rest) > 0 && rest[0] != ' ' && rest[0] != '\t' || inPara && isBlank(rest) {
		return 0, 0
	}
	return width, marker
}

// fenceOpening returns how long the fence is that line opens, and what stands
// behind it; 0 when it opens none.
func fenceOpening(line []byte) (n int, info []byte) {
	n = run(line, line[0])
	if n < 3 {
		return 0, nil
	}
	info = bytes.Trim(line[n:], " \t")
	if line[0] == '`' && bytes.IndexByte(info, '`') >= 0 {
		return 0, nil
	}
	return n, info
}

// atxOpening returns the level of the heading that line is, and where its text
// stands; 0 when it is none.
func atxOpening(line []byte) (level, start, end int) {
	level = run(line, '#')
	if level > 6 || level < len(line) && line[level] != ' ' && line[level] != '\t' {
		return 0, 0, 0
	}
	start, end = level, len(line)
	start += spaces(line[start:])
	for end > start && (line[end-1] == ' ' || line[end-1] == '\t') {
		end--
	}
	close := end
	for close > start && line[close-1] == '#' {
		close--
	}
	if close == start || line[close-1] == ' ' || line[close-1] == '\t' {
		end = close
	}
	return level, start, max(start, end)
}
