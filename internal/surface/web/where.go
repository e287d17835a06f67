package web

import (
	"net/url"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
)

// A linkResolver says where the links of a document lead.
type linkResolver struct {
	f       *frame
	targets map[string]string // Refs, by the link as written
	broken  map[string]bool   // links as written that lead nowhere
	anchors map[string]bool
}

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
