package embed

import (
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
)

// A Page is a document as titles and texts: what pairs are mined from.
type Page struct {
	Source      string // pages of one source are about one thing: the repository, the root
	Title       string
	Description string
	Sections    []Section // in reading order; the first is the page itself
}

// A Section is a heading and the text up to the next one.
type Section struct {
	Title  string
	Parent int    // index in Page.Sections, or -1 for the page itself
	Body   string // without the heading
}

// A Text appends the words a reader sees in a range of a document, as
// markdown.AppendText does.
type Text func(dst []byte, d *doc.Document, span doc.Span) []byte

// NewPage takes the titles and texts from a document. Front matter is no text: it
// holds the title and the description, which are to be told from the text.
func NewPage(source string, d *doc.Document, text Text) Page {
	p := Page{Source: source, Title: d.Title, Description: d.Description, Sections: make([]Section, len(d.Sections))}
	front := 0
	if len(d.Blocks) > 0 && d.Blocks[0].Kind == doc.FrontMatter {
		front = d.Blocks[0].Span.End
	}
	var buf []byte
	for i, s := range d.Sections {
		span := doc.Span{Start: max(s.Span.Start, front), End: max(s.Span.End, front)}
		buf = buf[:0]
		if s.Heading >= 0 {
			h := d.Headings[s.Heading].Span
			buf = text(buf, d, doc.Span{Start: span.Start, End: max(span.Start, h.Start)})
			span.Start = max(span.Start, h.End)
		}
		buf = text(buf, d, span)
		p.Sections[i] = Section{Title: s.Title, Parent: s.Parent, Body: string(buf)}
	}
	return p
}

// Pages reads every file whose name ends in ".md" in the order of its path,
// compared byte by byte as a whole with slashes. The source of a page is the
// first element of its path. This order is part of the recipe of a table.
func Pages(fsys fs.FS, parse func(path string, src []byte) doc.Document, text Text) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		var paths []string
		err := fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".md") {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			yield(Page{}, fmt.Errorf("read pages: %w", err))
			return
		}
		slices.Sort(paths)
		for _, path := range paths {
			src, err := fs.ReadFile(fsys, path)
			if err != nil {
				yield(Page{}, fmt.Errorf("read pages: %w", err))
				return
			}
			d := parse(path, src)
			source, _, _ := strings.Cut(path, "/")
			if !yield(NewPage(source, &d, text), nil) {
				return
			}
		}
	}
}

// trail returns the titles from the page down to a section, with spaces between;
// a title that repeats the one above it is there once.
func (p *Page) trail(i int) string {
	var titles []string
	for steps := 0; i >= 0 && i < len(p.Sections) && steps < maxDepth; steps++ {
		titles = append(titles, p.Sections[i].Title)
		i = p.Sections[i].Parent
	}
	titles = append(titles, p.Title)
	slices.Reverse(titles)
	return strings.Join(slices.Compact(titles), " ")
}

// maxDepth ends the way up from a section; there are six levels of headings.
const maxDepth = 10
