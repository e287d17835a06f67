package docent

import (
	"context"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
)

// How much of its surroundings a BriefSection names.
const (
	nearSiblings = 4  // on either side
	nearChildren = 20 // the first
)

// A BriefSection is a section as an agent wants it that follows a Ref: what the
// Ref names, at a price it can foresee, and where to go on.
type BriefSection struct {
	*SectionView
	Whole        int    // tokens of the section with all that stands under it
	WholeLines   [2]int // and its lines; where they are more than those of Section, not all of it is here
	MoreSiblings int    // that are not named
	MoreChildren int
}

// Brief gives the section a Ref leads to in about limit tokens: whole where it is
// no larger; else without what stands under it; and where that is still larger
// and the Ref names lines, from those lines on.
func (l *Library) Brief(ctx context.Context, ref string, limit int) (*BriefSection, error) {
	if l.stored != nil {
		return l.stored.brief(ctx, ref, limit)
	}
	p, err := l.resolve(ref)
	if err != nil {
		return nil, err
	}
	v, err := l.Section(ctx, ref)
	if err != nil {
		return nil, err
	}
	sections, err := l.sections(p.known)
	if err != nil {
		return nil, err
	}
	at := sectionOf(sections, v)
	b := &BriefSection{SectionView: v, Whole: v.Section.Tokens, WholeLines: v.Section.Source.Lines}
	b.nearest(sections, at)
	if v.Section.Tokens <= limit || at < 0 {
		return b, nil
	}
	data, err := l.text(p.known)
	if err != nil {
		return nil, err
	}
	own := sections[at]
	text := own.Span.Of(data[:min(own.Span.End, len(data))])
	b.put(l, text, own.Lines)
	if b.Section.Tokens <= limit || p.ref.Lines.Start < own.Lines.Start || p.ref.Lines.Start > own.Lines.End {
		return b, nil
	}
	lines := doc.Lines{Start: p.ref.Lines.Start, End: own.Lines.End}
	for { // from there on, as much as fits
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, ok := lineRange(data, lines)
		if !ok {
			return b, nil
		}
		price := l.policy.Count(text)
		if price <= limit || lines.Count() == 1 {
			b.put(l, text, lines)
			return b, nil
		}
		n := lines.Count() * limit / price
		lines.End = lines.Start + min(max(n, 1), lines.Count()-1) - 1
	}
}

// sectionOf finds the section of a view.
func sectionOf(sections []doctable.Section, v *SectionView) int {
	for i, s := range sections {
		id := doc.Ref{Path: v.Section.Source.File, Anchor: s.Anchor}.String()
		if id == v.Section.SectionID && s.Lines.Start == v.Section.Source.Lines[0] {
			return i
		}
	}
	return -1
}

// put makes some lines the section's text.
func (b *BriefSection) put(l *Library, text []byte, lines doc.Lines) {
	v := *b.SectionView
	s := &v.Section
	s.Content = strings.TrimPrefix(string(text), "\ufeff")
	s.Source.Lines = [2]int{lines.Start, lines.End}
	s.Tokens, s.Hash = l.policy.Count(text), hashText(hashOf(text))
	b.SectionView = &v
}

// nearest keeps the neighbours that are near.
func (b *BriefSection) nearest(sections []doctable.Section, at int) {
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
