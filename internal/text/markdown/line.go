package markdown

import "bytes"

// A cursor goes through the lines of a file, and through one line as containers
// take their part of it.
type cursor struct {
	src []byte // the file

	start, end, next int  // the line: its first byte, the end of its content, the next line
	line             int  // its number
	pos, col         int  // what the containers have left of it
	split            bool // pos is a tab of which they have taken some columns
	ns, nsCol        int  // the first byte from pos on that is neither space nor tab
	ruleChar         byte
	ruleFail         int // the byte that makes the rest of the line no thematic break
}

// nextLine moves to the next line of the file and reports whether there is one.
// A line ends at "\n"; a carriage return before it is not content.
func (p *cursor) nextLine() bool {
	if p.next >= len(p.src) {
		return false
	}
	p.start = p.next
	p.line++
	if n := bytes.IndexByte(p.src[p.start:], '\n'); n >= 0 {
		p.end, p.next = p.start+n, p.start+n+1
	} else {
		p.end, p.next = len(p.src), len(p.src)
	}
	if p.end > p.start && p.src[p.end-1] == '\r' {
		p.end--
	}
	p.seek(p.start, 0)
	return true
}

// seek says that everything before pos, which is at column col, is consumed.
func (p *cursor) seek(pos, col int) { p.pos, p.col, p.ns, p.split = pos, col, -1, false }

// look finds the first byte that is not white space. Containers that consume
// indentation ask again and again, so the answer is cached.
func (p *cursor) look() {
	if p.ns >= p.pos {
		return
	}
	i, col := p.pos, p.col
	for i < p.end {
		if c := p.src[i]; c == ' ' {
			col++
		} else if c == '\t' {
			col += 4 - col&3
		} else {
			break
		}
		i++
	}
	p.ns, p.nsCol = i, col
}

func (p *cursor) indent() int { return p.nsCol - p.col }
func (p *cursor) blank() bool { return p.ns >= p.end }

// advance consumes n columns of white space. A tab may be consumed in part:
// then pos stays on it and only the column moves.
func (p *cursor) advance(n int) {
	for n > 0 && p.pos < p.end {
		if p.src[p.pos] == '\t' {
			w := 4 - p.col&3
			if w > n {
				p.col += n
				p.split = true
				return
			}
			p.split = false
			n -= w
			p.col += w
		} else {
			n--
			p.col++
		}
		p.pos++
	}
}

// content returns the line from its first byte that is not white space.
func (p *cursor) content() []byte { return p.src[p.ns:p.end] }

// isRule reports whether line is a thematic break of the character c. In
// "* * * * a" every star is asked for; the byte that decides is remembered.
func (p *cursor) isRule(line []byte, c byte) bool {
	if p.ruleChar == c && p.ruleFail >= p.ns {
		return false
	}
	n := 0
	for i, b := range line {
		if b == c {
			n++
		} else if b != ' ' && b != '\t' {
			p.ruleChar, p.ruleFail = c, p.ns+i
			return false
		}
	}
	return n >= 3
}

// passMarker consumes a list marker and returns how many columns it and the
// space behind it have. The text after the marker says how far the item's lines
// are indented; a marker alone, or one before indented code, takes one space.
func (p *cursor) passMarker(width int) int {
	p.seek(p.ns+width, p.nsCol+width)
	p.look()
	gap := p.indent()
	if p.blank() || gap > 4 {
		gap = 1
	}
	p.advance(gap)
	return width + gap
}

// passQuote consumes ">" and the space after it.
func (p *cursor) passQuote() {
	p.seek(p.ns+1, p.nsCol+1)
	if p.pos < p.end && (p.src[p.pos] == ' ' || p.src[p.pos] == '\t') {
		p.advance(1)
	}
}
