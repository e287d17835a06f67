package markdown

import "github.com/docent-md/docent/doc"

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
	Fold    Fold         // of a box or alert: whether it can be folded
	Info    []byte       // of code: what stands behind the opening fence, as written; of a box or alert: its kind; of a note: its label
	Head    bool         // of a cell: it is in the first row
	Align   Align        // of a cell
	Done    bool         // of a task
	Mail    bool         // of an address: it is one for mail
	Display bool         // of mathematics: it stands by itself
	Defines bool         // of a list: its items are definitions ("- : words"), or hold such lists

	Target []byte    // of links and pictures: where it leads, as written
	Title  []byte    // of links and pictures: as written, without its quotes
	Attrs  []byte    // of links and pictures: what stands in the braces behind it, {#id .class key=value}
	Link   *doc.Link // of a known link
}

// A PieceKind says what a piece is.
type PieceKind uint8

// The kinds of piece. Those up to LabelPiece hold others.
const (
	noPiece PieceKind = iota
	QuotePiece
	BoxPiece   // of a dialect: "!!! note", ":::tip", {{< warning >}}
	NotePiece  // what a footnote says; Info is its label
	TermsPiece // terms, each a TermPiece, and their definitions
	DefinitionPiece
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
	InlineNotePiece // a footnote where it stands, ^[words]
	MarkPiece
	TermPiece
	LabelPiece // what a box is about, or an alert

	CodePiece      // a block of it
	HTMLPiece      // a block of it
	ComponentPiece // tags, imports or exports of MDX, in a block
	RulePiece
	TextPiece // with escapes and entities resolved
	CodeSpanPiece
	TagPiece     // HTML in text
	AddressPiece // <https://...>
	KnownPiece   // a link that Parse knows: [[wiki]], {{macro}}, https://...
	TaskPiece
	NoteMarkPiece // the mark of a footnote; Text is its label
	MathPiece     // TeX; Display says that it stands by itself
	KeysPiece     // keys of a keyboard; Text is "ctrl+c"
	CallPiece     // what a template puts there; Text is what stands in its braces
	BreakPiece    // the end of a line, that must be one
	SoftPiece     // the end of a line
)

// Fold says whether a box can be folded.
type Fold uint8

// The kinds of folding.
const (
	NoFold Fold = iota
	Folded
	Unfolded
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
