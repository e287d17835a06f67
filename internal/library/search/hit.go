package search

import (
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// A hit is a Hit of the answer and its candidate.
type hit struct {
	answer.Hit
	from retrieve.Ranked
	runs []uint64         // see wordRuns
	seen []index.Sighting // of the question's words in its text, set by judge
}

// newHit makes the hit of a candidate. It is not ok when its document is stale, which
// the reader remembers.
func newHit(reader *snapshot.Reader, c retrieve.Ranked) (hit, bool, error) {
	body, ok, err := c.Body(reader)
	if err != nil || !ok {
		return hit{}, false, err
	}
	trail, err := c.Segment.Table.Trail(c.File, c.Named)
	if err != nil {
		return hit{}, false, err
	}
	h := hit{from: c, Hit: answer.Hit{
		File: c.File.Path, Title: c.Section.Title, Headings: trail, Tokens: c.Chunk.Tokens, Score: c.Final, Body: body,
		Lines: [2]int{c.Chunk.Lines.Start, c.Chunk.Lines.End},
	}}
	h.Ref, h.Citation = answer.HitRef(c.File.Path, c.Section.Anchor, c.Chunk.Lines, c.Chunk.Hash)
	h.Record, err = record(c, body, trail)
	return h, true, err
}

// id tells hits of all indexes apart.
func (h *hit) id() string { return h.from.Segment.Name + ":" + h.Citation }

// placeOf is the part of a document that a hit shows.
func placeOf(h *answer.Hit) snapshot.Place {
	return snapshot.Place{
		Index: h.Index, File: h.File, SectionID: h.Record.SectionID, IsChunk: true,
		Lines: doc.Lines{Start: h.Lines[0], End: h.Lines[1]}, Content: h.Body,
	}
}

// record describes a chunk as "docent chunks" does. The trail is that of what the hit
// is named after.
func record(c retrieve.Ranked, body string, trail []string) (answer.Record, error) {
	if stored, ok := c.Segment.Home.Origin.Record(c.Row); ok {
		return stored, nil
	}
	table, f, section := c.Segment.Table, c.File, c.Section
	var err error
	if c.Named != c.Chunk.Section {
		if section, err = table.Section(c.Chunk.Section); err != nil {
			return answer.Record{}, err
		}
		if trail, err = table.Trail(f, c.Chunk.Section); err != nil {
			return answer.Record{}, err
		}
	}
	anchor, err := place.PartName(f, table, c.Row)
	if err != nil {
		return answer.Record{}, err
	}
	if anchor == "" {
		anchor = section.Anchor
	}
	rec := answer.Record{
		SectionID: answer.RefIn(f.Path, anchor), Title: section.Title, Path: strings.Join(trail, answer.TrailMark),
		Content: body, Tokens: c.Chunk.Tokens, Headings: trail, Hash: answer.HashText(c.Chunk.Hash),
		Source: answer.Source{ID: f.Path, Name: f.Title, File: f.Path, Lines: [2]int{c.Chunk.Lines.Start, c.Chunk.Lines.End}},
	}
	if section.Parent >= 0 {
		parent, err := table.Section(f.FirstSection + section.Parent)
		if err != nil {
			return answer.Record{}, err
		}
		id := answer.RefIn(f.Path, parent.Anchor)
		rec.ParentID = &id
	}
	return rec, nil
}
