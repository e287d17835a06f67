package markdown

import (
	"path"
	"strings"

	"github.com/docent-md/docent/doc"
)

// While a file is scanned, what is found in it is written down in small values
// without pointers, whose memory is used again for the next file. At the end
// they become the document, in as many allocations as it has slices.

// A span is a range of the file.
type span struct{ start, end int32 }

func (s span) len() int { return int(s.end - s.start) }

// A str is a string of the document: a part of the file, or, when start is
// negative, of parser.made, from ^start on.
type str struct{ start, size int32 }

func (s span) str() str { return str{s.start, s.end - s.start} }

type block struct {
	span
	first, last int32 // lines
	parent      int32
	inner       span
	info        str
	kind        doc.Kind
	comment     bool // an HTML block that is a comment and nothing else
}

type heading struct {
	block  int32
	words  span // without "#" and underline, and later without explicit id
	title  str
	anchor str
	level  uint8
}

type section struct {
	heading, parent int32
	start, line     int32
	level           uint8
}

type link struct {
	span
	words, target str
	inner         span // what the words are to be taken from
	line, section int32
	kind          doc.LinkKind
	image         bool
}

// bytes returns the bytes of a string.
func (p *parser) bytes(t str) []byte {
	if t.start < 0 {
		return p.made[^t.start : ^t.start+t.size]
	}
	return p.src[t.start : t.start+t.size]
}

// madeFrom returns the string that was appended to made since it was n long.
func (p *parser) madeFrom(n int) str { return str{^int32(n), int32(len(p.made) - n)} }

// layout finds the sections: where they begin and which holds which.
func (p *parser) layout() {
	p.sections = append(p.sections, section{heading: -1, parent: -1, line: 1, level: 1})
	top := p.topHeading()
	for i := range p.headings {
		h := &p.headings[i]
		b := &p.blocks[h.block]
		if b.parent >= 0 {
			continue
		}
		if i == top {
			p.sections[0].heading = int32(i)
			continue
		}
		parent := len(p.sections) - 1
		for parent > 0 && p.sections[parent].level >= h.level {
			parent = int(p.sections[parent].parent)
		}
		p.sections = append(p.sections, section{
			heading: int32(i), parent: int32(parent), start: b.start, line: b.first, level: h.level,
		})
	}
}

// topHeading returns the heading that belongs to the document itself, or -1: a
// first heading of level 1 with nothing but front matter, comments and
// components before it.
func (p *parser) topHeading() int {
	for i := range p.blocks {
		b := &p.blocks[i]
		switch b.kind {
		case doc.FrontMatter, doc.Component:
		case doc.HTML:
			if !b.comment {
				return -1
			}
		case doc.HeadingBlock:
			if b.parent < 0 && p.headings[0].level == 1 {
				return 0
			}
			return -1
		default:
			return -1
		}
	}
	return -1
}

// document returns what was written down as a document.
func (p *parser) document() doc.Document {
	d := p.d
	file, made := p.file, string(p.made)
	cut := func(t str) string {
		if t.start < 0 {
			return made[^t.start : ^t.start+t.size]
		}
		return file[t.start : t.start+t.size]
	}
	rng := func(s span) doc.Span { return doc.Span{Start: int(s.start), End: int(s.end)} }

	if n := len(p.blocks); n > 0 {
		d.Blocks = make([]doc.Block, n)
	}
	for i := range p.blocks {
		b, to := &p.blocks[i], &d.Blocks[i]
		to.Kind, to.Parent = b.kind, int(b.parent)
		to.Span, to.Inner = rng(b.span), rng(b.inner)
		to.Lines = doc.Lines{Start: int(b.first), End: int(b.last)}
		if b.info.size > 0 {
			to.Info = cut(b.info)
		}
	}
	if n := len(p.headings); n > 0 {
		d.Headings = make([]doc.Heading, n)
	}
	for i := range p.headings {
		h, to := &p.headings[i], &d.Headings[i]
		b := &d.Blocks[h.block]
		to.Level, to.Nested = int(h.level), b.Parent >= 0
		to.Span, to.Lines = b.Span, b.Lines
		to.Title, to.Anchor = cut(h.title), cut(h.anchor)
	}
	if n := len(p.links); n > 0 {
		d.Links = make([]doc.Link, n)
	}
	for i := range p.links {
		l, to := &p.links[i], &d.Links[i]
		to.Kind, to.Image = l.kind, l.image
		to.Section, to.Line, to.Span = int(l.section), int(l.line), rng(l.span)
		to.Text, to.Target = cut(l.words), cut(l.target)
	}
	if d.Title == "" {
		d.Title = title(&d)
	}
	d.Sections = make([]doc.Section, len(p.sections))
	p.fillSections(&d)
	return d
}

// fillSections makes the sections of d tile its file.
func (p *parser) fillSections(d *doc.Document) {
	end, last := len(d.Source), p.line
	for i := len(p.sections) - 1; i >= 0; i-- {
		s, to := &p.sections[i], &d.Sections[i]
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
