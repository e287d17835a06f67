package chunk

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/docent-md/docent/doc"
)

// A piece is a stretch of text that is not cut any further. Pieces tile the
// span they were made from. They are as large as the structure of the text
// allows: a block is one piece if it is small enough, else a list is cut into
// its items, a quote into what it holds, a table into rows, and anything else
// into lines; a line that is still too large is cut after a sentence, between
// words, or between characters. Blank lines belong to the piece before them.
type piece struct {
	start, end int
	tokens     int // added up where it was put together
	joints     int // where it was; counts are rounded, and each may hide a token
	repair     int // index in cutter.repairs of what a cut before it breaks, or -1
	cut        cut // what such a cut would be
}

// A cut says what stands at a place where text may be cut.
type cut uint8

const (
	atHeading cut = iota
	atBlock
	atItem
	atInner // at a block inside a quote or an item
	atBlank // after a blank line, or at a table row
	afterSentence
	atLine
	afterColon // between "as follows:" and what follows
	atWord
	afterHeading // between a heading and its text
)

// pain is how bad each cut is, in per cent of a part's size: a cut at a heading
// is taken over one between blocks though the part becomes half as large for it.
var pain = [...]int{
	atHeading: 0, atBlock: 50, atItem: 60, atInner: 65, atBlank: 70, afterSentence: 75,
	atLine: 80, afterColon: 90, atWord: 100, afterHeading: 140,
}

// maxNesting bounds how often text is counted again while containers in
// containers are taken apart. A list in a list is two levels, and references nest
// five lists deep.
const maxNesting = 16

// A cutter makes pieces of one span.
type cutter struct {
	*splitter
	atom    int // prose over this many tokens is cut further
	whole   int // code and tables over this many are
	pieces  []piece
	sums    []int // the tokens of the pieces before each, and of all
	repairs []repair
}

// cutter cuts sp into pieces. Prose comes in pieces of at most atom tokens; code and
// tables are only cut where they are over whole.
func (s *splitter) cutter(sp doc.Span, atom, whole int) *cutter {
	c := &cutter{splitter: s, atom: atom, whole: whole}
	first := sort.Search(len(s.blocks), func(i int) bool { return s.blocks[i].Span.Start >= sp.Start })
	c.divide(sp, first, -1, atBlock, atBlock, 0)
	c.sums = make([]int, len(c.pieces)+1)
	for i, p := range c.pieces {
		if p.joints > 0 {
			p.tokens = c.count(doc.Span{Start: p.start, End: p.end})
		}
		c.sums[i+1] = c.sums[i] + max(p.tokens, 1)
	}
	return c
}

// divide cuts sp at the blocks of the given parent, the first of which comes
// at or after number first. The piece that sp begins with is cut by how, the
// others by inner or whatever suits them better.
func (c *cutter) divide(sp doc.Span, first, parent int, how, inner cut, depth int) {
	block := -1
	for i := first; i < len(c.blocks) && c.blocks[i].Span.Start < sp.End; i++ {
		b := &c.blocks[i]
		if b.Parent != parent {
			continue
		}
		if block < 0 {
			block = i // it takes along the blank lines before it
			continue
		}
		if b.Span.Start <= sp.Start {
			continue
		}
		c.cutBlock(doc.Span{Start: sp.Start, End: b.Span.Start}, block, how, depth)
		how = c.between(block, i, inner)
		sp.Start, block = b.Span.Start, i
	}
	c.cutBlock(sp, block, how, depth)
}

// between says what a cut between two blocks would be.
func (c *cutter) between(before, after int, inner cut) cut {
	a, b := c.blocks[before], c.blocks[after]
	switch {
	case a.Kind == doc.HeadingBlock:
		return afterHeading
	case b.Kind == doc.HeadingBlock && b.Parent < 0:
		return atHeading
	case a.Kind == doc.Paragraph && bytes.HasSuffix(bytes.TrimRight(a.Span.Of(c.src), " \t\r\n"), []byte(":")):
		return afterColon
	}
	return inner
}

// cutBlock adds the pieces of one block and the blank lines after it.
func (c *cutter) cutBlock(sp doc.Span, block int, how cut, depth int) {
	kind := doc.Paragraph
	if block >= 0 {
		kind = c.blocks[block].Kind
	}
	limit := c.atom
	switch kind {
	case doc.Fence, doc.Table, doc.IndentedCode, doc.HTML, doc.FrontMatter:
		limit = c.whole
	}
	tokens := c.count(sp)
	if tokens <= limit {
		c.add(piece{start: sp.Start, end: sp.End, tokens: tokens, cut: how, repair: -1})
		return
	}
	switch kind {
	case doc.Fence:
		c.cutLines(sp, how, c.fenceRepair(c.blocks[block]), limit)
	case doc.Table:
		c.cutLines(sp, how, c.tableRepair(c.blocks[block]), limit)
	case doc.List, doc.Item, doc.Quote, doc.Admonition:
		if depth < maxNesting {
			inner := atInner
			if kind == doc.List {
				inner = atItem
			}
			c.divide(sp, block+1, block, how, inner, depth+1)
			return
		}
		fallthrough
	default:
		c.cutLines(sp, how, noRepair, limit)
	}
}

