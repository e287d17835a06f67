// Package doc holds the words docent is written in: Document, Section, Block,
// Chunk, Link and Ref. They are plain values. The package does no I/O and
// imports nothing of ours, so every engine can speak of the same things
// without knowing the others.
//
// All positions refer to the bytes of the file as it is on disk, byte order
// mark and carriage returns included. A line ends at "\n" and nowhere else, so
// that line numbers equal those of sed -n. A carriage return that no "\n"
// follows ends a line too, as CommonMark has it: EndLines makes it a "\n" when
// the file is read, so that nobody else needs to know.
package doc

import "bytes"

// EndLines overwrites each carriage return in src that no "\n" follows with
// "\n", and returns src. No byte moves, and it is done before a document is
// looked at in any way.
func EndLines(src []byte) []byte {
	for i := 0; ; i++ {
		n := bytes.IndexByte(src[i:], '\r')
		if n < 0 {
			return src
		}
		if i += n; i+1 == len(src) || src[i+1] != '\n' {
			src[i] = '\n'
		}
	}
}

// A Span is the half-open range of bytes [Start, End) of a file.
type Span struct{ Start, End int }

// Len returns the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Of returns the bytes of src that the span covers.
func (s Span) Of(src []byte) []byte { return src[s.Start:s.End] }

// Lines is an inclusive range of lines, counted from 1. The zero value means
// no lines.
type Lines struct{ Start, End int }

// Count returns the number of lines in the range.
func (l Lines) Count() int {
	if l.Start == 0 {
		return 0
	}
	return l.End - l.Start + 1
}

// A Document is one Markdown file, parsed. Nothing in it is copied from
// Source that can be named by a range of it.
type Document struct {
	Path   string // relative to its root, with forward slashes
	Source []byte // the file, byte for byte

	Title       string         // front matter title, else the first level-1 heading, else the file name
	Description string         // front matter description
	Slug        string         // front matter slug
	Tags        []string       // front matter tags
	Aliases     []string       // front matter aliases
	Meta        map[string]any // the whole front matter; nil when there is none
	MetaError   string         // why the front matter could not be read; "" when it could

	Sections []Section // in reading order; the first is the document itself
	Headings []Heading // in reading order
	Blocks   []Block   // in reading order, a container before what it contains
	Links    []Link    // in reading order
}

// A Section is a heading and its text up to the next heading. The sections of
// a document tile it: every byte belongs to exactly one. Sections[0] stands for
// the document itself; it owns what precedes the first heading and, when the
// document opens with a level-1 heading, that heading and its text too.
type Section struct {
	Level   int    // 1 for the document itself, else the level of the heading
	Title   string // the heading's words, or the document's title
	Anchor  string // unique in the document; "" when the section has no heading
	Heading int    // index in Document.Headings, or -1
	Parent  int    // index in Document.Sections, or -1 for the document itself
	End     int    // Sections[i:End] is section i and everything under it
	Span    Span
	Lines   Lines
}

// A Heading is one heading line (two for an underlined one). Headings inside
// quotes and list items have an anchor too, but open no section.
type Heading struct {
	Level  int
	Title  string // its words: markup, explicit ids and macros taken off
	Anchor string // explicit id, else the slug GitHub gives it; unique in the document
	Nested bool   // inside a quote, list item or admonition
	Span   Span
	Lines  Lines
}

// A Block is a paragraph, list, table, code block and the like: the smallest
// thing that is not cut when a document is divided.
type Block struct {
	Kind   Kind
	Parent int    // index in Document.Blocks of the container, or -1
	Info   string // the info string of fenced code, the kind of an admonition
	Span   Span   // whole lines, the line ending included
	Lines  Lines
	Inner  Span // the content of a fenced code block, between the fences
}

// Kind says what a block is.
type Kind uint8

// The kinds of block.
const (
	Paragraph Kind = iota
	HeadingBlock
	List
	Item // one item of a list; its parent is a List
	Table
	Fence        // fenced code
	IndentedCode // code by indentation
	HTML
	Quote
	Admonition // ":::", "!!!" and "> [!NOTE]"
	Break      // a thematic break
	FrontMatter
	Definition // link reference definitions
	Component  // MDX imports, exports and component lines: not text
)

var kindNames = [...]string{
	"paragraph", "heading", "list", "item", "table", "fence", "indented code",
	"html", "quote", "admonition", "break", "front matter", "definition", "component",
}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// A Link is one reference from a document to somewhere, as it is written.
type Link struct {
	Kind    LinkKind
	Text    string // what the reader sees
	Target  string // where it leads, as written; of a reference link, its definition's
	Image   bool   // an image or an embed: "![...](...)", "![[...]]"
	Section int    // index in Document.Sections of the section it is in
	Line    int
	Span    Span
}

// LinkKind says how a link is written.
type LinkKind uint8

// The kinds of link.
const (
	Inline    LinkKind = iota // [text](target)
	Reference                 // [text][label], [label][], [label]
	Auto                      // <https://...> and bare https://...
	Wiki                      // [[target]], [[target|text]], [[target#heading]]
	Macro                     // {{domxref("X")}}: Target is the call, Text its words
)

// Chunk is what is indexed and returned: a section, several small ones merged,
// or a part of a large one.
type Chunk struct {
	Section int      // index in Document.Sections of the section it begins in
	Part    int      // 1, 2, ... when the section was split; 0 when it is whole
	Title   string   // title of the section it begins in
	Anchor  string   // anchor of that section
	Path    []string // titles from the document down to that section
	Span    Span
	Lines   Lines
	Text    string // the source of Span; where a code block or table was cut, its fences or head repeated
	Tokens  int    // estimated size of Text
}
