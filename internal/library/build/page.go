package build

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/fields"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/text/chunk"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/symbol"
	"github.com/docent-md/docent/internal/text/words"
)

// A Page is one file, parsed and chunked: all that an index has of it.
type Page struct {
	File     doctable.File
	Sections []doctable.Section
	Chunks   []doctable.Chunk
	texts    []index.Text // one a chunk
	links    graph.File
	code     []snippet.Named
	fields   []fields.Pair
	glossary []fields.Pair
	embed    []embedding.Text // one a chunk, when they are to be embedded

	doc doc.Document // dropped when the page is complete
}

// mtimeGranularity is how old a file must be for its mtime to be trusted. A file that
// was changed just before it was read can change again without a new mtime; such a file
// is compared by content next time.
const mtimeGranularity = 100 * time.Millisecond

// newPage makes the page of a file read at a time.
func newPage(f crawl.File, read time.Time, p chunk.Policy, embed bool) Page {
	d := markdown.Parse(f.Path, f.Data)
	pg := Page{doc: d, File: doctable.File{
		Path: f.Path, Title: d.Title, Description: d.Description,
		Size: f.Size, ModTime: f.ModTime.UnixNano(), Hash: snapshot.ContentHash(f.Data),
		Links: len(d.Links),
	}}
	if read.Sub(f.ModTime) < mtimeGranularity {
		pg.File.ModTime = 0
	}
	pg.links = graph.Extract(&d)
	pg.fields = fieldsOf(&d)
	pg.glossary = glossaryOf(&d)
	code, moreNames := codeBlocks(&d)
	pg.code = code
	for beyond, more := range map[doctable.Beyond]bool{
		doctable.BeyondBlocks:   len(d.Blocks) >= markdown.MaxBlocks,
		doctable.BeyondHeadings: len(d.Headings) >= markdown.MaxHeadings,
		doctable.BeyondLinks:    len(d.Links) >= markdown.MaxLinks,
		doctable.BeyondNames:    moreNames,
	} {
		if more {
			pg.File.Beyond |= beyond
		}
	}
	pg.File.Fences = len(pg.code)
	pg.Sections = make([]doctable.Section, len(d.Sections))
	for i, s := range d.Sections {
		pg.Sections[i] = doctable.Section{
			Level: s.Level, Title: s.Title, Anchor: s.Anchor, Parent: s.Parent,
			Span: s.Span, Lines: s.Lines, Bare: corpus.IsBare(&d, i),
		}
		pg.File.Lines = s.Lines.End
	}
	chunks := corpus.Split(&d, p)
	pg.Chunks = make([]doctable.Chunk, len(chunks))
	pg.texts = make([]index.Text, len(chunks))
	t := Texter{D: &d}
	for i, c := range chunks {
		pg.Chunks[i] = doctable.Chunk{
			Section: c.Section, Part: c.Part, Span: c.Span, Lines: c.Lines, Altered: len(c.Text) != c.Span.Len(),
			Tokens: c.Tokens, Hash: answer.HashOf(c.Span.Of(d.Source)),
		}
		pg.texts[i] = t.Text(c)
		if embed {
			pg.embed = append(pg.embed, embedding.Text{Titles: c.Path, Body: pg.texts[i].Body})
		}
		pg.File.Tokens += c.Tokens
	}
	if p.Window { // which overlap
		pg.File.Tokens = p.Count(f.Data)
	}
	return pg
}

// sample is the page as the base table is adapted to it.
func (pg *Page) sample() embed.Page { return embed.NewPage("", &pg.doc, markdown.AppendText) }

// A Texter turns chunks of a document into the texts that are indexed.
type Texter struct {
	D    *doc.Document
	path string // its words, once they are known
	buf  []byte
}

// Text divides a chunk into the fields of the index: its own title; its headings, which
// are the titles above it, those of smaller sections within it, the words of its path
// and of an anchor its author chose, and the page's description; and its body as a
// reader sees it. All of the source is there too, without weight, so that grep can find
// every word of it.
func (t *Texter) Text(c doc.Chunk) index.Text {
	d := t.D
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
		case first+i == own && !markdown.IsCut(&h): // the title, not part of the body
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
	if !words.Same(c.Anchor, c.Title) {
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

// codeBlocks are the code blocks of a document with the names in them, or beyond
// snippet.MaxNames without. Dotted names are indexed by their parts: a.b is looked for in
// blocks with both a and b.
func codeBlocks(d *doc.Document) (out []snippet.Named, beyond bool) {
	var scan symbol.Scanner
	count := 0
	have := map[string]bool{}
	section := 0
	for _, b := range d.Blocks {
		if b.Kind != doc.Fence {
			continue
		}
		for section+1 < len(d.Sections) && d.Sections[section+1].Span.Start <= b.Span.Start {
			section++
		}
		lang := symbol.Language(b.Info)
		block := snippet.Named{Block: snippet.Block{Section: section, Language: lang, Span: b.Span, Lines: b.Lines}}
		if count > snippet.MaxNames {
			out, beyond = append(out, block), true
			continue
		}
		clear(have)
		names := scan.Scan(lang, markdown.Code(d, &b))
		block.Names = make([]snippet.Name, 0, len(names.Declared)+len(names.Keys)+len(names.Used))
		for kind, list := range [][]string{names.Declared, names.Keys, names.Used} {
			for _, n := range list {
				if kind == int(snippet.Uses) && isDotted(n) {
					continue
				}
				if have[n] = true; len(have) > len(block.Names) { // not seen before
					block.Names = append(block.Names, snippet.Name{Text: n, Kind: snippet.Kind(kind)})
				}
			}
		}
		count += len(block.Names)
		out = append(out, block)
	}
	return out, beyond
}

// isDotted reports whether a name has several parts: a.b, a::b, A\B.
func isDotted(name string) bool {
	for i := range len(name) {
		if c := name[i]; c == '.' || c == ':' || c == '\\' {
			return true
		}
	}
	return false
}
