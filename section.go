package docent

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/text/visible"
)

// A SectionView is a section and where it stands among others.
type SectionView struct {
	Section  Record        `json:"section"` // with all that stands under it
	Parent   *SectionLead  `json:"parent"`  // null for a document
	Siblings []SectionLead `json:"siblings"`
	Children []SectionLead `json:"children"`

	References []Reference `json:"references"`  // links in it that stay in the corpus, or should
	Backlinks  []Reference `json:"backlinks"`   // the first links to it from elsewhere
	LinkedFrom int         `json:"linked_from"` // how many there are of those
}

// maxBacklinks is how many links to a section are shown with it. "docent links"
// shows all of them.
const maxBacklinks = 50

// A SectionLead is a section without its text.
type SectionLead struct {
	SectionID string `json:"section_id"` // a Ref
	Title     string `json:"title"`
	Tokens    int    `json:"tokens"` // with all that stands under it
}

// Section returns the section a Ref leads to, whole, and its neighbours. A file
// is its own first section; lines and code are the section they begin in.
func (l *Library) Section(ctx context.Context, ref string) (*SectionView, error) {
	if l.stored != nil {
		return l.stored.section(ctx, ref)
	}
	p, err := l.resolve(ref)
	if err != nil {
		return nil, err
	}
	data, err := l.text(p.known)
	if err != nil {
		return nil, err
	}
	sections, err := l.sections(p.known)
	if err != nil {
		return nil, err
	}
	from := p.ref.Lines.Start
	if p.code > 0 {
		code, err := codeLines(data, p)
		if err != nil {
			return nil, err
		}
		from = code.Start
	}
	at := p.section
	if at < 0 {
		at = sectionAt(sections, from)
	}
	lead := func(i int) SectionLead {
		return SectionLead{
			SectionID: doc.Ref{Path: p.path, Anchor: sections[i].Anchor}.String(),
			Title:     sections[i].Title,
			Tokens:    l.policy.Count(subtreeText(data, sections, i)),
		}
	}
	v := &SectionView{Siblings: []SectionLead{}, Children: []SectionLead{}}
	v.Section, err = l.sectionRecord(p.known, data, sections, at)
	if err != nil {
		return nil, err
	}
	parent := sections[at].Parent
	if parent >= 0 {
		up := lead(parent)
		v.Parent = &up
	}
	for i, s := range sections {
		if err := now(ctx, i); err != nil {
			return nil, err
		}
		switch {
		case i != at && i > 0 && s.Parent == parent:
			v.Siblings = append(v.Siblings, lead(i))
		case s.Parent == at && i > 0:
			v.Children = append(v.Children, lead(i))
		}
	}
	return v, l.sectionLinks(v, p.known, at)
}

// sectionLinks adds what a section links to, and what links to it.
func (l *Library) sectionLinks(v *SectionView, k known, at int) error {
	w, err := l.walk(k)
	if err != nil {
		return err
	}
	if v.References, err = w.references(node{k.id(), at}, doc.Lines{}); err != nil {
		return err
	}
	edges, err := w.in(node{k.id(), at})
	if err != nil {
		return err
	}
	v.LinkedFrom = len(edges)
	v.Backlinks = []Reference{}
	for _, e := range edges[:min(len(edges), maxBacklinks)] {
		v.Backlinks = append(v.Backlinks, w.inward(e))
	}
	return w.standing()
}

// sectionRecord describes a section with all that stands under it.
func (l *Library) sectionRecord(k known, data []byte, sections []doctable.Section, at int) (Record, error) {
	trail, err := l.segs[k.seg].cat.Trail(k.file, k.file.FirstSection+at)
	if err != nil {
		return Record{}, err
	}
	text := subtreeText(data, sections, at)
	lines := subtree(sections, at)
	r := Record{
		SectionID: doc.Ref{Path: k.path, Anchor: sections[at].Anchor}.String(), Title: sections[at].Title,
		Path: strings.Join(trail, trailMark), Headings: trail, Content: strings.TrimPrefix(string(text), "\ufeff"),
		Source: Source{ID: k.path, Name: k.file.Title, File: k.path, Lines: [2]int{lines.Start, lines.End}},
		Tokens: l.policy.Count(text), Hash: hashText(hashOf(text)),
	}
	if up := sections[at].Parent; up >= 0 {
		id := doc.Ref{Path: k.path, Anchor: sections[up].Anchor}.String()
		r.ParentID = &id
	}
	return r, nil
}

// subtreeText is the text of a section and of those under it.
func subtreeText(data []byte, sections []doctable.Section, at int) []byte {
	last := lastUnder(sections, at)
	return data[min(sections[at].Span.Start, len(data)):min(sections[last].Span.End, len(data))]
}

// WriteText writes the section, and the Refs and prices of its neighbours.
func (v *SectionView) WriteText(w io.Writer) error {
	s := v.Section
	b := &strings.Builder{}
	ref := doc.Ref{Path: s.Source.File, Lines: doc.Lines{Start: s.Source.Lines[0], End: s.Source.Lines[1]}, Hash: s.Hash}
	index, rest, _ := strings.Cut(s.SectionID, s.Source.File)
	ref.Anchor = strings.TrimPrefix(rest, "#")
	fmt.Fprintf(b, "# %s (%s)\n# %s\n\n%s\n\n---\n", visible.Line(index+ref.String()), plural(s.Tokens, "token"),
		visible.Line(strings.Join(s.Headings, " > ")), strings.Trim(visible.Text(s.Content), "\n"))
	if v.Parent != nil {
		writeSectionLeads(b, "parent", []SectionLead{*v.Parent})
	}
	writeSectionLeads(b, "children", v.Children)
	writeSectionLeads(b, "siblings", v.Siblings)
	writeReferences(b, "links to", v.References, maxLines)
	writeReferences(b, "linked from", v.Backlinks, maxLines)
	if more := max(len(v.References), v.LinkedFrom) - maxLines; more > 0 {
		fmt.Fprintf(b, "  all links: docent links %s\n", shellQuote(visible.Line(s.SectionID)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// maxLeads is how many neighbours of a kind are shown with a section; JSON has all.
const maxLeads = 40

// maxLines is how many links of a kind are shown with a section.
const maxLines = 10

func writeSectionLeads(b *strings.Builder, name string, leads []SectionLead) {
	if len(leads) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", name)
	for i, s := range leads {
		if i == maxLeads {
			fmt.Fprintf(b, "  and %d more\n", len(leads)-i)
			break
		}
		fmt.Fprintf(b, "  %s  %s  (%s)\n", visible.Line(s.SectionID), visible.Line(s.Title), plural(s.Tokens, "token"))
	}
}
