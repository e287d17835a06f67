package content

import (
	"strconv"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A writer writes a document as HTML, piece by piece. It knows the pieces of Markdown, and
// leaves to others what takes more than a tag.
type writer struct {
	*page
	to       Places
	links    *links
	pictures *pictures
	markup   *markup
	boxes    *boxes
	notes    *notes
	numbers  annotations
	inCell   bool
	para     int  // how many elements and barriers are open in the paragraph, itself included; 0 outside
	tight    bool // the paragraph has no tags of its own
}

func newWriter(p *page, to Places) *writer {
	to.complete()
	l := &links{page: p, to: to}
	pics := &pictures{page: p, links: l}
	return &writer{
		page: p, to: to, links: l, pictures: pics,
		markup: &markup{elements: &elements{page: p, links: l}, pictures: pics},
		boxes:  &boxes{page: p}, notes: &notes{page: p},
	}
}

// written returns the page of a document, or why there is none.
func written(d *doc.Document, to Places, embedded int) (*page, Refusal) {
	source := markdown.NewPage(d)
	if source.Deep {
		return nil, TooDeep
	}
	p := &page{html: make([]byte, 0, min(2*len(d.Source), maxPage)), embedded: embedded}
	w := newWriter(p, to)
	source.Walk(w.piece)
	w.markup.unwind()
	w.notes.writeAll()
	if len(p.html) > maxPage {
		return nil, TooLarge
	}
	return p, ""
}

// tags has the opening and closing tags of pieces without properties.
var tags = [...][2]string{
	markdown.EmphasisPiece:   {"<em>", "</em>"},
	markdown.StrongPiece:     {"<strong>", "</strong>"},
	markdown.StruckPiece:     {"<del>", "</del>"},
	markdown.MarkPiece:       {"<mark>", "</mark>"},
	markdown.TermsPiece:      {"<dl>\n", "</dl>\n"},
	markdown.TermPiece:       {"<dt>", "</dt>\n"},
	markdown.DefinitionPiece: {"<dd>", "</dd>\n"},
	markdown.TablePiece:      {tableTags[0] + "<table>\n", "</tbody></table>" + tableTags[1]},
	markdown.RulePiece:       {"<hr>\n", ""},
	markdown.BreakPiece:      {"<br>\n", ""},
	markdown.SoftPiece:       {"\n", ""},
}

// piece writes one piece. Nothing is written after the page has become too large.
func (p *writer) piece(n *markdown.Piece) {
	if len(p.html) > maxPage {
		return
	}
	if p.pictures.describe(n) {
		return
	}
	p.numbers.next(p.page, n)
	holds := n.Kind <= markdown.LabelPiece
	if holds && n.Close {
		p.markup.unwind()
	}
	if !p.inline(n) {
		p.block(n)
	}
	if holds && !n.Close && n.Kind != markdown.ImagePiece { // whose words are no markup
		p.markup.barrier()
	}
}

// block writes a piece that is not part of a line of text.
func (p *writer) block(n *markdown.Piece) {
	switch n.Kind {
	case markdown.ParagraphPiece:
		p.paragraph(n)
	case markdown.HeadingPiece:
		p.heading(n)
	case markdown.QuotePiece, markdown.BoxPiece:
		p.boxes.quote(n)
	case markdown.ListPiece:
		p.list(n)
	case markdown.ItemPiece:
		p.item(n)
	case markdown.CodePiece:
		p.numbers.code(p.page, n)
	case markdown.LabelPiece:
		p.boxes.label(n)
	case markdown.NotePiece:
		p.notes.aside(n)
	case markdown.ComponentPiece:
		p.markup.component(string(n.Text))
	case markdown.HTMLPiece:
		p.markup.block(string(n.Text))
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
func (p *writer) inline(n *markdown.Piece) bool {
	switch n.Kind {
	case markdown.TextPiece:
		p.text(n.Text)
	case markdown.CallPiece:
		p.call(string(n.Text))
	case markdown.CodeSpanPiece:
		p.raw("<code>")
		p.text(n.Text)
		p.raw("</code>")
	case markdown.TagPiece:
		p.markup.inline(string(n.Text), p.inCell)
	case markdown.LinkPiece:
		if n.Close {
			p.links.end()
		} else {
			p.links.markdown(n)
		}
	case markdown.KnownPiece:
		if n.Link.Image && isPictureName(n.Link.Target) {
			p.pictures.wiki(n.Link)
			break
		}
		if n.Link.Image && n.Link.Kind == doc.Wiki && p.embed(n.Link) {
			break
		}
		if text := knownText(n.Link); text != "" {
			p.links.words(p.to.Link(n.Link.Target, n.Link), text)
		}
	case markdown.AddressPiece:
		dest := string(n.Text)
		if n.Mail {
			dest = "mailto:" + dest
		}
		p.links.words(p.to.Link(dest, nil), string(n.Text))
	case markdown.ImagePiece:
		p.pictures.begin(n)
	case markdown.MathPiece:
		p.math(n)
	case markdown.KeysPiece:
		p.keys(string(n.Text))
	case markdown.InlineNotePiece:
		p.notes.inline(n, p.links.depth > 0)
	case markdown.NoteMarkPiece:
		p.notes.mark(string(n.Text), p.links.depth > 0)
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

// heading writes a heading with its anchor.
func (p *writer) heading(n *markdown.Piece) {
	if p.embedded > 0 { // the anchors and the outline are those of the page around it
		p.put([2]string{`<p class="embed-heading">`, "</p>\n"}, n)
		return
	}
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
		p.around(`<a class="anchor" href="#`, Fragment(anchor), `" aria-label="link to this section">#</a>`)
	}
	p.raw("</h" + level + ">\n")
}

func (p *writer) list(n *markdown.Piece) {
	switch {
	case n.Defines && n.Number < 0:
		p.put([2]string{"<ul class=\"terms\">\n", "</ul>\n"}, n)
	case n.Number < 0:
		p.put([2]string{"<ul>\n", "</ul>\n"}, n)
	case n.Number != 1 && !n.Close:
		p.raw(`<ol start="` + strconv.Itoa(n.Number) + "\">\n")
	default:
		p.put([2]string{"<ol>\n", "</ol>\n"}, n)
	}
}

// item writes the beginning or end of an item; one that explains a line of code can be
// linked to.
func (p *writer) item(n *markdown.Piece) {
	if id := p.numbers.item(n); id != "" {
		p.raw(`<li id="` + id + `" tabindex="-1">`)
		return
	}
	p.put([2]string{"<li>", "</li>\n"}, n)
}

func (p *writer) cell(n *markdown.Piece) {
	name := "td"
	if n.Head {
		name = "th"
	}
	p.inCell = !n.Close
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

// call writes what a reader sees of what stands in double braces.
func (p *writer) call(s string) {
	text, ok := macroText(s)
	if !ok {
		text = markdown.ShortcodeHeading(s)
	}
	if ok || text != "" {
		p.text([]byte(text))
		return
	}
	p.around(`<code class="placeholder" title="filled in by the build of the site">`, clip(s, 80), "</code>")
}
