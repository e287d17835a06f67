// Package browse answers by place: a section, lines of a file, a table of contents, the
// files there are, lines that match a pattern.
package browse

import (
	"cmp"
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

// Section returns the section a Ref leads to, whole, and what surrounds it if o says so.
// A file is its own first section; lines and code are the section they begin in.
func Section(ctx context.Context, s snapshot.Snapshot, ref string, o answer.SectionOptions) (*answer.SectionView, error) {
	found, err := findSection(ctx, s, ref)
	if err != nil {
		return nil, err
	}
	if o.Around {
		err = found.addAround(ctx, s)
	}
	return found.answer, err
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
	p := found.place
	from := p.Ref.Lines.Start
	if p.Code > 0 {
		code, err := place.CodeLines(found.data, p)
		if err != nil {
			return found, err
		}
		from = code.Start
	}
	if found.at = p.Section; found.at < 0 {
		found.at = place.SectionAt(found.sections, from)
	}
	v := &answer.SectionView{
		Siblings: []answer.SectionLead{}, Children: []answer.SectionLead{}, References: []answer.Reference{}, Backlinks: []answer.Reference{},
	}
	v.Section, err = sectionRecord(found.view, p.File, found.data, found.sections, found.at)
	found.answer = v
	return found, cmp.Or(err, ctx.Err())
}

// addAround adds the section's parent, siblings and children, and its links.
func (f *foundSection) addAround(ctx context.Context, s snapshot.Snapshot) error {
	parent := f.sections[f.at].Parent
	if parent >= 0 {
		up := f.lead(parent)
		f.answer.Parent = &up
	}
	var err error
	if f.answer.Siblings, err = f.under(ctx, parent); err != nil {
		return err
	}
	if err := f.addChildren(ctx); err != nil {
		return err
	}
	return addLinks(ctx, s, f.answer)
}

func (f *foundSection) addChildren(ctx context.Context) (err error) {
	f.answer.Children, err = f.under(ctx, f.at)
	return err
}

// under names the sections directly under one, but for the section itself.
func (f *foundSection) under(ctx context.Context, parent int) ([]answer.SectionLead, error) {
	out := []answer.SectionLead{}
	for i, s := range f.sections {
		if err := snapshot.Canceled(ctx, i); err != nil {
			return nil, err
		}
		if i > 0 && i != f.at && s.Parent == parent {
			out = append(out, f.lead(i))
		}
	}
	return out, nil
}

// lead names a section of the document.
func (f *foundSection) lead(i int) answer.SectionLead {
	return answer.SectionLead{
		SectionID: doc.Ref{Path: f.place.Path, Anchor: f.sections[i].Anchor}.String(),
		Title:     f.sections[i].Title,
		Tokens:    f.view.Policy.Count(subtreeText(f.data, f.sections, i)),
	}
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