// cutLines adds the pieces of a block that is cut at its lines.
func (c *cutter) cutLines(sp doc.Span, how cut, r repair, limit int) {
	limit -= r.headTokens + r.tailTokens
	c.repairs = append(c.repairs, r)
	begin := len(c.pieces)
	for sp.Start < sp.End {
		end := lineEnd(c.src, sp.Start, sp.End)
		next := atLine
		if r.betweenLines {
			next = atBlank
		}
		for end < sp.End {
			e := lineEnd(c.src, end, sp.End)
			if len(bytes.Trim(c.src[end:e], "> \t\r\n")) > 0 {
				break
			}
			next = atBlank
			end = e
		}
		c.cutLine(doc.Span{Start: sp.Start, End: end}, how, limit, begin)
		sp.Start, how = end, next
	}
}

// cutLine adds the pieces of one line and the blank ones after it.
func (c *cutter) cutLine(sp doc.Span, how cut, limit, begin int) {
	tokens := c.count(sp)
	if tokens <= limit {
		p := piece{start: sp.Start, end: sp.End, tokens: tokens, cut: how, repair: c.broken(sp.Start)}
		// A fence stays with the code next to it, the head of a table with
		// its first row.
		r := &c.repairs[len(c.repairs)-1]
		if len(c.pieces) > begin && (sp.Start <= r.from || sp.Start == r.to) && c.join(p, limit) {
			return
		}
		c.add(p)
		return
	}
	// Four bytes a token is what prose has; what is denser is halved.
	for step := max(4*limit, utf8.UTFMax); sp.Start < sp.End; {
		end, next := c.stop(sp.Start, min(sp.Start+step, sp.End), sp.End)
		c.halve(doc.Span{Start: sp.Start, End: end}, how, limit)
		sp.Start, how = end, next
	}
}

// halve adds sp, in halves of halves if it must be.
func (c *cutter) halve(sp doc.Span, how cut, limit int) {
	tokens := c.count(sp)
	if _, size := utf8.DecodeRune(sp.Of(c.src)); tokens > limit && size < sp.Len() {
		mid, next := c.stop(sp.Start, sp.Start+sp.Len()/2, sp.End)
		c.halve(doc.Span{Start: sp.Start, End: mid}, how, limit)
		c.halve(doc.Span{Start: mid, End: sp.End}, next, limit)
		return
	}
	c.add(piece{start: sp.Start, end: sp.End, tokens: tokens, cut: how, repair: c.broken(sp.Start)})
}

// stop returns a good place to cut in the latter part of src[start:to], and
// what the cut is: after a sentence, between words, at least between
// characters. The line ends at end.
func (c *cutter) stop(start, to, end int) (int, cut) {
	if to >= end {
		return end, atLine
	}
	space := -1
	for i := to; i > start+(to-start)/4; i-- {
		switch c.src[i-1] {
		case ' ', '\t', '\n':
			if i-2 > start && bytes.IndexByte([]byte(".!?"), c.src[i-2]) >= 0 {
				return i, afterSentence
			}
			space = max(space, i)
		case 0x82, 0x81, 0x9F: // the last bytes of "。", "！" and "？"
			if s := string(c.src[max(start, i-3):i]); s == "。" || s == "！" || s == "？" {
				return i, afterSentence
			}
		}
	}
	if space > 0 {
		return space, atWord
	}
	for i := to; i > start && i > to-utf8.UTFMax; i-- {
		if utf8.RuneStart(c.src[i]) {
			return i, atWord
		}
	}
	for i := to + 1; i < end && i < to+utf8.UTFMax; i++ {
		if utf8.RuneStart(c.src[i]) {
			return i, atWord
		}
	}
	return to, atWord
}

// broken returns the repair that a cut before byte pos of the block cut last
// calls for.
func (c *cutter) broken(pos int) int {
	last := len(c.repairs) - 1
	if c.needs(&c.repairs[last], pos) {
		return last
	}
	return -1
}

// add adds a piece. Tiny ones are put together, lest a file of empty lines
// becomes millions of them.
func (c *cutter) add(p piece) {
	n := len(c.pieces)
	if n > 0 && p.cut != atHeading && p.repair == c.pieces[n-1].repair && c.join(p, max(c.atom/32, 8)) {
		return
	}
	c.pieces = append(c.pieces, p)
}

// join makes p part of the last piece, unless that becomes larger than limit.
func (c *cutter) join(p piece, limit int) bool {
	last := &c.pieces[len(c.pieces)-1]
	if last.tokens+last.joints+p.tokens+1 > limit {
		return false
	}
	last.end = p.end
	last.tokens += p.tokens
	last.joints++
	return true
}

// lineEnd returns the end of the line that begins at start, its newline
// included, or end.
func lineEnd(src []byte, start, end int) int {
	if i := bytes.IndexByte(src[start:end], '\n'); i >= 0 {
		return start + i + 1
	}
	return end
}
