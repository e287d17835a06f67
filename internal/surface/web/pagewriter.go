package web

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A pageWriter writes the pieces of a document.
type pageWriter struct {
	page  []byte
	where func(string, *doc.Link) link
	ends  []string // what closes the links and pictures that are open
}

// tags are the elements without attributes.
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

func (p *pageWriter) piece(n *markdown.Piece) {
	if len(p.page) > maxPage {
		return
	}
	switch n.Kind {
	case markdown.TextPiece:
		p.text(n.Text)
	case markdown.CodeSpanPiece:
		p.raw("<code>")
		p.text(n.Text)
		p.raw("</code>")
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
	case markdown.TagPiece:
		p.tag(n)
	case markdown.RowPiece:
		if n.Head {
			p.put([2]string{"<thead><tr>", "</tr></thead>\n<tbody>\n"}, n)
		} else {
			p.put([2]string{"<tr>", "</tr>\n"}, n)
		}
	case markdown.CellPiece:
		p.cell(n)
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
		if int(n.Kind) < len(tags) {
			p.put(tags[n.Kind], n)
		}
	}
}

func (p *pageWriter) raw(s string) { p.page = append(p.page, s...) }

// escaped writes text of a document, for between tags and within quotes.
func (p *pageWriter) escaped(s string) { p.page = appendEscaped(p.page, s) }
func (p *pageWriter) text(s []byte)    { p.page = appendEscaped(p.page, s) }

func appendEscaped[T string | []byte](page []byte, s T) []byte {
	last := 0
	for i := range len(s) {
		c := s[i]
		if c > '>' {
			continue
		}
		var as string
		switch c {
		case '&':
			as = "&amp;"
		case '<':
			as = "&lt;"
		case '>':
			as = "&gt;"
		case '"':
			as = "&#34;"
		case '\'':
			as = "&#39;"
		case 0:
			as = "\ufffd"
		default:
			continue
		}
		page = append(append(page, s[last:i]...), as...)
		last = i + 1
	}
	return append(page, s[last:]...)
}

func (p *pageWriter) put(tag [2]string, n *markdown.Piece) {
	if n.Close {
		p.raw(tag[1])
	} else {
		p.raw(tag[0])
	}
}

// heading writes a heading with the anchor that docent gives it.
func (p *pageWriter) heading(n *markdown.Piece) {
	level, anchor := strconv.Itoa(n.Level), ""
	if n.Heading != nil {
		anchor = n.Heading.Anchor
	}
	if !n.Close {
		p.raw("<h" + level)
		if anchor != "" {
			p.raw(` id="`)
			p.escaped(anchor)
			p.raw(`" tabindex="-1"`)
		}
		p.raw(">")
		return
	}
	if anchor != "" {
		p.raw(`<a class="anchor" href="#`)
		p.escaped(fragment(anchor))
		p.raw(`" aria-label="link to this section">#</a>`)
	}
	p.raw("</h" + level + ">\n")
}

// fragment is an anchor as it stands in an address.
func fragment(anchor string) string { return (&url.URL{Fragment: anchor}).EscapedFragment() }

// quote writes a quote, or one of the alerts that GitHub shows in colour, and the boxes
// of dialects like those.
func (p *pageWriter) quote(n *markdown.Piece) {
	switch {
	case n.Close:
		p.raw("</blockquote>\n")
	case n.Alert != "":
		p.raw(`<blockquote class="alert ` + n.Alert + `">`)
		if n.Plain && len(n.Info) > 0 {
			p.raw(`<p class="kind">`)
			p.escaped(strings.ToLower(clip(string(n.Info), 40)))
			p.raw("</p>\n")
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
	p.raw(`<div class="code"><pre tabindex="0"><code data-lang="`)
	p.escaped(codeName(string(n.Info)))
	p.raw(`">`)
	p.text(n.Text)
	p.raw("</code></pre></div>\n")
}

// codeName is the first word of an info string: "js" of "js {1,3} live".
func codeName(info string) string {
	end := strings.IndexFunc(info, func(r rune) bool {
		return !(r == '-' || r == '_' || r == '+' || r == '#' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
	if end >= 0 {
		info = info[:end]
	}
	return strings.ToLower(info[:min(len(info), 20)])
}

// target says where a link leads. Docent resolves what is written; an address
// out of the corpus is what its escapes and entities stand for.
func (p *pageWriter) target(written []byte) link {
	l := p.where(string(written), nil)
	if l.href == "" || l.foreign {
		if plain := markdown.Unescape(written); plain != string(written) {
			return p.where(plain, nil)
		}
	}
	return l
}

// words writes a link whose text is known. Within another link or the name of a
// picture it is words.
func (p *pageWriter) words(l link, text string) {
	if len(p.ends) > 0 {
		p.escaped(text)
		return
	}
	p.link(l)
	p.escaped(text)
	p.endLink()
}

func (p *pageWriter) link(l link) {
	end := "</a>"
	if l.href == "" {
		p.raw("<span")
		end = "</span>"
	} else {
		p.raw(`<a href="`)
		p.escaped(l.href)
		p.raw(`"`)
	}
	if l.foreign {
		p.raw(` rel="noopener noreferrer nofollow"`)
	}
	for _, a := range [][2]string{{"class", l.class}, {"title", l.title}} {
		if a[1] != "" {
			p.raw(" " + a[0] + `="`)
			p.escaped(a[1])
			p.raw(`"`)
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

// image names a picture: nothing is fetched for a page.
func (p *pageWriter) image(n *markdown.Piece) {
	if n.Close {
		p.endLink()
		return
	}
	p.raw(`<span class="picture" title="`)
	p.escaped(clip(string(n.Target), 200))
	p.raw(`">`)
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
