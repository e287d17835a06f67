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
// (see record.spend), container nesting ends at maxDepth, and nothing is ever
// expanded: a table of 5,000 columns costs as much as its bytes.
package markdown

import (
	"math"
	"strings"
	"sync"

	"github.com/docent-md/docent/doc"
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
// small, and allocating it again costs as much as using it. What a large file
// made of it is dropped.
var parsers = sync.Pool{New: func() any { return new(parser) }}

const maxKept = 1 << 20

// A parser is the state of one Parse.
type parser struct {
	record
	scanner blockScanner
	inline  inliner
	slugs   slugger
}

func (p *parser) parse(path string, src []byte) doc.Document {
	if len(src) > math.MaxInt32-1 {
		src = src[:math.MaxInt32-1] // positions are 32 bits
	}
	p.record.reset(src)
	p.scanner.reset(&p.record, src, strings.HasSuffix(path, ".mdx"))
	p.inline.reset(&p.record)
	p.slugs.names.reset()
	d := doc.Document{Path: path, Source: src}
	if m := findFrontMatter(src); m.lines > 0 {
		m.read(&d, p.file[m.start:m.end])
		p.blocks = append(p.blocks, block{
			kind: doc.FrontMatter, parent: -1,
			span:  span{0, int32(m.next)},
			first: 1, last: int32(m.lines),
			inner: span{int32(m.start), int32(m.end)},
		})
		p.scanner.next, p.scanner.line = m.next, m.lines
	}
	p.scanner.scan()
	p.text = p.scanner.src
	p.layout()
	p.inline.scan()
	p.slugs.anchors(&p.record)
	d = p.document(d, p.scanner.line)
	// What is kept for the next file must not keep this one alive.
	p.file, p.text, p.scanner.src = "", nil, nil
	p.inline.titles.plain.src, p.inline.titles.plain.links = nil, nil
	return d
}
