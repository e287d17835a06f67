package markdown

import (
	"bytes"
	"math"
	"strings"

	"github.com/docent-md/docent/doc"
)

// The blocks of a page are found as those of a document are (block.go), with
// the same readers of a line. What differs is what is written down: here every
// line's part of a block, and whether blank lines make a list loose; there,
// ranges of bytes. What belongs to a dialect is asked of those (pagedialect.go).

// A pageBuilder is the state of one NewPage.
type pageBuilder struct {
	pageStarter
	mdx bool // there is no code by indentation
}

// NewPage reads the blocks of a document that Parse made.
func NewPage(d *doc.Document) *Page {
	var b pageBuilder
	b.Page = &Page{d: d}
	b.src = d.Source[:min(len(d.Source), math.MaxInt32-1)]
	if len(d.Blocks) > 0 && d.Blocks[0].Kind == doc.FrontMatter {
		b.next = d.Blocks[0].Span.End
	}
	b.dialects, b.mdx = findDialects(d), strings.HasSuffix(d.Path, ".mdx")
	b.scan()
	return b.Page
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
		inPara := all && b.leaf.isProse()
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
		if !starts[c] && c != '{' && c != '[' && c != '$' {
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
	case all && b.leaf.isProse(), lazy && b.leaf == paraLeaf:
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
		case BoxPiece, ItemPiece, NotePiece, DefinitionPiece:
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

// blankLine ends what a blank line ends.
func (b *pageBuilder) blankLine(matched int, opened bool) {
	b.closeTo(matched)
	if !opened {
		b.noteBlank()
	}
}

// continueLeaf gives the line to an open fence, code or HTML block, and reports
// whether it took it.
func (b *pageBuilder) continueLeaf() bool {
	b.look()
	switch b.leaf {
	case fenceLeaf:
		if b.close > 0 && b.next >= b.close {
			b.leaf = noLeaf
			return true
		}
		if b.close == 0 && !b.blank() && b.src[b.ns] == b.char && b.indent() < 4 {
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
	case mathLeaf:
		return b.continueMath()
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
