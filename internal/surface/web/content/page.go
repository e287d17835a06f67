package content

import (
	"bytes"
	"html/template"

	"github.com/docent-md/docent/internal/text/markdown"
)

// A page is HTML that is being written.
type page struct {
	html     []byte
	diagrams bool // there is one
	embedded int  // how deep it is in other pages
}

// Rendering takes time in proportion to the size of a document, whatever is in it. The
// limit protects the browser: a link of three bytes may lead far.
const maxPage = 16 << 20

func (p *page) raw(s string) { p.html = append(p.html, s...) }

// Write makes the page what template.HTMLEscape writes to.
func (p *page) Write(b []byte) (int, error) {
	p.html = append(p.html, b...)
	return len(b), nil
}

// text writes text of a document, between tags or in a quoted attribute.
func (p *page) text(s []byte) { template.HTMLEscape(p, s) }

// around writes text of a document between two pieces of markup.
func (p *page) around(before, text, after string) {
	p.raw(before)
	p.text([]byte(text))
	p.raw(after)
}

// put writes the opening or the closing tag, whichever n is.
func (p *page) put(tag [2]string, n *markdown.Piece) {
	if n.Close {
		p.raw(tag[1])
	} else {
		p.raw(tag[0])
	}
}

// cut takes back what was written last if that is end, and reports whether it was.
func (p *page) cut(end string) bool {
	rest, ok := bytes.CutSuffix(p.html, []byte(end))
	p.html = rest
	return ok
}

// clip shortens a text to n bytes or so.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n] + "…"
}
