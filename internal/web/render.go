package web

import (
	"bufio"
	"bytes"
	"context"
	"html/template"
	"runtime"
	"slices"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// How a document becomes HTML.
//
// goldmark parses it; what it parsed is written here, node by node. Nothing of a
// document is ever copied into the page: its text is escaped, its tags are left
// out, its pictures are named, and its links become one of three things: a place
// in the corpus, an address with an allowed scheme, or words. So the only
// elements and attributes of a document's page are those in pagewriter.go.
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

// renderTime is how long a page waits for a rendering. What the guards let
// through takes a hundredth of it.
const renderTime = 2 * time.Second

// A renderer bounds how many documents are rendered at once. One that takes too
// long keeps its place until it ends, so that such documents cannot pile up.
type renderer struct{ slots chan struct{} }

func newRenderer() *renderer {
	return &renderer{make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))}
}

// render gives a document as HTML. Where says where its links lead.
func (r *renderer) render(ctx context.Context, d *doc.Document, where func(dest string, l *doc.Link) link) rendering {
	if why := refuse(d.Source); why != "" {
		return rendering{why: why}
	}
	timeout := time.NewTimer(renderTime)
	defer timeout.Stop()
	select {
	case r.slots <- struct{}{}:
	case <-timeout.C:
		return rendering{why: tooLate}
	case <-ctx.Done():
		return rendering{why: tooLate}
	}
	done := make(chan rendering, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- rendering{why: "it could not be parsed"}
			}
			<-r.slots
		}()
		done <- rendering{html: toHTML(d, where)}
	}()
	select {
	case out := <-done:
		return out
	case <-timeout.C:
	case <-ctx.Done():
	}
	return rendering{why: tooLate}
}

const tooLate refusal = "it takes too long to render"

// toHTML renders a document without any bound.
func toHTML(d *doc.Document, where func(string, *doc.Link) link) template.HTML {
	from := 0
	if len(d.Blocks) > 0 && d.Blocks[0].Kind == doc.FrontMatter {
		from = d.Blocks[0].Span.End
	}
	src := d.Source[from:]
	p := newParser()
	pc := parser.NewContext()
	pc.Set(p.links, func(at int) *doc.Link {
		i, ok := slices.BinarySearchFunc(d.Links, at+from, func(l doc.Link, at int) int { return l.Span.Start - at })
		if !ok || d.Links[i].Kind < doc.Auto || d.Links[i].Kind == doc.Auto && d.Source[at+from] == '<' {
			return nil
		}
		return &d.Links[i]
	})
	root := p.Parse(text.NewReader(src), parser.WithContext(pc))
	b := &bytes.Buffer{}
	w := &pageWriter{w: bufio.NewWriter(b), src: src, from: from, d: d, where: where}
	_ = ast.Walk(root, w.node)
	_ = w.w.Flush()
	return template.HTML(b.String()) //nolint:gosec // all of it was written by pageWriter
}
