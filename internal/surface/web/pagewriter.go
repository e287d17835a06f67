package web

import (
	"html/template"
	"net/url"
	"strconv"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A pageWriter writes a document as HTML, piece by piece.
type pageWriter struct {
	page  []byte
	where func(string, *doc.Link) link
	ends  []string // closing tags of the open links and pictures
}

// tags has the opening and closing tags of pieces without properties.
var tags = [...][2]string{
	markdown.ItemPiece:     {"<li>", "</li>\n"},
	markdown.EmphasisPiece: {"<em>", "</em>"},
	markdown.StrongPiece:   {"<strong>", "</strong>"},
	markdown.StruckPiece:   {"<del>", "</del>"},
	markdown.LabelPiece:    {"<p class=\"label\">", "</p>\n"},
	markdown.TablePiece:    {"<div class=\"table\" role=\"region\" aria-label=\"table\" tabindex=\"0\"><table>\n", "</tbody></table></div>\n"},
	markdown.RulePiece:     {"<hr>\n", ""},
	markdown.BreakPiece:    {"<br>\n", ""},
	markdown.SoftPiece:     {"\n", ""},
}

// piece writes one piece. Nothing is written after the page has become too large.
func (p *pageWriter) piece(n *markdown.Piece) {
	if len(p.page) > maxPage || p.inline(n) {
		return
	}
	switch n.Kind {
	case markdown.ParagraphPiece:
		switch {
		case !n.Tight:
			p.put([2]string{"<p>", "</p>\n"}, n)
		case n.Close && !n.Last:
			p.raw("\n")
		}
	case markdown.HeadingPiece:
		p.heading(n)
	case markdown.QuotePiece, markdown.BoxPiece:
		p.quote(n)
	case markdown.ListPiece:
		p.list(n)
	case markdown.CodePiece:
		p.code(n)
	case markdown.HTMLPiece:
		p.htmlBlock(n)
	case markdown.RowPiece:
		if n.Head {
			p.put([2]string{"<thead><tr>", "</tr></thead>\n<tbody>\n"}, n)
		} else {
			p.put([2]string{"<tr>", "</tr>\n"}, n)
		}
	case markdown.CellPiece:
		p.cell(n)
	default:
		if int(n.Kind) < len(tags) {
			p.put(tags[n.Kind], n)
		}
	}
}

// inline writes a piece of a line of text, and reports whether n is one.
func (p *pageWriter) inline(n *markdown.Piece) bool {
	switch n.Kind {
	case markdown.TextPiece:
		p.text(n.Text)
	case markdown.CodeSpanPiece:
		p.raw("<code>")
		p.text(n.Text)
		p.raw("</code>")
	case markdown.TagPiece:
		p.tag(n)
	case markdown.LinkPiece:
		if n.Close {
			p.endLink()
		} else {
			p.link(p.target(n.Target))
		}
	case markdown.KnownPiece:
		p.words(p.where(n.Link.Target, n.Link), n.Link.Text)
	case markdown.AddressPiece:
		dest := string(n.Text)
		if n.Mail {
			dest = "mailto:" + dest
		}
		p.words(p.where(dest, nil), string(n.Text))
	case markdown.ImagePiece:
		p.image(n)
	case markdown.TaskPiece:
		if n.Done {
			p.raw(`<span class="task" role="img" aria-label="done">☑</span>`)
		} else {
			p.raw(`<span class="task" role="img" aria-label="open">☐</span>`)
		}
	default:
		return false
	}
	return true
}

func (p *pageWriter) raw(s string) { p.page = append(p.page, s...) }

// Write makes the page what template.HTMLEscape writes to.
func (p *pageWriter) Write(b []byte) (int, error) {
	p.page = append(p.page, b...)
	return len(b), nil
}

// text writes text of a document, between tags or in a quoted attribute.
func (p *pageWriter) text(s []byte) { template.HTMLEscape(p, s) }

// around writes text of a document between two pieces of markup.
func (p *pageWriter) around(before, text, after string) {
	p.raw(before)
	p.text([]byte(text))
	p.raw(after)
}

func (p *pageWriter) put(tag [2]string, n *markdown.Piece) {
	if n.Close {
		p.raw(tag[1])
	} else {
		p.raw(tag[0])
	}
}

// heading writes a heading with its anchor.
func (p *pageWriter) heading(n *markdown.Piece) {
	level, anchor := strconv.Itoa(n.Level), ""
	if n.Heading != nil {
		anchor = n.Heading.Anchor
	}
	if !n.Close {
		p.raw("<h" + level)
		if anchor != "" {
			p.around(` id="`, anchor, `" tabindex="-1"`)
		}
		p.raw(">")
		return
	}
	if anchor != "" {
		p.around(`<a class="anchor" href="#`, fragment(anchor), `" aria-label="link to this section">#</a>`)
	}
	p.raw("</h" + level + ">\n")
}

// fragment escapes an anchor for an address.
func fragment(anchor string) string { return (&url.URL{Fragment: anchor}).EscapedFragment() }

// quote writes a quote, or an alert as GitHub has them and dialects have in other forms.
func (p *pageWriter) quote(n *markdown.Piece) {
	switch {
	case n.Close:
		p.raw("</blockquote>\n")
	case n.Alert != "":
		p.raw(`<blockquote class="alert ` + n.Alert + `">`)
		if n.Plain && len(n.Info) > 0 {
			p.around(`<p class="kind">`, strings.ToLower(clip(string(n.Info), 40)), "</p>\n")
		}
	default:
		p.raw("<blockquote>\n")
	}
}

func (p *pageWriter) list(n *markdown.Piece) {
	switch {
	case n.Number < 0:
		p.put([2]string{"<ul>\n", "</ul>\n"}, n)
	case n.Number != 1 && !n.Close:
		p.raw(`<ol start="` + strconv.Itoa(n.Number) + "\">\n")
	default:
		p.put([2]string{"<ol>\n", "</ol>\n"}, n)
	}
}

func (p *pageWriter) code(n *markdown.Piece) {
	p.around(`<div class="code"><pre tabindex="0"><code data-lang="`, codeName(string(n.Info)), `">`)
	p.text(n.Text)
	p.raw("</code></pre></div>\n")
}

// codeName returns the first word of an info string: "js" of "js {1,3} live".
func codeName(info string) string {
	end := strings.IndexFunc(info, func(r rune) bool {
		return !(r == '-' || r == '_' || r == '+' || r == '#' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
	if end >= 0 {
		info = info[:end]
	}
	return strings.ToLower(info[:min(len(info), 20)])
}

// target resolves a link. The library resolves links as they are written; in an
// outside address escapes and entities are decoded.
func (p *pageWriter) target(written []byte) link {
	l := p.where(string(written), nil)
	if l.href == "" || l.foreign {
		if plain := markdown.Unescape(written); plain != string(written) {
			return p.where(plain, nil)
		}
	}
	return l
}

// words writes a link with a given text; only the text within another link or the name
// of a picture.
func (p *pageWriter) words(l link, text string) {
	if len(p.ends) > 0 {
		p.text([]byte(text))
		return
	}
	p.link(l)
	p.text([]byte(text))
	p.endLink()
}

func (p *pageWriter) link(l link) {
	end := "</a>"
	if l.href == "" {
		p.raw("<span")
		end = "</span>"
	} else {
		p.around(`<a href="`, l.href, `"`)
	}
	if l.foreign {
		p.raw(` rel="noopener noreferrer nofollow"`)
	}
	for _, a := range [][2]string{{"class", l.class}, {"title", l.title}} {
		if a[1] != "" {
			p.around(" "+a[0]+`="`, a[1], `"`)
		}
	}
	p.raw(">")
	p.ends = append(p.ends, end)
}

func (p *pageWriter) endLink() {
	if n := len(p.ends); n > 0 {
		p.raw(p.ends[n-1])
		p.ends = p.ends[:n-1]
	}
}

// image writes the name of a picture: pages load no pictures.
func (p *pageWriter) image(n *markdown.Piece) {
	if n.Close {
		p.endLink()
		return
	}
	p.around(`<span class="picture" title="`, clip(string(n.Target), 200), `">`)
	p.ends = append(p.ends, "</span>")
}

func (p *pageWriter) cell(n *markdown.Piece) {
	name := "td"
	if n.Head {
		name = "th"
	}
	switch {
	case n.Close:
		p.raw("</" + name + ">")
	case n.Align == markdown.RightSide:
		p.raw("<" + name + ` class="right">`)
	case n.Align == markdown.CentreSide:
		p.raw("<" + name + ` class="center">`)
	default:
		p.raw("<" + name + ">")
	}
}
