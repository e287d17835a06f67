package markdown

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/docent-md/docent/doc"
)

// A specWriter writes a page as the CommonMark specification shows it: all of
// its HTML, and pictures fetched. It is for comparing; nothing like it is in the
// product.
type specWriter struct {
	strings.Builder
	images int  // pictures being described
	last   byte // the last byte written
	head   int  // cells of the table's first row
	cells  int  // of the row so far
}

// specHTML returns src as HTML, read as CommonMark with GitHub's additions.
func specHTML(src []byte) string {
	p := NewPage(&doc.Document{Source: src})
	var w specWriter
	p.Walk(w.piece)
	return w.String()
}

func (w *specWriter) raw(s string) {
	if s != "" {
		w.WriteString(s)
		w.last = s[len(s)-1]
	}
}

// line begins a new line unless this one is empty.
func (w *specWriter) line() {
	if w.Len() > 0 && w.last != '\n' {
		w.raw("\n")
	}
}

var specEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\x00", "\ufffd")

func (w *specWriter) text(s string) { w.raw(specEscapes.Replace(s)) }

// block writes the tag of a block, on a line of its own, and what may follow it.
func (w *specWriter) block(p *Piece, tag, after string) {
	if p.Close {
		w.line()
		w.raw("</" + strings.Fields(tag)[0] + ">")
	} else {
		w.line()
		w.raw("<" + tag + ">")
	}
	w.raw(after)
}

// inline writes the tag of something in a text.
func (w *specWriter) inline(p *Piece, tag string) {
	if w.images > 0 {
		return
	}
	if p.Close {
		w.raw("</" + strings.Fields(tag)[0] + ">")
	} else {
		w.raw("<" + tag + ">")
	}
}

func (w *specWriter) piece(p *Piece) {
	switch p.Kind {
	case QuotePiece:
		w.block(p, "blockquote", "\n")
	case ListPiece:
		switch {
		case p.Number < 0:
			w.block(p, "ul", "\n")
		case p.Number == 1 || p.Close:
			w.block(p, "ol", "\n")
		default:
			w.block(p, fmt.Sprintf(`ol start="%d"`, p.Number), "\n")
		}
	case ItemPiece:
		if p.Close {
			w.raw("</li>\n")
		} else {
			w.block(p, "li", "")
		}
	case ParagraphPiece:
		switch {
		case p.Tight && p.Close && !p.Last:
			w.line()
		case p.Tight:
		case p.Close:
			w.raw("</p>\n")
		default:
			w.block(p, "p", "")
		}
	case HeadingPiece:
		if p.Close {
			w.raw(fmt.Sprintf("</h%d>\n", p.Level))
		} else {
			w.block(p, fmt.Sprintf("h%d", p.Level), "")
		}
	case CodePiece:
		w.line()
		lang, _, _ := strings.Cut(strings.ReplaceAll(Unescape(p.Info), "\t", " "), " ")
		if lang == "" {
			w.raw("<pre><code>")
		} else {
			w.raw(`<pre><code class="language-`)
			w.text(lang)
			w.raw(`">`)
		}
		w.text(string(p.Text))
		w.raw("</code></pre>\n")
	case HTMLPiece:
		w.line()
		w.raw(string(p.Text))
	case RulePiece:
		w.line()
		w.raw("<hr />\n")
	case TablePiece:
		w.table(p)
	case RowPiece, CellPiece:
		w.tablePart(p)
	default:
		w.inlinePiece(p)
	}
}

func (w *specWriter) table(p *Piece) {
	if !p.Close {
		w.block(p, "table", "\n")
		return
	}
	if strings.HasSuffix(w.String(), "</tr>\n") {
		w.raw("</tbody>\n")
	}
	w.raw("</table>\n")
}

func (w *specWriter) tablePart(p *Piece) {
	side := [...]string{"", ` style="text-align:left"`, ` style="text-align:center"`, ` style="text-align:right"`}[p.Align]
	switch {
	case p.Kind == RowPiece && p.Head && !p.Close:
		w.head = 0
	case p.Kind == RowPiece && p.Close:
		for !p.Head && w.cells < w.head { // pages leave these out
			w.tablePart(&Piece{Kind: CellPiece})
			w.tablePart(&Piece{Kind: CellPiece, Close: true})
		}
		w.cells = 0
	case p.Kind == CellPiece && !p.Close:
		w.cells++
		if p.Head {
			w.head++
		}
	}
	name := "td"
	if p.Head {
		name = "th"
	}
	switch {
	case p.Kind == CellPiece && p.Close:
		w.raw("</" + name + ">\n")
	case p.Kind == CellPiece:
		w.raw("<" + name + side + ">")
	case p.Head && p.Close:
		w.raw("</tr>\n</thead>\n")
	case p.Head:
		w.raw("<thead>\n<tr>\n")
	case p.Close:
		w.raw("</tr>\n")
	default:
		if strings.HasSuffix(w.String(), "</thead>\n") {
			w.raw("<tbody>\n")
		}
		w.raw("<tr>\n")
	}
}

func (w *specWriter) inlinePiece(p *Piece) {
	switch p.Kind {
	case TextPiece:
		w.text(string(p.Text))
	case CodeSpanPiece:
		w.inline(&Piece{}, "code")
		w.text(string(p.Text))
		w.inline(&Piece{Close: true}, "code")
	case TagPiece:
		if w.images == 0 {
			w.raw(string(p.Text))
		}
	case EmphasisPiece:
		w.inline(p, "em")
	case StrongPiece:
		w.inline(p, "strong")
	case StruckPiece:
		w.inline(p, "del")
	case AddressPiece:
		href := specURL(string(p.Text))
		if p.Mail {
			href = "mailto:" + href
		}
		w.inline(&Piece{}, `a href="`+specEscapes.Replace(href)+`"`)
		w.text(string(p.Text))
		w.inline(&Piece{Close: true}, "a")
	case LinkPiece:
		w.inline(p, `a href="`+specEscapes.Replace(specURL(Unescape(p.Target)))+`"`+specTitle(p))
	case ImagePiece:
		if p.Close {
			if w.images--; w.images == 0 {
				w.raw(`"` + specTitle(p) + ` />`)
			}
			return
		}
		if w.images++; w.images == 1 {
			w.raw(`<img src="` + specEscapes.Replace(specURL(Unescape(p.Target))) + `" alt="`)
		}
	case TaskPiece:
		if p.Done {
			w.raw(`<input checked="" disabled="" type="checkbox" />`)
		} else {
			w.raw(`<input disabled="" type="checkbox" />`)
		}
	case BreakPiece:
		w.inline(&Piece{}, "br /")
		w.raw("\n")
	case SoftPiece:
		w.raw("\n")
	}
}

func specTitle(p *Piece) string {
	if p.Title == nil {
		return ""
	}
	return ` title="` + specEscapes.Replace(Unescape(p.Title)) + `"`
}

// specURL writes an address as the specification's examples do.
func specURL(s string) string {
	var b bytes.Buffer
	for i := range len(s) {
		c := s[i]
		if c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) || isLetter(c) || isDigit(c) || strings.IndexByte("-_.!~*'();/?:@&=+$,#", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
