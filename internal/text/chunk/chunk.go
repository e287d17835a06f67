// Package chunk cuts a document into chunks: what is indexed and returned.
//
// A chunk is a section; or several small ones that stand together, because a
// heading with a line under it neither ranks nor reads well; or a part of one
// that is too large. The sizes are the caller's, in the caller's tokens.
//
//	split.go   sections: which stand alone, which join
//	small.go   chunks that came out too small
//	window.go  overlapping windows instead
//	piece.go   text -> the pieces it may be cut into, and how well
//	pack.go    pieces -> parts no larger than allowed
//	repair.go  code fences and table heads around a cut
package chunk

import (
	"bytes"

	"github.com/docent-md/docent/doc"
)

// Split cuts d, as package markdown gives it, into chunks in reading order. By
// sections, every byte of the file is in exactly one chunk; as windows, in at
// least one. A chunk's Text is the source of its Span; where a code block was
// cut the fences are repeated around it, and where a table was cut its head.
// No chunk is over the largest size, repairs included. The time is linear in
// the size of the file.
//
// A chunk belongs to the section it begins in, and Part is 0 when it begins
// with it and no other chunk begins in that section.
//
// A policy that does not Validate still gives chunks, of other sizes.
func Split(d doc.Document, p Policy) []doc.Chunk {
	if len(d.Source) == 0 {
		return nil
	}
	p = p.withDefaults()
	p.Max = max(p.Max, 1)
	p.Overlap = min(max(p.Overlap, 0), 50)
	s := &splitter{
		Policy:   p,
		src:      d.Source,
		text:     string(d.Source),
		sections: d.Sections,
		blocks:   d.Blocks,
	}
	if len(s.sections) == 0 {
		whole := doc.Span{End: len(d.Source)}
		s.sections = []doc.Section{{Level: 1, Title: d.Title, Heading: -1, Parent: -1, End: 1, Span: whole}}
	}
	s.paths = make([][]string, len(s.sections))
	if p.Window {
		s.windows()
	} else {
		s.bySection()
	}
	s.number()
	return s.out
}

// A splitter is the state of one Split.
type splitter struct {
	Policy
	src      []byte
	text     string // the same; the chunks share it
	sections []doc.Section
	blocks   []doc.Block
	paths    [][]string // of each section, once it was asked for
	out      []doc.Chunk

	section   int // the section of the chunk made last
	pos, line int // its start, and the newlines before it
}

func (s *splitter) count(sp doc.Span) int { return s.Count(sp.Of(s.src)) }

// emit makes a chunk of sp. Chunks must come in the order of their starts.
func (s *splitter) emit(sp doc.Span, text string, tokens int) {
	for s.section+1 < len(s.sections) && s.sections[s.section+1].Span.Start <= sp.Start {
		s.section++
	}
	s.line += bytes.Count(s.src[s.pos:sp.Start], newline)
	s.pos = sp.Start
	first := s.line + 1
	last := first + bytes.Count(s.src[sp.Start:sp.End-1], newline)
	section := &s.sections[s.section]
	s.out = append(s.out, doc.Chunk{
		Section: s.section,
		Title:   section.Title,
		Anchor:  section.Anchor,
		Path:    s.path(s.section),
		Span:    sp,
		Lines:   doc.Lines{Start: first, End: last},
		Text:    text,
		Tokens:  tokens,
	})
}

var newline = []byte{'\n'}

// path returns the titles from the document down to a section.
func (s *splitter) path(i int) []string {
	if s.paths[i] == nil {
		var path []string
		if parent := s.sections[i].Parent; parent >= 0 && parent < i {
			path = s.path(parent)
		}
		s.paths[i] = append(path[:len(path):len(path)], s.sections[i].Title)
	}
	return s.paths[i]
}

// number sets Part, once all chunks are there.
func (s *splitter) number() {
	for i := 0; i < len(s.out); {
		section := s.out[i].Section
		end := i + 1
		for end < len(s.out) && s.out[end].Section == section {
			end++
		}
		if end-i > 1 || s.out[i].Span.Start != s.sections[section].Span.Start {
			for part := range s.out[i:end] {
				s.out[i+part].Part = part + 1
			}
		}
		i = end
	}
}
