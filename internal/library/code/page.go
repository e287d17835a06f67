package code

import (
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/symbol"
)

// A codePage is a document whose code blocks are shown.
type codePage struct {
	v     *snapshot.View
	d     doc.Document
	fence []int // the blocks of the document that are code
	scan  symbol.Scanner
}

// pages are the documents of a view whose code blocks are shown, each read once.
type pages struct {
	v      *snapshot.View
	reader *snapshot.Reader
	read   map[string]*codePage
}

func newPages(v *snapshot.View) *pages {
	return &pages{v: v, reader: snapshot.NewReader(v), read: map[string]*codePage{}}
}

// of is the document of a block; nil when it is stale.
func (p *pages) of(b blockAt) (*codePage, error) {
	if pg, ok := p.read[b.path]; ok {
		return pg, nil
	}
	pg, err := readPage(p.v, p.reader, b)
	if err == nil {
		p.read[b.path] = pg
	}
	return pg, err
}

// readPage reads the document of a block; nil when it is stale.
func readPage(v *snapshot.View, r *snapshot.Reader, b blockAt) (*codePage, error) {
	file, err := v.File(b.seg.Number, b.file)
	if err != nil {
		return nil, err
	}
	data, err := r.Text(file)
	if err != nil || data == nil {
		return nil, err
	}
	p := &codePage{v: v, d: markdown.Parse(file.Path, data)}
	for i, block := range p.d.Blocks {
		if block.Kind == doc.Fence {
			p.fence = append(p.fence, i)
		}
	}
	return p, nil
}

// code is the text of a block, fences included.
func (p *codePage) code(b blockAt) (string, bool) {
	if b.number >= len(p.fence) || p.d.Blocks[p.fence[b.number]].Span != b.block.Span {
		return "", false
	}
	return string(b.block.Span.Of(p.d.Source)), true
}

// snippet describes a block; text adds what is said around it.
func (p *codePage) snippet(b blockAt, code string, text func(*codePage, *answer.Snippet, blockAt)) answer.Snippet {
	block := p.d.Blocks[p.fence[b.number]]
	section := p.d.Sections[b.block.Section]
	s := answer.Snippet{
		File: p.d.Path, Lines: [2]int{b.block.Lines.Start, b.block.Lines.End}, Title: section.Title,
		Headings: p.trail(b.block.Section), Language: b.block.Language, Code: code,
		Symbols: p.scan.Scan(b.block.Language, markdown.Code(&p.d, &block)).Declared,
	}
	if b.kind != unnamed {
		s.Kind = b.kind.String()
	}
	if s.Symbols == nil {
		s.Symbols = []string{}
	}
	number := 1
	for _, i := range p.fence[:b.number] {
		if p.d.Blocks[i].Span.Start >= section.Span.Start {
			number++
		}
	}
	s.Ref = answer.CodeRef(p.d.Path, section.Anchor, number)
	text(p, &s, b)
	s.Tokens = p.v.Policy.Count([]byte(s.Before + s.Code + s.After))
	return s
}

// unnamed is the kind of a block that was not found by a name.
const unnamed = snippet.Kind(3)

// lead adds the paragraph that leads up to a block.
func (p *codePage) lead(s *answer.Snippet, b blockAt) {
	if before := p.textsNextTo(b, -1); len(before) > 0 {
		s.Before = before[0]
	}
}

// around adds the text of the section from the block before to the block behind.
func (p *codePage) around(s *answer.Snippet, b blockAt) {
	before := p.textsNextTo(b, -1)
	slices.Reverse(before)
	s.Before, s.After = strings.Join(before, "\n\n"), strings.Join(p.textsNextTo(b, 1), "\n\n")
}

// textsNextTo gives the texts before (step -1) or after (1) a block, nearest first: of
// its section, up to the next code, and within its list item or quote.
func (p *codePage) textsNextTo(b blockAt, step int) []string {
	section, at := p.d.Sections[b.block.Section], p.fence[b.number]
	var out []string
	for i := at + step; i >= 0 && i < len(p.d.Blocks); i += step {
		block := p.d.Blocks[i]
		if block.Span.Start < section.Span.Start || block.Span.End > section.Span.End {
			break
		}
		if block.Parent != p.d.Blocks[at].Parent {
			continue
		}
		switch block.Kind {
		case doc.Fence:
			return out
		case doc.Paragraph, doc.List, doc.Quote, doc.Table, doc.Admonition:
			out = append(out, strings.Trim(string(block.Span.Of(p.d.Source)), "\n"))
		}
	}
	return out
}

// trail is the breadcrumb of a section.
func (p *codePage) trail(section int) []string {
	var out []string
	for ; section >= 0; section = p.d.Sections[section].Parent {
		out = append(out, p.d.Sections[section].Title)
	}
	slices.Reverse(out)
	return out
}
