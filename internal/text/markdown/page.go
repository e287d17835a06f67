package markdown

import (
	"math"
	"slices"
	"strings"

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
	// lies beyond is shown as text.
	Deep bool

	d      *doc.Document
	blocks []pageBlock
	lines  []pageLine
	aligns []Align
	labels []span // of boxes and alerts, in the file
	defs   names  // labels of link reference definitions, by index in targets
	refs   []pageRef
	made   []byte // what the definitions say
	steps  int    // containers asked about a line, for the tests
}

// maxPageDepth is how deep containers may nest, a list counting two: itself and
// its item. The deepest of 47,000 real files reaches 20, and browsers bear 500.
const maxPageDepth = 80

// A Piece is a step through a page. Most pieces hold others and come twice, at
// their beginning and at their end.
type Piece struct {
	Kind  PieceKind
	Close bool // the end of a piece that holds others

	Text []byte // of what holds text: valid until the next piece

	Level   int          // of a heading: 1 to 6
	Heading *doc.Heading // of a heading: what Parse has at this place, if anything
	Number  int          // of a list: the first number; -1 of one with bullets
	Tight   bool         // of a paragraph: it is in a list without blank lines between its items
	Last    bool         // of a paragraph: nothing follows it in what it is in
	Alert   string       // of a quote or box: how it looks, "note", "tip" ...; "" of an ordinary quote
	Plain   bool         // of a box or alert: no label follows, Info is its name
	Info    []byte       // of code: what stands behind the opening fence, as written; of a box or alert: its kind
	Head    bool         // of a cell: it is in the first row
	Align   Align        // of a cell
	Done    bool         // of a task
	Mail    bool         // of an address: it is one for mail

	Target []byte    // of links and pictures: where it leads, as written
	Title  []byte    // of links and pictures: as written, without its quotes
	Link   *doc.Link // of a known link
}

// A PieceKind says what a piece is.
type PieceKind uint8

// The kinds of piece. Those up to LabelPiece hold others.
const (
	noPiece PieceKind = iota
	QuotePiece
	BoxPiece // of a dialect: "!!! note", ":::tip", {{< warning >}}
	ListPiece
	ItemPiece
	ParagraphPiece
	HeadingPiece
	TablePiece
	RowPiece // Head says whether it is the first
	CellPiece
	LinkPiece
	ImagePiece
	EmphasisPiece
	StrongPiece
	StruckPiece
	LabelPiece // what a box is about, or an alert

	CodePiece // a block of it
	HTMLPiece // a block of it
	RulePiece
	TextPiece // with escapes and entities resolved
	CodeSpanPiece
	TagPiece     // HTML in text
	AddressPiece // <https://...>
	KnownPiece   // a link that Parse knows: [[wiki]], {{macro}}, https://...
	TaskPiece
	BreakPiece // the end of a line, that must be one
	SoftPiece  // the end of a line
)

// Align says to which side the text of a column keeps.
type Align uint8

// The sides.
const (
	NoSide Align = iota
	LeftSide
	CentreSide
	RightSide
)

type pageBlock struct {
	kind      PieceKind // noPiece of a paragraph that was nothing but definitions
	level     uint8     // of a heading
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

// alerts are the kinds of quote that GitHub shows in colour.
var alerts = [...]string{"note", "tip", "important", "warning", "caution"}

// NewPage reads the blocks of a document that Parse made.
func NewPage(d *doc.Document) *Page {
	b := pageBuilder{Page: &Page{d: d}}
	b.src = d.Source[:min(len(d.Source), math.MaxInt32-1)]
	if len(d.Blocks) > 0 && d.Blocks[0].Kind == doc.FrontMatter {
		b.next = d.Blocks[0].Span.End
	}
	b.dialects, b.mdx = dialects(d), strings.HasSuffix(d.Path, ".mdx")
	b.scan()
	return b.Page
}

// Walk visits the pieces of the page in reading order. A piece is the visitor's
// until the next one.
func (p *Page) Walk(visit func(*Piece)) { p.walk(newPageWalker(p, visit)) }

func (p *Page) walk(w *pageWalker) {
	var open []int32
	pop := func() {
		w.piece = p.pieceOf(int(open[len(open)-1]))
		w.piece.Close = true
		w.visit(&w.piece)
		open = open[:len(open)-1]
	}
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.kind == noPiece {
			continue
		}
		for len(open) > 0 && open[len(open)-1] != b.parent {
			pop()
		}
		w.block(i)
		if b.kind <= ItemPiece {
			open = append(open, int32(i))
		}
	}
	for len(open) > 0 {
		pop()
	}
}

// pieceOf returns what is known of a block without reading its text.
func (p *Page) pieceOf(i int) Piece {
	b := &p.blocks[i]
	out := Piece{Kind: b.kind, Level: int(b.level), Number: int(b.number)}
	switch b.kind {
	case QuotePiece, BoxPiece:
		if b.alert > 0 {
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
	case CodePiece:
		out.Info = p.d.Source[b.info.start:b.info.end]
	case HeadingPiece:
		at := int(b.start)
		h, ok := slices.BinarySearchFunc(p.d.Headings, at, func(h doc.Heading, at int) int {
			switch {
			case h.Span.End <= at:
				return -1
			case h.Span.Start > at:
				return 1
			}
			return 0
		})
		if ok {
			out.Heading = &p.d.Headings[h]
		}
	}
	return out
}
