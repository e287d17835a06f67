package content

import (
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
)

// embed writes the part of another document that a link embeds, and reports whether there
// is one. It stands beside paragraphs, so only a paragraph can hold it.
func (p *writer) embed(l *doc.Link) bool {
	if p.to.Embed == nil || p.links.depth > 0 || p.para == 0 || len(p.markup.open) != p.para {
		return false
	}
	e := p.to.Embed(l)
	if e == nil {
		return false
	}
	sub, why := written(e.Doc, e.To, p.embedded+1)
	if why != "" || len(p.html)+len(sub.html) > maxPage {
		return false
	}
	p.diagrams = p.diagrams || sub.diagrams
	if !p.tight && !p.cut("<p>") {
		p.raw("</p>\n")
	}
	p.raw(`<div class="embed">`)
	p.around(`<p class="embed-title"><a href="`, e.Href, `">`)
	p.around("", e.Title, "</a></p>\n")
	p.html = append(p.html, sub.html...)
	p.raw("</div>\n")
	if !p.tight {
		p.raw("<p>")
	}
	return true
}

// paragraph writes the beginning or end of a paragraph.
func (p *writer) paragraph(n *markdown.Piece) {
	if !n.Close {
		p.para, p.tight = len(p.markup.open)+1, n.Tight // with the barrier that follows
		if !n.Tight {
			p.raw("<p>")
		}
		return
	}
	p.para = 0
	switch {
	case !n.Tight && !p.cut("<p>"):
		p.raw("</p>\n")
	case n.Tight && !n.Last:
		p.raw("\n")
	}
}
