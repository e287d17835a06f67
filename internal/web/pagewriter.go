package web

import (
	"bufio"
	"bytes"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	markup "github.com/yuin/goldmark/renderer/html"
)

// A pageWriter writes the nodes of a document.
type pageWriter struct {
	w     *bufio.Writer
	src   []byte
	from  int // where src begins in the document
	d     *doc.Document
	where func(string, *doc.Link) link
	ends  []string // what closes the links that are open
}

// tags are the elements without attributes.
var tags = map[ast.NodeKind][2]string{
	ast.KindParagraph:               {"<p>", "</p>\n"},
	ast.KindListItem:                {"<li>", "</li>\n"},
	ast.KindCodeSpan:                {"<code>", "</code>"},
	ast.KindThematicBreak:           {"<hr>\n", ""},
	east.KindStrikethrough:          {"<del>", "</del>"},
	east.KindTable:                  {"<div class=\"table\" role=\"region\" aria-label=\"table\" tabindex=\"0\"><table>\n", "</tbody></table></div>\n"},
	east.KindTableHeader:            {"<thead><tr>", "</tr></thead>\n<tbody>\n"},
	east.KindTableRow:               {"<tr>", "</tr>\n"},
	ast.KindDocument:                {"", ""},
	ast.KindLinkReferenceDefinition: {"", ""},
}

func (p *pageWriter) node(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if t, ok := tags[n.Kind()]; ok {
		p.put(t, entering)
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.TextBlock:
		if !entering && n.NextSibling() != nil {
			p.raw("\n")
		}
	case *ast.Text:
		if entering {
			p.text(n)
		}
	case *ast.String:
		if entering {
			p.escaped(string(n.Value))
		}
	case *ast.Heading:
		p.heading(n, entering)
	case *ast.Emphasis:
		if n.Level >= 2 {
			p.put([2]string{"<strong>", "</strong>"}, entering)
		} else {
			p.put([2]string{"<em>", "</em>"}, entering)
		}
	case *ast.Blockquote:
		p.quote(n, entering)
	case *ast.List:
		p.list(n, entering)
	case *ast.FencedCodeBlock:
		if entering {
			p.code(n, string(n.Language(p.src)))
		}
		return ast.WalkSkipChildren, nil
	case *ast.CodeBlock:
		if entering {
			p.code(n, "")
		}
		return ast.WalkSkipChildren, nil
	case *ast.HTMLBlock:
		if entering {
			p.htmlBlock(n)
		}
		return ast.WalkSkipChildren, nil
	case *ast.RawHTML:
		if entering {
			p.tag(n)
		}
		return ast.WalkSkipChildren, nil
	case *ast.Link:
		p.link(p.where(string(n.Destination), nil), entering)
	case *linkNode:
		if entering {
			p.link(p.where(n.link.Target, &n.link), true)
			p.escaped(n.link.Text)
			p.link(link{}, false)
		}
		return ast.WalkSkipChildren, nil
	case *taskNode:
		if entering && n.done {
			p.raw(`<span class="task" role="img" aria-label="done">☑</span>`)
		} else if entering {
			p.raw(`<span class="task" role="img" aria-label="open">☐</span>`)
		}
	case *ast.AutoLink:
		if entering {
			dest := string(n.URL(p.src))
			if n.AutoLinkType == ast.AutoLinkEmail {
				dest = "mailto:" + dest
			}
			p.link(p.where(dest, nil), true)
			p.escaped(string(n.Label(p.src)))
			p.link(link{}, false)
		}
		return ast.WalkSkipChildren, nil
	case *ast.Image:
		p.image(n, entering)
	case *east.TableCell:
		p.cell(n, entering)
	}
	return ast.WalkContinue, nil
}

func (p *pageWriter) raw(s string)     { _, _ = p.w.WriteString(s) }
func (p *pageWriter) escaped(s string) { p.raw(html.EscapeString(s)) }

func (p *pageWriter) put(tag [2]string, entering bool) {
	if entering {
		p.raw(tag[0])
	} else {
		p.raw(tag[1])
	}
}

// text writes words: goldmark's writer reads escapes and entities in them, and
// escapes what it writes.
func (p *pageWriter) text(n *ast.Text) {
	value := n.Segment.Value(p.src)
	if n.IsRaw() {
		if n.Parent() != nil && n.Parent().Kind() == ast.KindCodeSpan {
			value = bytes.ReplaceAll(value, []byte("\n"), []byte(" "))
			if inTable(n) {
				value = bytes.ReplaceAll(value, []byte(`\|`), []byte("|"))
			}
		}
		p.escaped(string(value))
	} else {
		markup.DefaultWriter.Write(p.w, value)
	}
	switch {
	case n.HardLineBreak():
		p.raw("<br>\n")
	case n.SoftLineBreak():
		p.raw("\n")
	}
}

