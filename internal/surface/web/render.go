package web

import (
	"context"
	"html/template"
	"runtime"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
)

// How a document becomes HTML.
//
// internal/text/markdown takes it apart; the pieces are written here, one by one.
// Nothing of a document is ever copied into the page: its text is escaped, its
// tags are left out, its pictures are named, and its links become one of three
// things: a place in the corpus, an address with an allowed scheme, or words. So
// the only elements and attributes of a document's page are those in
// pagewriter.go.
//
// Headings carry docent's own anchors, so that every Ref is an address here.

// A link is where something in a document leads.
type link struct {
	href    string // "" for one that leads nowhere a page could show
	class   string
	title   string
	foreign bool // out of the corpus
}

// A rendering is a document as HTML, or the reason why it is not.
type rendering struct {
	html template.HTML
	why  refusal
}

// A refusal says why a document is not rendered but shown as its source, which
// can always be read; "" when it is rendered.
type refusal string

// Reading a document takes time in proportion to its size, whatever it holds.
// These bounds are for who has to show it. None of the 10,952 pages of MDN's
// reference is refused.
const (
	maxSource = 512 << 10 // bytes of a document
	maxPage   = 16 << 20  // bytes of its page: a link of three bytes may lead far

	tooLarge  refusal = "it is larger than 512 KiB"
	pageLarge refusal = "its page would be larger than 16 MiB"
	tooDeep   refusal = "its quotes or lists are nested too deeply"
	tooLate   refusal = "it takes too long to render"
)

// A renderer bounds how many documents are rendered at once, and so the memory
// that takes.
type renderer struct{ slots chan struct{} }

func newRenderer() *renderer {
	return &renderer{make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))}
}

// render gives a document as HTML. Where says where its links lead.
func (r *renderer) render(ctx context.Context, d *doc.Document, where func(dest string, l *doc.Link) link) rendering {
	if len(d.Source) > maxSource {
		return rendering{why: tooLarge}
	}
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return rendering{why: tooLate}
	}
	defer func() { <-r.slots }()
	return toHTML(d, where)
}

// toHTML renders a document of any size.
func toHTML(d *doc.Document, where func(string, *doc.Link) link) rendering {
	page := markdown.NewPage(d)
	if page.Deep {
		return rendering{why: tooDeep}
	}
	w := &pageWriter{where: where, page: make([]byte, 0, min(2*len(d.Source), maxPage))}
	page.Walk(w.piece)
	if len(w.page) > maxPage {
		return rendering{why: pageLarge}
	}
	return rendering{html: template.HTML(w.page)} //nolint:gosec // all of it was written by pageWriter
}
