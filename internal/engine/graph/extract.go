package graph

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/docent-md/docent/doc"
)

// Extract returns what a document contributes. It takes time in proportion to
// the document, whose source the strings of the result lie in.
func Extract(d *doc.Document) File {
	f := File{Path: d.Path, Names: declaredNames(d)}
	numbers := numbersOf(func(i int) string { return d.Sections[i].Title }, len(d.Sections))
	p := newProse(d)
	var places []place
	for _, h := range d.Headings {
		if h.Nested {
			places = append(places, place{h.Anchor, h.Span.Start})
		}
	}
	var refs []wordRef
	var rules []string
	passed := 0
	for _, h := range p.hits(numbers.isParted()) {
		switch h.kind {
		case idHit, braceHit, blockHit, ruleHit, termHit:
			id, rule := p.id(h)
			if id == "" {
				continue
			}
			places = append(places, place{id, h.at})
			if rule {
				rules = append(rules, id)
			}
		default:
			if h.at >= passed {
				refs, passed = p.refs(refs, h, numbers)
			}
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	for _, at := range places {
		f.Anchors = append(f.Anchors, Anchor{at.id, p.section(at.at)})
	}
	f.links(d, p, refs)

	paths := pathNames(d.Path, f.Names)
	f.nameKeys = nameKeys(nil, paths, d.Title, f.Names)
	f.nameKeys = numbers.keys(f.nameKeys, d.Path)
	for _, id := range rules {
		f.nameKeys = append(f.nameKeys, hashKey(ruleID, fold(id)))
	}
	var plan plan
	for i := range f.Links {
		plan.make(d.Path, &f.Links[i])
		for _, h := range plan.keys() {
			f.linkKeys = append(f.linkKeys, newPair(h, uint32(i)))
		}
	}
	return f
}

type place struct {
	id string
	at int
}

// links puts the links of a document and the references in its words together, in
// reading order.
func (f *File) links(d *doc.Document, p *prose, refs []wordRef) {
	f.Links = make([]Link, 0, len(d.Links)+len(refs))
	line, at := 1, 0
	for i := range d.Links {
		l := &d.Links[i]
		for len(refs) > 0 && refs[0].at < l.Span.Start {
			line, at = f.word(p, refs[0], line, at)
			refs = refs[1:]
		}
		f.link(l)
	}
	for _, r := range refs {
		line, at = f.word(p, r, line, at)
	}
}

// word adds a reference in words. Lines are counted on from the last one.
func (f *File) word(p *prose, r wordRef, line, at int) (int, int) {
	line += bytes.Count(p.d.Source[at:r.at], []byte{'\n'})
	f.Links = append(f.Links, Link{
		Kind: Text, Text: cutText(r.text, maxText), Target: r.target, Section: p.section(r.at), Line: line,
	})
	return line, r.at
}

func (f *File) link(l *doc.Link) {
	out := Link{Kind: Kind(l.Kind), Image: l.Image, Target: l.Target, Text: l.Text, Section: l.Section, Line: l.Line}
	if l.Kind == doc.Macro {
		c := parseCall(cutText(l.Target, maxTarget))
		if !isLinkMacro(c.name) || c.n == 0 {
			return
		}
		if isSlugMacro(c.name) {
			for _, slug := range c.args[:c.n] {
				one := out
				one.Target = c.name + `("` + slug + `")`
				one.Text = slug
				f.Links = append(f.Links, one)
			}
			return
		}
		out.Text = c.shown()
	}
	if len(out.Target) > maxTarget {
		out.Target, out.cut = cutText(out.Target, maxTarget), true
	}
	out.Text = cutText(out.Text, maxText)
	f.Links = append(f.Links, out)
}
