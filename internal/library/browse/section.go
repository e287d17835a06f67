// Package browse answers by place: a section, lines of a file, a table of contents, the
// files there are, lines that match a pattern.
package browse

import (
	"context"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// maxBacklinks is how many links to a section are shown with it. "docent links"
// shows all of them.
const maxBacklinks = 50

// Section returns the section a Ref leads to, whole, and its neighbours. A file
// is its own first section; lines and code are the section they begin in.
func Section(ctx context.Context, s snapshot.Snapshot, ref string) (*answer.SectionView, error) {
	found, err := findSection(ctx, s, ref)
	if err != nil {
		return nil, err
	}
	return found.answer, nil
}

// A foundSection is what a Ref leads to, and the document around it.
type foundSection struct {
	answer   *answer.SectionView
	view     *snapshot.View
	place    place.Place
	data     []byte             // the document
	sections []doctable.Section // of the document
	at       int                // which of them it is
}

func findSection(ctx context.Context, s snapshot.Snapshot, ref string) (found foundSection, err error) {
	if found.view, err = s.View(ctx, snapshot.Want{Document: ref}); err != nil {
		return found, err
	}
	if found.place, err = place.Resolve(found.view, ref); err != nil {
		return found, err
	}
	if found.data, err = found.view.Text(found.place.File); err != nil {
		return found, err
	}
	if found.sections, err = found.view.Sections(found.place.File); err != nil {
		return found, err
	}
	if err := found.addNeighbours(ctx); err != nil {
		return found, err
	}
	return found, addLinks(ctx, s, found.answer)
}

// addNeighbours describes the section, its parent, siblings and children.
func (f *foundSection) addNeighbours(ctx context.Context) error {
	l, p, data, sections := f.view, f.place, f.data, f.sections
	from := p.Ref.Lines.Start
	if p.Code > 0 {
		code, err := place.CodeLines(data, p)
		if err != nil {
			return err
		}
		from = code.Start
	}
	at := p.Section
	if at < 0 {
		at = place.SectionAt(sections, from)
	}
	lead := func(i int) answer.SectionLead {
		return answer.SectionLead{
			SectionID: doc.Ref{Path: p.Path, Anchor: sections[i].Anchor}.String(),
			Title:     sections[i].Title,
			Tokens:    l.Policy.Count(subtreeText(data, sections, i)),
		}
	}
	v := &answer.SectionView{Siblings: []answer.SectionLead{}, Children: []answer.SectionLead{}}
	var err error
	if v.Section, err = sectionRecord(l, p.File, data, sections, at); err != nil {
		return err
	}
	parent := sections[at].Parent
	if parent >= 0 {
		up := lead(parent)
		v.Parent = &up
	}
	for i, s := range sections {
		if err := snapshot.Canceled(ctx, i); err != nil {
			return err
		}
		switch {
		case i != at && i > 0 && s.Parent == parent:
			v.Siblings = append(v.Siblings, lead(i))
		case s.Parent == at && i > 0:
			v.Children = append(v.Children, lead(i))
		}
	}
	f.answer, f.at = v, at
	return nil
}

// addLinks adds what a section links to, and what links to it.
func addLinks(ctx context.Context, s snapshot.Snapshot, v *answer.SectionView) error {
	src := v.Section.Source
	at := snapshot.Place{
		File: src.File, SectionID: v.Section.SectionID, Content: v.Section.Content,
		Lines: doc.Lines{Start: src.Lines[0], End: src.Lines[1]},
	}
	references, err := s.References(ctx, []snapshot.Place{at})
	if err != nil {
		return err
	}
	v.References = references[0]
	v.Backlinks, v.LinkedFrom, err = s.Backlinks(ctx, at, maxBacklinks)
	return err
}

// sectionRecord describes a section, including those under it.
func sectionRecord(v *snapshot.View, k snapshot.File, data []byte, sections []doctable.Section, at int) (answer.Record, error) {
	trail, err := v.Segments[k.Seg].Table.Trail(k.Info, k.Info.FirstSection+at)
	if err != nil {
		return answer.Record{}, err
	}
	text := subtreeText(data, sections, at)
	lines := place.Subtree(sections, at)
	r := answer.Record{
		SectionID: doc.Ref{Path: k.Path, Anchor: sections[at].Anchor}.String(), Title: sections[at].Title,
		Path: strings.Join(trail, answer.TrailMark), Headings: trail, Content: strings.TrimPrefix(string(text), "\ufeff"),
		Source: answer.Source{ID: k.Path, Name: k.Info.Title, File: k.Path, Lines: [2]int{lines.Start, lines.End}},
		Tokens: v.Policy.Count(text), Hash: answer.HashText(answer.HashOf(text)),
	}
	if up := sections[at].Parent; up >= 0 {
		id := doc.Ref{Path: k.Path, Anchor: sections[up].Anchor}.String()
		r.ParentID = &id
	}
	return r, nil
}

// subtreeText is the text of a section and of those under it.
func subtreeText(data []byte, sections []doctable.Section, at int) []byte {
	last := place.LastUnder(sections, at)
	return data[min(sections[at].Span.Start, len(data)):min(sections[last].Span.End, len(data))]
}

// How many neighbours a BriefSection names.
const (
	nearSiblings = 4  // on either side
	nearChildren = 20 // the first
)

// Brief gives the section a Ref leads to in about limit tokens: whole where it is
// no larger; else without the sections under it; and where that is still larger and
// the Ref names lines, from those lines on.
func Brief(ctx context.Context, snap snapshot.Snapshot, ref string, limit int) (*answer.BriefSection, error) {
	found, err := findSection(ctx, snap, ref)
	if err != nil {
		return nil, err
	}
	l, p, v, data := found.view, found.place, found.answer, found.data
	b := &answer.BriefSection{SectionView: v, Whole: v.Section.Tokens, WholeLines: v.Section.Source.Lines}
	limitNeighbours(b, found.sections, found.at)
	if v.Section.Tokens <= limit {
		return b, nil
	}
	own := found.sections[found.at]
	text := own.Span.Of(data[:min(own.Span.End, len(data))])
	putLines(b, l, text, own.Lines)
	if b.Section.Tokens <= limit || p.Ref.Lines.Start < own.Lines.Start || p.Ref.Lines.Start > own.Lines.End {
		return b, nil
	}
	lines := doc.Lines{Start: p.Ref.Lines.Start, End: own.Lines.End}
	for { // from there on, as much as fits
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, ok := place.LineRange(data, lines)
		if !ok {
			return b, nil
		}
		price := l.Policy.Count(text)
		if price <= limit || lines.Count() == 1 {
			putLines(b, l, text, lines)
			return b, nil
		}
		n := lines.Count() * limit / price
		lines.End = lines.Start + min(max(n, 1), lines.Count()-1) - 1
	}
}

// putLines makes some lines the section's text.
func putLines(b *answer.BriefSection, l *snapshot.View, text []byte, lines doc.Lines) {
	v := *b.SectionView
	s := &v.Section
	s.Content = strings.TrimPrefix(string(text), "\ufeff")
	s.Source.Lines = [2]int{lines.Start, lines.End}
	s.Tokens, s.Hash = l.Policy.Count(text), answer.HashText(answer.HashOf(text))
	b.SectionView = &v
}

// limitNeighbours drops all but the nearest neighbours.
func limitNeighbours(b *answer.BriefSection, sections []doctable.Section, at int) {
	before := 0
	for i := 1; i < at; i++ {
		if sections[i].Parent == sections[at].Parent {
			before++
		}
	}
	from := max(before-nearSiblings, 0)
	to := min(before+nearSiblings, len(b.Siblings))
	b.MoreSiblings = len(b.Siblings) - (to - from)
	b.Siblings = b.Siblings[from:to]
	shown := min(nearChildren, len(b.Children))
	b.MoreChildren = len(b.Children) - shown
	b.Children = b.Children[:shown]
}
