package chunk

import (
	"bytes"

	"github.com/docent-md/docent/doc"
)

// A repair is what is added around the parts of a block that was cut: before a
// part that begins inside it the head, after a part that ends inside it the
// tail. Of fenced code they are its fences; of a table, its heading row and the
// rule under that. Repairs count towards a part's size; where they would eat up
// half of it (a table of 100 columns) there are none.
type repair struct {
	head, tail   string
	headTokens   int
	tailTokens   int
	from, to     int  // cuts from here to there, inclusive, are inside
	betweenLines bool // but only those between lines
}

// noRepair is that of text that may be cut as it is.
var noRepair = repair{to: -1}

// fenceRepair returns the repair for the fenced code block b. The opening fence
// is repeated as it is written, info string and container marks included; the
// closing one stands under it.
func (s *splitter) fenceRepair(b doc.Block) repair {
	line := s.text[b.Span.Start:b.Inner.Start]
	mark := bytes.IndexAny(s.src[b.Span.Start:b.Inner.Start], "`~")
	if mark < 0 || line[len(line)-1] != '\n' {
		return noRepair
	}
	end := mark
	for end < len(line) && line[end] == line[mark] {
		end++
	}
	eol := "\n"
	if len(line) > 1 && line[len(line)-2] == '\r' {
		eol = "\r\n"
	}
	// A list marker before the fence would begin another item: blank it out.
	tail := []byte(line[:end] + eol)
	for i, c := range tail[:mark] {
		if c != '>' && c != '\t' {
			tail[i] = ' '
		}
	}
	r := repair{head: line, tail: string(tail), from: b.Inner.Start, to: b.Inner.End}
	if b.Inner.End == b.Span.End {
		r.to-- // never closed: its end is the end of the block
	}
	if !s.price(&r) {
		r.head = line[:end] + eol // without the info string
		if !s.price(&r) {
			return noRepair
		}
	}
	return r
}

// tableRepair returns the repair for the table b.
func (s *splitter) tableRepair(b doc.Block) repair {
	src := b.Span.Of(s.src)
	head := bytes.IndexByte(src, '\n') + 1
	rule := bytes.IndexByte(src[head:], '\n') + 1
	if head == 0 || rule == 0 {
		return noRepair
	}
	end := b.Span.Start + head + rule
	r := repair{head: s.text[b.Span.Start:end], from: end, to: b.Span.End - 1, betweenLines: true}
	if !s.price(&r) {
		return noRepair
	}
	return r
}

// price counts r and reports whether there is room for it.
func (s *splitter) price(r *repair) bool {
	r.headTokens = s.Count([]byte(r.head)) + 1
	r.tailTokens = 0
	if r.tail != "" {
		r.tailTokens = s.Count([]byte(r.tail)) + 1
	}
	return r.headTokens+r.tailTokens <= s.Max/2
}

// needs reports whether a cut before byte pos needs the repair.
func (s *splitter) needs(r *repair, pos int) bool {
	return pos >= r.from && pos <= r.to && (!r.betweenLines || s.src[pos-1] == '\n')
}
