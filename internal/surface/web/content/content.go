// Package content turns a document into the HTML that people read.
//
// internal/text/markdown parses it; a writer writes its pieces one by one. No markup of
// a document is ever copied into the page: its text is escaped, the HTML in it is read
// and written anew from a short list of elements and attributes (element.go), a picture is
// one that the caller vouches for, and a link becomes a place in the corpus, an address
// that the caller allows, or text. So the only elements and attributes in the page are
// those written out in this package.
//
// Headings have docent's own anchors, so that every Ref is an address.
package content

import (
	"html/template"

	"github.com/docent-md/docent/doc"
)

// A Rendering is a document as HTML, or the reason why there is none.
type Rendering struct {
	HTML     template.HTML
	Why      Refusal
	Diagrams bool // it has diagrams, which a script is to draw
}

// A Refusal says why a document is shown as source instead of rendered; "" if it is
// rendered.
type Refusal string

// The refusals of Render.
const (
	TooLarge Refusal = "its page would be larger than 16 MiB"
	TooDeep  Refusal = "its quotes or lists are nested too deeply"
)

// Render converts a document of any size to HTML.
func Render(d *doc.Document, to Places) Rendering {
	p, why := written(d, to, 0)
	if why != "" {
		return Rendering{Why: why}
	}
	return Rendering{HTML: template.HTML(p.html), Diagrams: p.diagrams} //nolint:gosec // all of it was written by writer
}
