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

// How many neighbours a BriefSection names.
const (
	nearSiblings = 4  // on either side
	nearChildren = 20 // the first
)

// Brief gives the section a Ref leads to in about limit tokens: whole where it is
// no larger; else without the sections under it, which are then named; and where that is
// still larger and the Ref names lines, from those lines on. A Ref with lines comes from
// a search, which gave their price: sections under it come along if the whole has half
// the limit at most.
func Brief(ctx context.Context, snap snapshot.Snapshot, ref string, limit int, o answer.SectionOptions) (*answer.BriefSection, error) {
	found, err := findSection(ctx, snap, ref)
	if err != nil {
		return nil, err
	}
	most := limit
	if found.place.Ref.Lines.Start > 0 && place.LastUnder(found.sections, found.at) > found.at {
		most /= 2
	}
	switch {
	case o.Around:
		err = found.addAround(ctx, snap)
	case found.answer.Section.Tokens > most:
		err = found.addChildren(ctx)
	}
	if err != nil {
		return nil, err
	}
	l, p, v, data := found.view, found.place, found.answer, found.data
	b := &answer.BriefSection{SectionView: v, Whole: v.Section.Tokens, WholeLines: v.Section.Source.Lines}
	limitNeighbours(b, found.sections, found.at)
	if v.Section.Tokens <= most {
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
	to := min(before+nearSiblings, len(b.Siblings))
	from := min(max(before-nearSiblings, 0), to)
	b.MoreSiblings = len(b.Siblings) - (to - from)
	b.Siblings = b.Siblings[from:to]
	shown := min(nearChildren, len(b.Children))
	b.MoreChildren = len(b.Children) - shown
	b.Children = b.Children[:shown]
}
