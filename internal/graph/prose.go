package graph

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
)

// Prose is searched for two things: references in words, and ids that others may
// point at. Both are found by looking for the few bytes they cannot do without,
// over the whole file at once, and then looking around each hit.

// A prose is the text of a document outside code and links.
type prose struct {
	d      *doc.Document
	blocks []int // those that hold text, in reading order
	at     int   // the one looked at last
	code   []doc.Span
	known  int // the block that code is of, plus one
	link   int // links before this one lie behind us
}

// A hit is something that may be a reference or an id.
type hit struct {
	at   int
	kind hitKind
}

type hitKind uint8

const (
	wordHit  hitKind = iota // the word "section" or one like it
	seeHit                  // "see 2.1"
	parenHit                // "(2.1)"
	idHit                   // an HTML attribute
	braceHit                // {#id}
	blockHit                // ^id
	ruleHit                 // r[id]
	termHit                 // a term of a definition list
	paraHit                 // §
)

// marks are what hits are found by: the text, and how far before it the thing
// begins. Words are looked for without their first letter, which may be a
// capital.
var marks = []struct {
	text   string
	before int
	kind   hitKind
}{
	{"ection", 1, wordHit},
	{"hapter", 1, wordHit},
	{"ppendi", 1, wordHit},
	{"nnex", 1, wordHit},
	{"§", 0, paraHit},
	{"=", 0, idHit},
	{"{", 0, braceHit},
	{"^", 0, blockHit},
	{"ee ", 1, seeHit},
	{"efer to ", 1, seeHit},
	{"(", 0, parenHit},
}

// maxHits bounds the references and ids of one file.
const maxHits = 100_000

// hits returns the hits of the document in reading order. References without a
// word before the number are looked for only where headings are numbered.
func (p *prose) hits(numbers bool) []hit {
	src := p.d.Source
	var out []hit
	for _, m := range marks {
		if (m.kind == seeHit || m.kind == parenHit) && !numbers {
			continue
		}
		text := []byte(m.text)
		for i := 0; len(out) < maxHits; i += len(text) {
			n := bytes.Index(src[i:], text)
			if n < 0 {
				break
			}
			i += n
			if i >= m.before && plausible(src, i-m.before, m.kind) {
				out = append(out, hit{i - m.before, m.kind})
			}
		}
	}
	for i := range p.d.Blocks {
		b := &p.d.Blocks[i]
		at := b.Span.Start
		switch {
		case b.Kind == doc.Paragraph && bytes.HasPrefix(src[at:], []byte("r[")):
			for ; at < b.Span.End && bytes.HasPrefix(src[at:], []byte("r[")); at++ {
				out = append(out, hit{at, ruleHit})
				if n := bytes.IndexByte(src[at:b.Span.End], '\n'); n >= 0 {
					at += n
				} else {
					break
				}
			}
		case b.Kind == doc.Item:
			at += len(src[at:b.Span.End]) - len(bytes.TrimLeft(src[at:b.Span.End], " "))
			if bytes.HasPrefix(src[at:], []byte("- : ")) {
				out = append(out, hit{at, termHit})
			}
		}
	}
	slices.SortFunc(out, func(a, b hit) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind)) })
	return out
}

