package web

import (
	"context"
	"html"
	"html/template"
	"net/url"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
)

// How a document becomes HTML.
//
// internal/text/markdown parses it; pagewriter.go writes the pieces one by one. No
// markup of a document is ever copied into the page: its text is escaped, its tags are
// dropped, its pictures are replaced by their names, and a link becomes a place in the
// corpus, an address with an allowed scheme, or text. So the only elements and
// attributes in the page are those in pagewriter.go.
//
// Headings have docent's own anchors, so that every Ref is an address.

// A link is a resolved link.
type link struct {
	href    string // "" if there is no page for it
	class   string
	title   string
	foreign bool // outside the corpus
}

// A rendering is a document as HTML, or the reason why there is none.
type rendering struct {
	html template.HTML
	why  refusal
}

// A refusal says why a document is shown as source instead of rendered; "" if it is
// rendered.
type refusal string

// Rendering takes time in proportion to the size of a document, whatever is in it.
// These limits protect the browser. None of the 10,952 pages of MDN's reference is
// refused.
const (
	maxSource = 512 << 10 // bytes of a document
	maxPage   = 16 << 20  // bytes of its page: a link of three bytes may lead far

	tooLarge  refusal = "it is larger than 512 KiB"
	pageLarge refusal = "its page would be larger than 16 MiB"
	tooDeep   refusal = "its quotes or lists are nested too deeply"
	tooLate   refusal = "it takes too long to render"
)

// A renderer limits how many documents are rendered at once, and so the memory.
type renderer struct{ slots chan struct{} }

func newRenderer() *renderer {
	return &renderer{make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))}
}

// render converts a document to HTML. where resolves its links.
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

// tag drops an inline tag, except a line break.
func (p *pageWriter) tag(n *markdown.Piece) {
	if len(n.Text) > 20 {
		return
	}
	if s := strings.ToLower(string(n.Text)); strings.HasPrefix(s, "<br") && strings.Trim(s[3:], " /") == ">" {
		p.raw("<br>")
	}
}

// htmlBlock writes the text of a block of HTML, without its tags.
func (p *pageWriter) htmlBlock(n *markdown.Piece) {
	words := withoutTags(string(n.Text))
	if words == "" {
		return
	}
	p.around(`<div class="from-html">`, words, "</div>\n")
}

// withoutTags returns the text between the tags and comments of HTML, without scripts
// and styles. The caller escapes it like any other text.
func withoutTags(s string) string {
	b := &strings.Builder{}
	for s != "" {
		open := strings.IndexByte(s, '<')
		if open < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:open])
		s = s[open:]
		end := ">"
		lower := strings.ToLower(s[:min(len(s), 8)])
		switch {
		case strings.HasPrefix(s, "<!--"):
			end = "-->"
		case strings.HasPrefix(lower, "<script"):
			end = "</script>"
		case strings.HasPrefix(lower, "<style"):
			end = "</style>"
		}
		_, rest, ok := cutFold(s, end)
		if !ok {
			break
		}
		s = rest
	}
	var kept []string
	for l := range strings.SplitSeq(html.UnescapeString(b.String()), "\n") {
		if l = strings.TrimSpace(l); l != "" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}

// cutFold is strings.Cut for an ASCII separator in any case.
func cutFold(s, sep string) (before, after string, found bool) {
	for i := 0; i+len(sep) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(sep)], sep) {
			return s[:i], s[i+len(sep):], true
		}
	}
	return s, "", false
}

// A linkResolver says where the links of a document lead.
type linkResolver struct {
	f       *frame
	targets map[string]string // Refs, by the link as written
	broken  map[string]bool   // links as written that lead nowhere
	anchors map[string]bool
}

// maxTarget is the longest target that the library resolves. One that is defined once can
// be that of every link of a document, and all of it is read to look one up.
const maxTarget = 1024

// newLinkResolver joins the links that the library resolved with those in the text, by
// their line and text.
func newLinkResolver(f *frame, d *doc.Document, l *answer.Links) *linkResolver {
	type key struct {
		line int
		text string
	}
	refs := map[key]string{}
	for _, r := range l.Out {
		if r.SectionID != nil {
			refs[key{lineOf(r.From), r.RefText}] = *r.SectionID
		}
	}
	w := &linkResolver{f, map[string]string{}, map[string]bool{}, map[string]bool{}}
	for _, link := range d.Links {
		if len(link.Target) > maxTarget {
			continue
		}
		if ref, ok := refs[key{link.Line, link.Text}]; ok && !link.Image {
			w.targets[link.Target] = ref
		}
	}
	for _, r := range l.Unresolved {
		w.broken[r.Target] = true
	}
	for _, h := range d.Headings {
		w.anchors[h.Anchor] = true
	}
	return w
}

// schemes are those that a link to an outside address may have.
var schemes = []string{"http", "https", "mailto"}

// link resolves a link as it is written. l is set for a link of a dialect that is not
// plain Markdown.
func (w *linkResolver) link(dest string, l *doc.Link) link {
	if anchor, ok := strings.CutPrefix(dest, "#"); ok {
		if un, err := url.PathUnescape(anchor); err == nil {
			anchor = un
		}
		if w.anchors[anchor] {
			return link{href: "#" + fragment(anchor)}
		}
	}
	if ref, ok := w.targets[dest]; ok {
		return link{href: w.f.readURL(ref), title: ref}
	}
	plain, err := url.PathUnescape(dest)
	if ref, ok := w.targets[plain]; ok && err == nil {
		return link{href: w.f.readURL(ref), title: ref}
	}
	if l != nil && l.Kind == doc.Macro {
		return link{class: "macro", title: dest}
	}
	if href, ok := foreign(dest); ok {
		return link{href: href, class: "foreign", foreign: true}
	}
	if w.broken[dest] || w.broken[plain] {
		return link{class: "broken", title: clip(dest, 200) + " leads nowhere"}
	}
	return link{class: "unlinked", title: clip(dest, 200)}
}

// foreign returns an outside address if its scheme is allowed. It is rebuilt from its
// parsed parts, so that the result cannot be anything else.
func foreign(dest string) (string, bool) {
	if l := strings.ToLower(dest); strings.HasPrefix(l, "www.") {
		dest = "http://" + dest
	}
	u, err := url.Parse(strings.TrimSpace(dest))
	if err != nil || !slices.Contains(schemes, strings.ToLower(u.Scheme)) {
		return "", false
	}
	if u.Scheme == "mailto" {
		if u.Opaque == "" || strings.ContainsAny(u.Opaque, "<>\"' ") {
			return "", false
		}
		return u.String(), true
	}
	if u.Host == "" || u.User != nil || u.Opaque != "" {
		return "", false
	}
	return u.String(), true
}

func lineOf(ref string) int {
	r, err := doc.ParseRef(ref)
	if err != nil {
		return 0
	}
	return r.Lines.Start
}
