package web

import (
	"context"
	"net/url"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/surface/web/content"
)

// Rendering a document takes time in proportion to its size, whatever is in it. The
// limit protects the browser. None of the 10,952 pages of MDN's reference is refused.
const maxSource = 512 << 10

const (
	tooLarge content.Refusal = "it is larger than 512 KiB"
	tooLate  content.Refusal = "it takes too long to render"
)

// A renderer limits how many documents are rendered at once, and so the memory.
type renderer struct{ slots chan struct{} }

func newRenderer() *renderer {
	return &renderer{make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))}
}

// render converts a document to HTML. to resolves its links and pictures.
func (r *renderer) render(ctx context.Context, d *doc.Document, to content.Places) content.Rendering {
	if len(d.Source) > maxSource {
		return content.Rendering{Why: tooLarge}
	}
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return content.Rendering{Why: tooLate}
	}
	defer func() { <-r.slots }()
	return content.Render(d, to)
}

// A linkResolver says where the links of a document lead.
type linkResolver struct {
	f       *frame
	targets map[string]string // Refs, by the link as written
	broken  map[string]bool   // links as written that lead nowhere
	anchors map[string]bool
	file    func(dest string) string // the address of a file that is no document; may be nil
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
	w := &linkResolver{f: f, targets: map[string]string{}, broken: map[string]bool{}, anchors: map[string]bool{}}
	for _, link := range d.Links {
		if len(link.Target) > maxTarget {
			continue
		}
		if ref, ok := refs[key{link.Line, link.Text}]; ok && (!link.Image || link.Kind == doc.Wiki) {
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
func (w *linkResolver) link(dest string, l *doc.Link) content.Link {
	if anchor, ok := strings.CutPrefix(dest, "#"); ok {
		if un, err := url.PathUnescape(anchor); err == nil {
			anchor = un
		}
		if w.anchors[anchor] {
			return content.Link{Href: "#" + content.Fragment(anchor)}
		}
	}
	if ref, ok := w.targets[dest]; ok {
		return content.Link{Href: w.f.readURL(ref), Title: ref}
	}
	plain, err := url.PathUnescape(dest)
	if ref, ok := w.targets[plain]; ok && err == nil {
		return content.Link{Href: w.f.readURL(ref), Title: ref}
	}
	if l != nil && l.Kind == doc.Macro {
		return content.Link{Class: "macro", Title: dest}
	}
	if href, ok := foreign(dest); ok {
		return content.Link{Href: href, Class: "foreign", Foreign: true}
	}
	if w.file != nil && !strings.HasPrefix(dest, "#") {
		if href := w.file(dest); href != "" {
			return content.Link{Href: href, Title: clip(plain, 200)}
		}
	}
	if w.broken[dest] || w.broken[plain] {
		return content.Link{Class: "broken", Title: clip(dest, 200) + " leads nowhere"}
	}
	return content.Link{Class: "unlinked", Title: clip(dest, 200)}
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