// plausible rules most hits out by the bytes around them.
func plausible(src []byte, at int, k hitKind) bool {
	before := byte(' ')
	if at > 0 {
		before = src[at-1]
	}
	switch k {
	case wordHit:
		return !isLetter(before) && !isDigit(before) && strings.IndexByte("sScCaA", src[at]) >= 0
	case seeHit:
		return !isLetter(before) && strings.IndexByte("sSrR", src[at]) >= 0
	case parenHit:
		return at+1 < len(src) && (isDigit(src[at+1]) || 'A' <= src[at+1] && src[at+1] <= 'Z')
	case idHit:
		s := src[max(0, at-5):at]
		return len(s) == 5 && (s[4] == 'd' && s[3] == 'i' && isSpace(s[2]) || string(s[1:]) == "name" && isSpace(s[0]))
	case braceHit:
		return bytes.HasPrefix(src[at+1:], []byte("#")) || bytes.HasPrefix(src[at+1:], []byte(": #"))
	case blockHit:
		return (isSpace(before) || before == ']') && at+1 < len(src) && isIDByte(src[at+1])
	}
	return true
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func newProse(d *doc.Document) *prose {
	p := &prose{d: d}
	for i := range d.Blocks {
		switch d.Blocks[i].Kind {
		case doc.Paragraph, doc.Table, doc.HTML, doc.Component, doc.HeadingBlock:
			p.blocks = append(p.blocks, i)
		}
	}
	return p
}

// block returns the block of text that holds the byte at, which must not lie
// before those asked about earlier, unless it is in code or a link.
func (p *prose) block(at int, links bool) *doc.Block {
	for p.at < len(p.blocks) && p.d.Blocks[p.blocks[p.at]].Span.End <= at {
		p.at++
	}
	if p.at == len(p.blocks) {
		return nil
	}
	b := &p.d.Blocks[p.blocks[p.at]]
	if at < b.Span.Start {
		return nil
	}
	if p.known != p.at+1 {
		p.known, p.code = p.at+1, codeSpans(p.code[:0], b, p.d.Source)
	}
	for len(p.code) > 0 && p.code[0].End <= at {
		p.code = p.code[1:]
	}
	if len(p.code) > 0 && p.code[0].Start <= at {
		return nil
	}
	for p.link < len(p.d.Links) && p.d.Links[p.link].Span.End <= at {
		p.link++
	}
	if links && p.link < len(p.d.Links) && p.d.Links[p.link].Span.Start <= at {
		return nil
	}
	return b
}

// blockStart returns where the block that was returned last begins.
func (p *prose) blockStart() int { return p.d.Blocks[p.blocks[p.at]].Span.Start }

// section returns the section that holds the byte at.
func (p *prose) section(at int) int {
	i, found := slices.BinarySearchFunc(p.d.Sections, at, func(s doc.Section, at int) int { return s.Span.Start - at })
	if !found {
		i--
	}
	return max(i, 0)
}

// codeSpans appends the code spans of a block and its HTML comments to dst, in
// reading order.
func codeSpans(dst []doc.Span, b *doc.Block, src []byte) []doc.Span {
	if b.Kind == doc.HTML {
		return dst
	}
	text := b.Span.Of(src)
	for i := 0; ; {
		n := bytes.Index(text[i:], []byte("<!--"))
		if n < 0 {
			break
		}
		i += n
		end := bytes.Index(text[i:], []byte("-->"))
		if end < 0 {
			break
		}
		dst = append(dst, doc.Span{Start: b.Span.Start + i, End: b.Span.Start + i + end})
		i += end
	}
	if bytes.IndexByte(text, '`') < 0 {
		return dst
	}
	type run struct{ at, n, next int }
	var runs []run
	for i := 0; i < len(text); {
		if text[i] != '`' {
			n := bytes.IndexByte(text[i:], '`')
			if n < 0 {
				break
			}
			i += n
		}
		n := 1
		for i+n < len(text) && text[i+n] == '`' {
			n++
		}
		runs = append(runs, run{i, n, 0})
		i += n
	}
	last := map[int]int{}
	for i := len(runs) - 1; i >= 0; i-- {
		runs[i].next = last[runs[i].n]
		last[runs[i].n] = i
	}
	for i := 0; i < len(runs); i++ {
		if j := runs[i].next; j > i {
			dst = append(dst, doc.Span{Start: b.Span.Start + runs[i].at, End: b.Span.Start + runs[j].at + runs[j].n})
			i = j
		}
	}
	slices.SortFunc(dst, func(a, b doc.Span) int { return cmp.Compare(a.Start, b.Start) })
	return dst
}
