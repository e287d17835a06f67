package answer

import (
	"errors"
	"fmt"
	"strings"
)

// How answers say which named index they come from.
//
// A Ref into a named index begins with its name: docs:guide/auth.md#jwt. Every
// answer that holds Refs has a method PrefixRefs that puts the name before each of
// them, so that they lead back to the index when they are passed on.

// A Prefixer is an answer whose Refs can be given the name of an index.
type Prefixer interface {
	// PrefixRefs puts the name of an index before every Ref.
	PrefixRefs(index string)
}

// PrefixRefs puts the name of an index before the section's Refs and those around it.
func (v *SectionView) PrefixRefs(index string) {
	p := refPrefix(index + ":")
	p.put(&v.Section.SectionID, v.Section.ParentID)
	if v.Parent != nil {
		p.put(&v.Parent.SectionID)
	}
	for _, leads := range [][]SectionLead{v.Siblings, v.Children} {
		for i := range leads {
			p.put(&leads[i].SectionID)
		}
	}
	p.references(v.References, v.Backlinks)
}

// PrefixRefs puts the name of an index before all Refs.
func (l *Links) PrefixRefs(index string) {
	p := refPrefix(index + ":")
	p.put(&l.Ref)
	p.references(l.Out, l.In, l.Unresolved, l.External)
	for i := range l.Reached {
		p.put(&l.Reached[i].SectionID, &l.Reached[i].From)
	}
}

// PrefixRefs puts the name of an index before all Refs.
func (n *Neighbours) PrefixRefs(index string) {
	p := refPrefix(index + ":")
	p.put(&n.Ref)
	for i := range n.Neighbours {
		p.put(&n.Neighbours[i].SectionID)
	}
}

// PrefixRefs puts the name of an index before all files and Refs.
func (o *Outline) PrefixRefs(index string) {
	p := refPrefix(index + ":")
	for i := range o.Folders {
		p.put(&o.Folders[i].Folder)
	}
	for i := range o.Files {
		p.put(&o.Files[i].File)
		p.outline(o.Files[i].Sections)
	}
}

// PrefixRefs puts the name of an index before all files and Refs.
func (o *Overview) PrefixRefs(index string) {
	for i := range o.Entries {
		refPrefix(index + ":").put(&o.Entries[i].Ref)
	}
}

// PrefixRefs puts the name of an index before the Ref that was read.
func (r *Reading) PrefixRefs(index string) { refPrefix(index + ":").put(&r.Ref) }

// PrefixRefs puts the name of an index before the citation and what became of it.
func (v *Verdict) PrefixRefs(index string) { refPrefix(index+":").put(&v.Citation, &v.Now) }

// PrefixRefs puts the name of an index before the section of each match.
func (m *Matches) PrefixRefs(index string) {
	for i := range m.Matches {
		refPrefix(index + ":").put(&m.Matches[i].Section)
	}
}

// PrefixRefs puts the name of an index before the Ref of each block.
func (s *Snippets) PrefixRefs(index string) {
	for i := range s.Snippets {
		refPrefix(index + ":").put(&s.Snippets[i].Ref)
	}
}

// PrefixRefs puts the name of an index before all ids and Refs.
func (n *Node) PrefixRefs(index string) {
	p := refPrefix(index + ":")
	p.put(&n.ID, &n.FileID, &n.Ref, &n.Next, &n.Parent)
	for _, list := range [][]string{n.Children, n.Links} {
		for i := range list {
			p.put(&list[i])
		}
	}
}

// PrefixRefs puts the name of an index before all ids and Refs.
func (g *Graph) PrefixRefs(index string) {
	p := refPrefix(index + ":")
	for i := range g.Nodes {
		g.Nodes[i].PrefixRefs(index)
	}
	for i := range g.Edges {
		p.put(&g.Edges[i].From, &g.Edges[i].To)
	}
}

// PrefixRefs puts the name of an index before the Ref of each chunk.
func (f *FileChunks) PrefixRefs(index string) {
	for i := range f.List {
		refPrefix(index + ":").put(&f.List[i].Ref)
	}
}

// PrefixRefs puts the name of an index before the Ref of each problem.
func (h *Health) PrefixRefs(index string) {
	for i := range h.Problems {
		refPrefix(index + ":").put(&h.Problems[i].Ref)
	}
}

// PrefixRefs puts the name of an index before the Refs of each section.
func (c *Changes) PrefixRefs(index string) {
	for i := range c.Sections {
		refPrefix(index+":").put(&c.Sections[i].Ref, &c.Sections[i].Was)
	}
}

// PrefixRefs puts the name of an index before the name and what comes nearest to it.
func (e *NotFoundError) PrefixRefs(index string) {
	if errors.Is(e.Err, ErrNoField) || errors.Is(e.Err, ErrNoValue) {
		return // those are no Refs
	}
	p := refPrefix(index + ":")
	p.put(&e.Name)
	for i := range e.Nearest {
		p.put(&e.Nearest[i])
	}
}

// PrefixRefs says of a hit which index it comes from; "" means the project's own
// documents. It also fills in what is only shown of hits from named indexes.
func (h *Hit) PrefixRefs(index string) {
	h.Index, h.Snippet = index, h.Body
	if len(h.Body) > maxSnippet {
		h.Snippet = strings.ToValidUTF8(h.Body[:maxSnippet], "") + "..."
	}
	h.Source = fmt.Sprintf("%s#L%d-L%d", h.File, h.Lines[0], h.Lines[1])
	if index == "" {
		return
	}
	p := refPrefix(index + ":")
	if h.Via != nil {
		p.put(&h.Via.From)
	}
	p.put(&h.Ref, &h.Citation, &h.Record.SectionID)
	p.references(h.References)
	if h.Record.ParentID != nil {
		id := index + ":" + *h.Record.ParentID
		h.Record.ParentID = &id
	}
}

// maxSnippet is how much of a chunk a snippet shows, in bytes.
const maxSnippet = 1200

// A refPrefix is the name of an index as Refs begin with it.
type refPrefix string

func (p refPrefix) put(refs ...*string) {
	for _, r := range refs {
		if r != nil && *r != "" {
			*r = string(p) + *r
		}
	}
}

func (p refPrefix) references(lists ...[]Reference) {
	for _, list := range lists {
		for i := range list {
			p.put(list[i].SectionID, &list[i].From)
		}
	}
}

func (p refPrefix) outline(sections []OutlineSection) {
	for i := range sections {
		p.put(&sections[i].Ref)
		p.outline(sections[i].Children)
	}
}
