package markdown

import (
	"path"
	"strings"

	"github.com/docent-md/docent/doc"
)

// layout finds the sections: where they begin and which holds which.
func (r *record) layout() {
	r.sections = append(r.sections, section{heading: -1, parent: -1, line: 1, level: 1})
	top := r.topHeading()
	for i := range r.headings {
		h := &r.headings[i]
		b := &r.blocks[h.block]
		if b.parent >= 0 {
			continue
		}
		if i == top {
			r.sections[0].heading = int32(i)
			continue
		}
		parent := len(r.sections) - 1
		for parent > 0 && r.sections[parent].level >= h.level {
			parent = int(r.sections[parent].parent)
		}
		r.sections = append(r.sections, section{
			heading: int32(i), parent: int32(parent), start: b.start, line: b.first, level: h.level,
		})
	}
}

// topHeading returns the heading that belongs to the document itself, or -1: a
// first heading of level 1 with nothing but front matter, comments and
// components before it.
func (r *record) topHeading() int {
	for i := range r.blocks {
		b := &r.blocks[i]
		switch b.kind {
		case doc.FrontMatter, doc.Component:
		case doc.HTML:
			if !b.comment {
				return -1
			}
		case doc.HeadingBlock:
			if b.parent < 0 && r.headings[0].level == 1 {
				return 0
			}
			return -1
		default:
			return -1
		}
	}
	return -1
}

// document adds what was written down to d, the document of a file of so many lines.
func (r *record) document(d doc.Document, lines int) doc.Document {
	file, made := r.file, string(r.made)
	cut := func(t str) string {
		if t.start < 0 {
			return made[^t.start : ^t.start+t.size]
		}
		return file[t.start : t.start+t.size]
	}
	rng := func(s span) doc.Span { return doc.Span{Start: int(s.start), End: int(s.end)} }

	if n := len(r.blocks); n > 0 {
		d.Blocks = make([]doc.Block, n)
	}
	for i := range r.blocks {
		b, to := &r.blocks[i], &d.Blocks[i]
		to.Kind, to.Parent = b.kind, int(b.parent)
		to.Span, to.Inner = rng(b.span), rng(b.inner)
		to.Lines = doc.Lines{Start: int(b.first), End: int(b.last)}
		if b.info.size > 0 {
			to.Info = cut(b.info)
		}
	}
	if n := len(r.headings); n > 0 {
		d.Headings = make([]doc.Heading, n)
	}
	for i := range r.headings {
		h, to := &r.headings[i], &d.Headings[i]
		b := &d.Blocks[h.block]
		to.Level, to.Nested = int(h.level), b.Parent >= 0
		to.Span, to.Lines = b.Span, b.Lines
		to.Title, to.Anchor = cut(h.title), cut(h.anchor)
	}
	if n := len(r.links); n > 0 {
		d.Links = make([]doc.Link, n)
	}
	for i := range r.links {
		l, to := &r.links[i], &d.Links[i]
		to.Kind, to.Image = l.kind, l.image
		to.Section, to.Line, to.Span = int(l.section), int(l.line), rng(l.span)
		to.Text, to.Target = cut(l.words), cut(l.target)
	}
	if d.Title == "" {
		d.Title = title(&d)
	}
	d.Sections = make([]doc.Section, len(r.sections))
	r.fillSections(&d, lines)
	return d
}

// fillSections makes the sections of d tile its file of last lines.
func (r *record) fillSections(d *doc.Document, last int) {
	end := len(d.Source)
	for i := len(r.sections) - 1; i >= 0; i-- {
		s, to := &r.sections[i], &d.Sections[i]
		to.Level, to.Heading, to.Parent = int(s.level), int(s.heading), int(s.parent)
		to.Title = d.Title
		if s.heading >= 0 {
			to.Title, to.Anchor = d.Headings[s.heading].Title, d.Headings[s.heading].Anchor
		}
		to.Span = doc.Span{Start: int(s.start), End: end}
		if to.Span.Len() > 0 {
			to.Lines = doc.Lines{Start: int(s.line), End: last}
		}
		end, last = to.Span.Start, int(s.line)-1
		to.End = max(to.End, i+1)
		if s.parent >= 0 {
			d.Sections[s.parent].End = max(d.Sections[s.parent].End, to.End)
		}
	}
}

// title returns the title of a document whose front matter has none: its first
// level-1 heading, one in no container if there is one, else its file's name.
func title(d *doc.Document) string {
	nested := ""
	for i := range d.Headings {
		h := &d.Headings[i]
		if h.Level != 1 || h.Title == "" {
			continue
		}
		if !h.Nested {
			return h.Title
		}
		if nested == "" {
			nested = h.Title
		}
	}
	if nested != "" {
		return nested
	}
	base := path.Base(d.Path)
	return strings.TrimSuffix(base, path.Ext(base))
}