func inTable(n ast.Node) bool {
	for ; n != nil; n = n.Parent() {
		if n.Kind() == east.KindTableCell {
			return true
		}
	}
	return false
}

// heading writes a heading with the anchor that docent gives it.
func (p *pageWriter) heading(n *ast.Heading, entering bool) {
	anchor := ""
	if n.Lines().Len() > 0 {
		at := n.Lines().At(0).Start + p.from
		i, ok := slices.BinarySearchFunc(p.d.Headings, at, func(h doc.Heading, at int) int {
			switch {
			case h.Span.End <= at:
				return -1
			case h.Span.Start > at:
				return 1
			}
			return 0
		})
		if ok {
			anchor = p.d.Headings[i].Anchor
		}
	}
	if entering {
		if last, ok := n.LastChild().(*ast.Text); ok && anchor != "" {
			if cut := bytes.TrimSuffix(last.Segment.Value(p.src), []byte("{#"+anchor+"}")); len(cut) < last.Segment.Len() {
				last.Segment.Stop = last.Segment.Start + len(bytes.TrimRight(cut, " "))
			}
		}
		fmt.Fprintf(p.w, "<h%d", n.Level)
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
	fmt.Fprintf(p.w, "</h%d>\n", n.Level)
}

// fragment is an anchor as it stands in an address.
func fragment(anchor string) string { return (&url.URL{Fragment: anchor}).EscapedFragment() }

// alerts are the kinds of quote that GitHub shows in colour.
var alerts = map[string]string{
	"[!NOTE]": "note", "[!TIP]": "tip", "[!IMPORTANT]": "important", "[!WARNING]": "warning", "[!CAUTION]": "caution",
}

func (p *pageWriter) quote(n *ast.Blockquote, entering bool) {
	if !entering {
		p.raw("</blockquote>\n")
		return
	}
	first, ok := n.FirstChild().(*ast.Paragraph)
	if ok && first.Lines().Len() > 0 {
		at := first.Lines().At(0)
		if kind := alerts[strings.ToUpper(string(bytes.TrimSpace(at.Value(p.src))))]; kind != "" {
			for c := first.FirstChild(); c != nil && c.Pos() >= 0 && c.Pos() < at.Stop; c = first.FirstChild() {
				first.RemoveChild(first, c)
			}
			fmt.Fprintf(p.w, "<blockquote class=\"alert %s\"><p class=\"kind\">%s</p>\n", kind, kind)
			return
		}
	}
	p.raw("<blockquote>\n")
}

func (p *pageWriter) list(n *ast.List, entering bool) {
	switch {
	case !n.IsOrdered():
		p.put([2]string{"<ul>\n", "</ul>\n"}, entering)
	case entering && n.Start != 1:
		fmt.Fprintf(p.w, "<ol start=\"%d\">\n", n.Start)
	default:
		p.put([2]string{"<ol>\n", "</ol>\n"}, entering)
	}
}

func (p *pageWriter) code(n ast.Node, lang string) {
	p.raw(`<div class="code"><pre tabindex="0"><code data-lang="`)
	p.escaped(codeName(lang))
	p.raw(`">`)
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		p.escaped(string(at.Value(p.src)))
	}
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

func (p *pageWriter) link(l link, entering bool) {
	if !entering {
		if n := len(p.ends); n > 0 {
			p.raw(p.ends[n-1])
			p.ends = p.ends[:n-1]
		}
		return
	}
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

// image names a picture: nothing is fetched for a page.
func (p *pageWriter) image(n *ast.Image, entering bool) {
	if entering {
		p.raw(`<span class="picture" title="`)
		p.escaped(clip(string(n.Destination), 200))
		p.raw(`">`)
		return
	}
	p.raw("</span>")
}

func (p *pageWriter) cell(n *east.TableCell, entering bool) {
	name := "td"
	if n.Parent() != nil && n.Parent().Kind() == east.KindTableHeader {
		name = "th"
	}
	switch {
	case !entering:
		p.raw("</" + name + ">")
	case n.Alignment == east.AlignRight, n.Alignment == east.AlignCenter:
		fmt.Fprintf(p.w, "<%s class=\"%s\">", name, n.Alignment)
	default:
		p.raw("<" + name + ">")
	}
}
