package docent

import (
	"errors"
	"fmt"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/text/chunk"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A pageReader reads the documents behind an answer, each once.
type pageReader struct {
	l     *Library
	texts map[string][]byte              // nil for one that is stale
	parts map[string]map[doc.Span]string // of altered chunks
	stale []string
}

func newPageReader(l *Library) *pageReader {
	return &pageReader{l: l, texts: map[string][]byte{}, parts: map[string]map[doc.Span]string{}}
}

// hit makes the Hit of a candidate. It is not ok when its file is stale.
func (r *pageReader) hit(h found) (Hit, bool, error) {
	data, err := r.text(h.file, h.chunk.File)
	if err != nil || data == nil {
		return Hit{}, false, err
	}
	if h.chunk.Span.End > len(data) {
		return Hit{}, false, fmt.Errorf("%w: %s ends before %d", doctable.ErrFormat, h.file.Path, h.chunk.Span.End)
	}
	body := strings.TrimPrefix(string(h.chunk.Span.Of(data)), "\ufeff")
	if h.chunk.Altered {
		body = r.part(h, data, body)
	}
	trail, err := h.seg.cat.Trail(h.file, h.named)
	if err != nil {
		return Hit{}, false, err
	}
	out := Hit{
		File: h.file.Path, Title: h.section.Title, Headings: trail, Tokens: h.chunk.Tokens, Score: h.Final, Body: body,
		Lines: [2]int{h.chunk.Lines.Start, h.chunk.Lines.End},
	}
	out.Ref, out.Citation = hitRef(h.file.Path, h.section.Anchor, h.chunk.Lines, h.chunk.Hash)
	out.node = node{r.l.fileID(h), h.named - h.file.FirstSection}
	out.record, err = r.record(h, body, trail)
	return out, true, err
}

// fileID is the name of a candidate's file in the graph.
func (l *Library) fileID(h found) graph.ID {
	return graph.ID{Segment: h.seg.number, Row: h.chunk.File}
}

// part is the text of an altered chunk: fences and table heads are repeated in
// it, as "docent chunks" shows it.
func (r *pageReader) part(h found, data []byte, plain string) string {
	if text, ok := r.l.kept.part(h.file, h.chunk.Span); ok {
		return text
	}
	altered, ok := r.parts[h.file.Path]
	if !ok {
		altered = map[doc.Span]string{}
		for _, c := range chunk.Split(markdown.Parse(h.file.Path, data), r.l.policy) {
			if len(c.Text) != c.Span.Len() {
				altered[c.Span] = c.Text
			}
		}
		r.parts[h.file.Path] = altered
		r.l.kept.putParts(h.file, altered)
	}
	if text, ok := altered[h.chunk.Span]; ok {
		return text
	}
	return plain
}

// record describes a chunk as "docent chunks" does. The trail is that of what the
// hit is named after.
func (r *pageReader) record(h found, body string, trail []string) (Record, error) {
	if held := r.l.held; held != nil && held.records != nil {
		return held.records[h.row], nil
	}
	cat, f, section := h.seg.cat, h.file, h.section
	var err error
	if h.named != h.chunk.Section {
		if section, err = cat.Section(h.chunk.Section); err != nil {
			return Record{}, err
		}
		if trail, err = cat.Trail(f, h.chunk.Section); err != nil {
			return Record{}, err
		}
	}
	anchor := section.Anchor
	if h.chunk.Part > 0 {
		if anchor, err = r.l.partName(f, cat, h.row); err != nil {
			return Record{}, err
		}
	}
	rec := Record{
		SectionID: doc.Ref{Path: f.Path, Anchor: anchor}.String(), Title: section.Title, Path: strings.Join(trail, trailMark),
		Content: body, Tokens: h.chunk.Tokens, Headings: trail, Hash: hashText(h.chunk.Hash),
		Source: Source{ID: f.Path, Name: f.Title, File: f.Path, Lines: [2]int{h.chunk.Lines.Start, h.chunk.Lines.End}},
	}
	if section.Parent >= 0 {
		parent, err := cat.Section(f.FirstSection + section.Parent)
		if err != nil {
			return Record{}, err
		}
		id := doc.Ref{Path: f.Path, Anchor: parent.Anchor}.String()
		rec.ParentID = &id
	}
	return rec, nil
}

// text reads a file, or notes that it is stale.
func (r *pageReader) text(f doctable.File, row int) ([]byte, error) {
	if data, ok := r.texts[f.Path]; ok {
		return data, nil
	}
	data, err := r.l.text(known{path: f.Path, row: row, file: f})
	if errors.Is(err, ErrStale) {
		r.stale = append(r.stale, f.Path)
		err = nil
	}
	if err == nil {
		r.texts[f.Path] = data
	}
	return data, err
}
