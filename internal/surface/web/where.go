package web

import (
	"net/url"
	"slices"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/doc"
)

// A where says where the links of a document lead.
type where struct {
	f       *frame
	targets map[string]string // as written -> Ref
	lost    map[string]bool   // written, and leading nowhere
	anchors map[string]bool
}

// newWhere joins what docent resolved with what is written: a resolved link is
// known by its line and its words.
func newWhere(f *frame, d *doc.Document, l *docent.Links) *where {
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
	w := &where{f, map[string]string{}, map[string]bool{}, map[string]bool{}}
	for _, link := range d.Links {
		if ref, ok := refs[key{link.Line, link.Text}]; ok && !link.Image {
			w.targets[link.Target] = ref
		}
	}
	for _, r := range l.Unresolved {
		w.lost[r.Target] = true
	}
	for _, h := range d.Headings {
		w.anchors[h.Anchor] = true
	}
	return w
}

// schemes are those of the addresses that a document may lead to.
var schemes = []string{"http", "https", "mailto"}

// link says where a link leads that is written so. Of one that only docent knows,
// l says more.
func (w *where) link(dest string, l *doc.Link) link {
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
	if w.lost[dest] || w.lost[plain] {
		return link{class: "broken", title: clip(dest, 200) + " leads nowhere"}
	}
	return link{class: "unlinked", title: clip(dest, 200)}
}

// foreign gives an address out of the corpus, if it is of a kind that may stand in
// a page. It is written anew from its parts, so that nothing but an address of
// that kind can come out.
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
