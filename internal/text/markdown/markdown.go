// Package markdown takes Markdown files apart: bytes in, a doc.Document with
// exact byte and line ranges out. It never fails and never panics; what it does
// not understand is a paragraph.
//
// The work is done in two passes, each linear in the size of the file.
//
// The first pass (block.go) goes through the lines once, keeping a stack of
// open containers as the CommonMark specification describes it, and writes down
// blocks, headings and link reference definitions. The second pass (inline.go)
// goes through the text blocks, once, and finds links; it needs the definitions,
// which may stand anywhere. Sections, anchors and titles follow from the two.
//
// Beyond CommonMark 0.31 with GitHub's tables and bare links it knows the
// dialects documentation is written in: YAML and TOML front matter, explicit
// heading ids, wiki links, MkDocs and Docusaurus admonitions, GitHub alerts,
// Hugo shortcodes, MDN macros and MDX.
//
// NewPage takes a document apart once more, to be shown: into paragraphs, lists
// and emphasis, as CommonMark has them (page.go). The readers of a line, of tags
// and of links are the same; the dialects are shown as they are written, but for
// links.
//
// Documents are hostile. Every loop either moves forward or draws on a budget
// (see parser.spend), container nesting ends at maxDepth, and nothing is ever
// expanded: a table of 5,000 columns costs as much as its bytes.
package markdown

import (
	"math"
	"strings"
	"sync"
	"unsafe"

	"github.com/docent-md/docent/doc"
)

// maxDepth is how deep containers may nest; a marker beyond it is text. A list
// counts two, itself and its item. The deepest of 47,000 real files reaches 20.
const maxDepth = 200

// A line of four bytes can hold three blocks of eighty each. These bounds keep
// the memory of a hostile file of 10 MiB under 200 MiB; what is beyond them is
// text. The most that one of 47,000 real files has is 7,236 blocks, 1,390
// headings and 2,379 links.
const (
	maxBlocks   = 400_000
	maxHeadings = 100_000
	maxLinks    = 300_000
)

// Parse takes the file src, found at path, apart. It keeps src, which must not
// change afterwards: the strings of the document lie in it.
func Parse(path string, src []byte) doc.Document {
	p := parsers.Get().(*parser)
	d := p.parse(path, src)
	if len(src) <= maxKept {
		parsers.Put(p)
	}
	return d
}

// parsers keeps the working memory of parsers between files: most documents are
// small, and allocating it anew costs as much as using it. What a large file
// made of it is not kept.
var parsers = sync.Pool{New: func() any { return new(parser) }}

const maxKept = 1 << 20

func (p *parser) parse(path string, src []byte) doc.Document {
	if len(src) > math.MaxInt32-1 {
		src = src[:math.MaxInt32-1] // positions are kept in 32 bits
	}
	p.reset(path, src)
	p.frontMatter()
	p.scan()
	p.layout()
	p.inline()
	p.anchors()
	d := p.document()
	// What is kept for the next file must not keep this one alive.
	p.d, p.src, p.file = doc.Document{}, nil, ""
	p.plain.src, p.plain.links = nil, nil
	return d
}

// A parser is the state of one Parse. Its slices hold no pointers and are used
// again for the next file.
type parser struct {
	d    doc.Document // what the front matter says
	file string       // the file; the strings of the document lie in it
	own  bool         // src is a copy of ours
	mdx  bool         // JSX and imports are expected, indented code is not

	// The line being scanned. In its src a quote marker is overwritten by a space
	// once it is consumed.
	cursor

	open   []container // the open containers, outermost first
	quotes int         // how many of them are quotes
	leaf   leaf        // the open leaf, if any
	colons []colonPair // where ":::" containers open and close, not yet passed
	paired bool        // colons are known

	// What was found; see record.go.
	blocks   []block
	headings []heading
	sections []section
	links    []link
	made     []byte // text that is not in the file as it stands
	slugs    Slugger
	defs     names // labels of link reference definitions, by index in targets
	targets  []span

	// The text being read; see inline.go.
	ticks     tickRuns
	brackets  []bracket
	dead      int // brackets below this one can no longer open a link
	linksFrom int // the first link of the block being read
	label     []byte
	plain     plainer

	budget int // bytes of lookahead left
	steps  int // containers asked about a line, for the tests
}

// reset makes p ready for another file; only its memory is used again.
func (p *parser) reset(path string, src []byte) {
	p.d = doc.Document{Path: path, Source: src}
	p.src, p.own, p.mdx = src, false, strings.HasSuffix(path, ".mdx")
	p.file = unsafe.String(unsafe.SliceData(src), len(src))
	p.next, p.line, p.ruleChar, p.quotes = 0, 0, 0, 0
	p.open, p.leaf, p.colons, p.paired = p.open[:0], leaf{}, p.colons[:0], false
	p.blocks, p.headings, p.sections = p.blocks[:0], p.headings[:0], p.sections[:0]
	p.links, p.made, p.targets = p.links[:0], p.made[:0], p.targets[:0]
	p.slugs.names.reset()
	p.defs.reset()
	p.budget, p.steps = 16*len(src)+1024, 0
}

// spend takes n bytes of lookahead from the budget. All scanning that may come
// to nothing and be repeated further on pays here, so that the whole of Parse
// stays linear: when the budget is gone, constructs that need lookahead are
// text. Of 47,000 real files none used a third of it.
func (p *parser) spend(n int) { p.budget -= n }
