package markdown

import (
	"slices"

	"github.com/docent-md/docent/doc"
)

// A Page is a document as it is shown: CommonMark 0.31 with GitHub's tables,
// struck text, tasks and alerts, the boxes of dialects (pagedialect.go), and the
// links that only Parse knows of. It
// holds the blocks; what stands in a block is read when the page is walked.
//
// It takes time and memory in proportion to the document, whatever the document
// holds: lines are asked about containers that cost them bytes, lookahead draws
// on a budget as it does in Parse, what closes emphasis never looks at the same
// run for an opener twice, and what a definition adds to a page is bounded.
type Page struct {
	// Deep says that quotes or lists are nested deeper than maxPageDepth. What
	// is nested deeper is shown as text.
	Deep bool

	d      *doc.Document
	blocks []pageBlock
	lines  []pageLine
	aligns []Align
	labels []span          // of boxes and alerts, in the file
	notes  map[string]bool // labels of footnotes
	defs   names           // labels of link reference definitions, by index in targets
	refs   []pageRef
	made   []byte // what the definitions say
	steps  int    // containers asked about a line, for the tests
}

// maxPageDepth is how deep containers may nest, a list counting two: itself and
// its item. The deepest of 47,000 real files reaches 20, and browsers bear 500.
const maxPageDepth = 80

type pageBlock struct {
	kind      PieceKind // noPiece of a paragraph that was nothing but definitions
	level     uint8     // of a heading; of a box or alert: its Fold; of a list: 1 if it defines terms
	loose     bool      // of a list
	alert     uint8     // of a quote or box: 1 + index in alerts
	parent    int32
	start     int32 // of a heading: a byte of its first line
	from, to  int32 // in Page.lines
	number    int32 // of a list; of a box or alert: its label in Page.labels, or -1
	info      span  // of a fence, in the file; of a box or alert: its kind
	alignFrom int32 // of a table, in Page.aligns; as many as columns
	columns   int32
}

// A pageLine is what the containers leave of a line of a block.
type pageLine struct {
	span
	pad uint8 // columns of a split tab before it
}

// A pageRef is what a definition says, in Page.made.
type pageRef struct{ target, title span }

// pieceOf returns what is known of a block without reading its text.
func (p *Page) pieceOf(i int) Piece {
	b := &p.blocks[i]
	out := Piece{Kind: b.kind, Level: int(b.level), Number: int(b.number)}
	switch b.kind {
	case QuotePiece, BoxPiece:
		if b.alert > 0 {
			out.Fold = Fold(b.level)
			out.Alert, out.Plain = alerts[b.alert-1], b.number < 0
			out.Info = p.d.Source[b.info.start:b.info.end]
		}
	case ParagraphPiece:
		if b.parent >= 0 {
			if up := &p.blocks[b.parent]; up.kind == ItemPiece {
				out.Tight = !p.blocks[up.parent].loose
			}
		}
		next := i + 1
		for next < len(p.blocks) && p.blocks[next].kind == noPiece {
			next++
		}
		out.Last = next == len(p.blocks) || p.blocks[next].parent != b.parent
	case MathPiece:
		out.Display = true
	case ListPiece:
		out.Defines = b.level == 1
	case CodePiece, NotePiece:
		out.Info = p.d.Source[b.info.start:b.info.end]
	case HeadingPiece:
		at := int(b.start)
		h, _ := slices.BinarySearchFunc(p.d.Headings, at, func(h doc.Heading, at int) int { return h.Span.End - at - 1 })
		if h < len(p.d.Headings) && p.d.Headings[h].Span.Start <= at {
			out.Heading = &p.d.Headings[h]
		}
	}
	return out
}

// entitle says of a box or an alert what it is about.
func (p *Page) entitle(block int32, kind, title []byte) {
	x := &p.blocks[block]
	x.alert, x.info = alertClass(kind), p.within(kind)
	if len(title) > 0 {
		x.number = int32(len(p.labels))
		p.labels = append(p.labels, p.within(title))
	}
}

// within returns the span of a slice of the file.
func (p *Page) within(part []byte) span {
	if len(part) == 0 {
		return span{}
	}
	at := cap(p.d.Source) - cap(part)
	return span{int32(at), int32(at + len(part))}
}

// define takes in the link reference definitions that s begins with and returns
// the offset after them.
func (p *Page) define(s []byte) int {
	var room [64]byte
	at := 0
	for at < len(s) {
		label, target, title, after := readDefinition(s, at, len(s))
		if after < 0 {
			break
		}
		key := appendLabelKey(room[:0], s[label.start:label.end])
		if len(key) == 0 {
			break
		}
		if _, isNew := p.defs.add(key, len(p.refs)); isNew {
			p.refs = append(p.refs, pageRef{p.copyText(s[target.start:target.end]), p.copyText(s[title.start:title.end])})
		}
		at = after
	}
	return at
}

// copyText copies what a definition says.
func (p *Page) copyText(s []byte) span {
	n := len(p.made)
	p.made = append(p.made, s...)
	return span{int32(n), int32(len(p.made))}
}
