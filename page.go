package docent

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/text/chunk"
	"github.com/docent-md/docent/internal/text/markdown"
)

// indexFormat is the version of what we put into an index: the tables, and how
// documents become texts. An index of another version is made anew.
//
//	1: the first
//	2: links and code blocks
//	3: chunks say whether their text was altered
//	4: vectors in two halves
const indexFormat = 4

// A page is one file, read, taken apart and cut: all that an index holds of it.
type page struct {
	file     doctable.File
	sections []doctable.Section
	chunks   []doctable.Chunk
	texts    []index.Text // one a chunk
	links    graph.File
	code     []snippet.Named
	embed    []embedText // one a chunk, when they are to be embedded

	doc doc.Document // until all is taken from it
}

// settle is how old a file must be for its time to be trusted. A file that was
// changed just before it was read can be changed again without its time moving
// on; such a file is compared by content next time.
const settle = 100 * time.Millisecond

// newPage makes the page of a file read at a time.
func newPage(f crawl.File, read time.Time, p chunk.Policy, embed bool) page {
	d := markdown.Parse(f.Path, f.Data)
	pg := page{doc: d, file: doctable.File{
		Path: f.Path, Title: d.Title, Description: d.Description,
		Size: f.Size, ModTime: f.ModTime.UnixNano(), Hash: contentHash(f.Data),
		Links: len(d.Links),
	}}
	if read.Sub(f.ModTime) < settle {
		pg.file.ModTime = 0
	}
	pg.links = graph.Extract(&d)
	pg.code = codeBlocks(&d)
	pg.file.Fences = len(pg.code)
	pg.sections = make([]doctable.Section, len(d.Sections))
	for i, s := range d.Sections {
		pg.sections[i] = doctable.Section{
			Level: s.Level, Title: s.Title, Anchor: s.Anchor, Parent: s.Parent,
			Span: s.Span, Lines: s.Lines, Bare: bare(&d, i),
		}
		pg.file.Lines = s.Lines.End
	}
	chunks := split(&d, p)
	pg.chunks = make([]doctable.Chunk, len(chunks))
	pg.texts = make([]index.Text, len(chunks))
	t := texter{d: &d}
	for i, c := range chunks {
		pg.chunks[i] = doctable.Chunk{
			Section: c.Section, Part: c.Part, Span: c.Span, Lines: c.Lines, Altered: len(c.Text) != c.Span.Len(),
			Tokens: c.Tokens, Hash: hashOf(c.Span.Of(d.Source)),
		}
		pg.texts[i] = t.text(c)
		if embed {
			pg.embed = append(pg.embed, embedText{titles: c.Path, body: pg.texts[i].Body})
		}
		pg.file.Tokens += c.Tokens
	}
	if p.Window { // which overlap
		pg.file.Tokens = p.Count(f.Data)
	}
	return pg
}

// mined is the page as the table of words learns from it.
func (pg *page) mined() embed.Page { return embed.NewPage("", &pg.doc, markdown.AppendText) }

// A texter turns chunks of a document into the texts that are indexed.
type texter struct {
	d    *doc.Document
	path string // its words, once they are known
	buf  []byte
}

// text divides a chunk by how much its words say about it: its own title; what
// it stands under, which is the titles above it, those of smaller sections
// within it, the words of its path and of an anchor its author chose, and the
// page's own description; and its body as a reader sees it. All of the source is
// there too, without weight, so that grep can find every word of it.
func (t *texter) text(c doc.Chunk) index.Text {
	d := t.d
	headings := make([]string, 0, 8)
	if n := len(c.Path); n > 1 {
		headings = append(headings, c.Path[:n-1]...)
	}
	t.buf = t.buf[:0]
	from := c.Span.Start
	first, _ := slices.BinarySearchFunc(d.Headings, c.Span.Start, func(h doc.Heading, at int) int {
		return h.Span.Start - at
	})
	own := d.Sections[c.Section].Heading
	for i, h := range d.Headings[first:] {
		if h.Span.End > c.Span.End {
			break
		}
		switch {
		case first+i == own: // told apart from the body, being the title
			t.buf = markdown.AppendText(t.buf, d, doc.Span{Start: from, End: h.Span.Start})
			from = h.Span.End
		case !h.Nested:
			headings = append(headings, h.Title)
		}
	}
	t.buf = markdown.AppendText(t.buf, d, doc.Span{Start: from, End: c.Span.End})
	if t.path == "" {
		t.path = strings.ReplaceAll(strings.TrimSuffix(d.Path, path.Ext(d.Path)), "/", " ")
	}
	headings = append(headings, t.path, d.Description)
	if !sameWords(c.Anchor, c.Title) {
		headings = append(headings, c.Anchor)
	}
	rest := c.Text
	if len(rest) != c.Span.Len() { // altered
		rest = string(c.Span.Of(d.Source))
	}
	return index.Text{
		Title:    c.Title,
		Headings: strings.Join(headings, "\n"),
		Body:     string(t.buf),
		Rest:     rest,
	}
}
