package markdown

import (
	"bytes"
	"slices"

	"github.com/docent-md/docent/doc"
)

// An inliner is the state of the inline pass.
type inliner struct {
	*record
	finder linkFinder
	titles titler
}

func (p *inliner) reset(r *record) { p.record, p.finder.record, p.titles.record = r, r, r }

// scan finds the links of the document and the titles of its headings.
func (p *inliner) scan() {
	r, head, sec := p.record, 0, 0
	for i := range r.blocks {
		b := &r.blocks[i]
		switch b.kind {
		case doc.HeadingBlock:
		case doc.Paragraph, doc.Table, doc.HTML, doc.Admonition:
			if len(r.links) >= MaxLinks {
				continue
			}
		default:
			continue
		}
		for sec+1 < len(r.sections) && r.sections[sec+1].start <= b.start {
			sec++
		}
		from := len(r.links)
		switch b.kind {
		case doc.HTML:
			if !b.comment {
				p.finder.htmlLinks(int(b.start), int(b.end))
				p.finishLinks(from, b, sec)
			}
		case doc.HeadingBlock:
			h := &r.headings[head]
			head++
			h.explicitID(r.text)
			p.finder.textLinks(int(h.words.start), int(h.words.end))
			p.finishLinks(from, b, sec)
			h.title = p.titles.headingTitle(h.words, r.links[from:])
		case doc.Admonition:
			// Its first line is its title.
			p.finder.textLinks(int(b.start), int(b.start)+lineLen(r.text[b.start:b.end]))
			p.finishLinks(from, b, sec)
		default:
			p.finder.textLinks(int(b.start), int(b.end))
			p.finishLinks(from, b, sec)
		}
	}
}

// finishLinks puts the links of block b, those from a number on, in reading
// order and gives them their text, line and section. Links are written down
// where they end, so one that holds another comes after it; texts are taken from
// the last to the first, so that the inner text is known when the outer is put
// together.
func (p *inliner) finishLinks(from int, b *block, sec int) {
	links := p.links[from:]
	if len(links) == 0 {
		return
	}
	for i := 1; i < len(links); i++ {
		if links[i].start < links[i-1].start {
			slices.SortFunc(links, func(a, b link) int { return int(a.start - b.start) })
			break
		}
	}
	for i := len(links) - 1; i >= 0; i-- {
		if l := &links[i]; l.inner.end > 0 {
			l.words = p.titles.plainText(l.inner, links[i+1:])
		}
	}
	at, line := b.start, b.first
	for i := range links {
		l := &links[i]
		line += int32(bytes.Count(p.text[at:l.start], newline))
		at = l.start
		l.line, l.section = line, int32(sec)
	}
}
