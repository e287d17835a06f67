// Package links answers what a section links to, what links to it, what is related to
// it, and which links are broken.
package links

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A Walk follows the links of one index. It serves one goroutine and caches what it
// has read.
type Walk struct {
	v     *snapshot.View
	Graph *graph.Walker
	files map[graph.ID]*fileSections
	docs  map[graph.ID]*doc.Document
	links map[graph.ID][]graph.Edge // of files, by section, but for pictures
	cited map[graph.ID]bool         // files that the answer names: see checkCited
	Err   error                     // the first that could not be returned where it arose
}

// fileSections is a file and its sections.
type fileSections struct {
	snapshot.File
	sections []doctable.Section
}

// A Node is a section of a file, with those under it.
type Node struct {
	ID      graph.ID
	Section int
}

// NewWalk returns a walk over all files.
func NewWalk(v *snapshot.View) (*Walk, error) {
	w := &Walk{v: v, files: map[graph.ID]*fileSections{}, docs: map[graph.ID]*doc.Document{}, links: map[graph.ID][]graph.Edge{}, cited: map[graph.ID]bool{}}
	segments := make([]graph.Segment, len(v.Segments))
	for i, s := range v.Segments {
		links, err := s.Links()
		if err != nil {
			return nil, err
		}
		segments[i] = graph.Segment{
			Reader: links, Dead: s.Dead,
			Page: func(row int) (string, string, error) {
				f, err := s.Table.File(row)
				return f.Path, f.Title, err
			},
			Sections: func(row int) ([]graph.Section, error) {
				f, err := w.file(graph.ID{Segment: i, Row: row})
				if err != nil {
					return nil, err
				}
				out := make([]graph.Section, len(f.sections))
				for k, s := range f.sections {
					out[k] = graph.Section{Title: s.Title, Anchor: s.Anchor, Level: s.Level, Parent: s.Parent, Lines: s.Lines}
				}
				return out, nil
			},
		}
	}
	w.Graph = graph.Walk(segments)
	return w, nil
}

// walkFrom begins a walk at what a Ref leads to.
func walkFrom(v *snapshot.View, ref string) (place.Place, *Walk, Node, error) {
	p, err := place.Resolve(v, ref)
	if err != nil {
		return place.Place{}, nil, Node{}, err
	}
	w, err := NewWalk(v)
	if err != nil {
		return place.Place{}, nil, Node{}, err
	}
	at, err := w.node(p)
	return p, w, at, err
}

func (w *Walk) file(id graph.ID) (*fileSections, error) {
	if f, ok := w.files[id]; ok {
		return f, nil
	}
	k, err := w.v.File(id.Segment, id.Row)
	if err != nil {
		return nil, err
	}
	f := &fileSections{File: k}
	if f.sections, err = w.v.Sections(f.File); err != nil {
		return nil, err
	}
	w.files[id] = f
	return f, nil
}

// node is what a resolved Ref leads to: its section or, for lines, the section
// they begin in.
func (w *Walk) node(p place.Place) (Node, error) {
	f, err := w.file(p.ID())
	if err != nil {
		return Node{}, err
	}
	n := Node{p.ID(), p.Section}
	if n.Section < 0 {
		n.Section = place.SectionAt(f.sections, p.Ref.Lines.Start)
	}
	return n, nil
}

// section returns the section of a node. An error is recorded in w.Err.
func (w *Walk) section(n Node) doctable.Section {
	f, err := w.file(n.ID)
	if err == nil && n.Section >= len(f.sections) {
		err = fmt.Errorf("%w: section %d of %s", graph.ErrFormat, n.Section, f.Path)
	}
	if err != nil {
		if w.Err == nil {
			w.Err = err
		}
		return doctable.Section{}
	}
	return f.sections[max(n.Section, 0)]
}

func (w *Walk) title(n Node) string { return w.section(n).Title }

func (w *Walk) ref(n Node) string {
	anchor := w.section(n).Anchor
	if n.Section <= 0 {
		anchor = ""
	}
	if f := w.files[n.ID]; f != nil {
		w.cited[n.ID] = true
		return answer.RefIn(f.Path, anchor)
	}
	return ""
}

// checkCited checks that the files the answer names are unchanged: links are read from
// the index alone, and a file at either end may be gone.
func (w *Walk) checkCited() error {
	if w.Err != nil {
		return w.Err
	}
	var stale snapshot.Stale
	ids := slices.SortedFunc(maps.Keys(w.cited), func(a, b graph.ID) int {
		return cmp.Or(cmp.Compare(a.Segment, b.Segment), cmp.Compare(a.Row, b.Row))
	})
	for _, id := range ids {
		f, err := w.file(id)
		if err == nil {
			err = w.v.Check(f.File)
		}
		if err != nil && !stale.Skip(err) {
			return err
		}
	}
	return stale.Err()
}

// Out returns the references in a node, except images that are no documents. They are
// resolved once a file: a walk may come to each of its sections.
func (w *Walk) Out(n Node) ([]graph.Edge, error) {
	f, err := w.file(n.ID)
	if err != nil || n.Section >= len(f.sections) {
		return nil, err
	}
	edges, ok := w.links[n.ID]
	if !ok {
		if edges, err = w.Graph.Out(n.ID); err != nil {
			return nil, err
		}
		edges = slices.DeleteFunc(edges, func(e graph.Edge) bool { return e.Image && e.State != graph.Found })
		slices.SortStableFunc(edges, func(a, b graph.Edge) int { return a.Section - b.Section })
		w.links[n.ID] = edges
	}
	bySection := func(e graph.Edge, section int) int { return e.Section - section }
	first, _ := slices.BinarySearchFunc(edges, n.Section, bySection)
	end, _ := slices.BinarySearchFunc(edges, place.LastUnder(f.sections, n.Section)+1, bySection)
	return edges[first:end:end], nil
}

// In returns the references that lead to a node from elsewhere.
func (w *Walk) In(n Node) ([]graph.Edge, error) {
	edges, err := w.Graph.In(n.ID)
	if err != nil {
		return nil, err
	}
	f, err := w.file(n.ID)
	if err != nil || n.Section >= len(f.sections) {
		return nil, err
	}
	last := place.LastUnder(f.sections, n.Section)
	return slices.DeleteFunc(slices.Clone(edges), func(e graph.Edge) bool {
		to := max(e.To.Section, 0)
		inside := e.From.File == n.ID && e.From.Section >= n.Section && e.From.Section <= last
		return to < n.Section || to > last || inside
	}), nil
}

// outward describes a reference as the section it is in sees it.
func (w *Walk) outward(e graph.Edge) (answer.Reference, error) {
	r := w.Reference(e)
	if e.State != graph.Found && e.State != graph.NoAnchor {
		return r, nil
	}
	to := Node{e.To.File, max(e.To.Section, 0)}
	r.Title = w.title(to)
	w.cited[to.ID] = true
	if e.State == graph.NoAnchor {
		return r, nil
	}
	id := w.ref(to)
	r.SectionID = &id
	var err error
	r.Summary, err = w.summary(to)
	return r, err
}

// Inward describes a reference as the section it leads to sees it.
func (w *Walk) Inward(e graph.Edge) answer.Reference {
	r := w.Reference(e)
	from := Node{e.From.File, max(e.From.Section, 0)}
	id := w.ref(from)
	r.SectionID, r.Title = &id, w.title(from)
	return r
}

func (w *Walk) Reference(e graph.Edge) answer.Reference {
	from := Node{e.From.File, max(e.From.Section, 0)}
	s := w.section(from)
	ref := doc.Ref{Path: e.From.Path, Anchor: s.Anchor, Lines: doc.Lines{Start: e.Line, End: e.Line}}
	r := answer.Reference{RefText: e.Text, From: ref.String()}
	if e.Kind != graph.Inline {
		r.Kind = e.Kind.String()
	}
	if e.State != graph.Found {
		r.State, r.Target = e.State.String(), e.Target
	}
	return r
}

// Doc is the document of a file.
func (w *Walk) Doc(id graph.ID) (*doc.Document, error) {
	if d, ok := w.docs[id]; ok {
		return d, nil
	}
	f, err := w.file(id)
	if err != nil {
		return nil, err
	}
	data, err := w.v.Text(f.File)
	if err != nil {
		return nil, err
	}
	d := markdown.Parse(f.Path, data)
	w.docs[id] = &d
	return &d, nil
}

// summary is a section's title and its first sentence, or a model's summary of it.
func (w *Walk) summary(n Node) (string, error) {
	d, err := w.Doc(n.ID)
	if err != nil || n.Section >= len(d.Sections) {
		return "", err
	}
	s := d.Sections[n.Section]
	first, ok := "", false
	if known := w.v.Corpus.Summary; known != nil {
		first, ok = known(d, s)
	}
	if !ok {
		first = firstSentence(d, s)
	}
	switch {
	case first == "":
		return s.Title, nil
	case s.Title == "":
		return first, nil
	}
	return s.Title + ": " + first, nil
}

// firstSentence is that of the first paragraph of a section that says something:
// three words at least, so that a line of badges or macros is passed over.
func firstSentence(d *doc.Document, s doc.Section) string {
	i, _ := slices.BinarySearchFunc(d.Blocks, s.Span.Start, func(b doc.Block, at int) int { return b.Span.Start - at })
	for _, b := range d.Blocks[i:] {
		if b.Span.Start >= s.Span.End {
			break
		}
		if b.Kind != doc.Paragraph {
			continue
		}
		first := graph.FirstSentence(string(markdown.AppendText(nil, d, b.Span)))
		if strings.Count(first, " ") >= 2 {
			return first
		}
	}
	return ""
}

// reach walks along the links of a node, breadth first.
func (w *Walk) reach(ctx context.Context, from Node, depth int) ([]answer.Step, error) {
	seen := map[string]bool{w.ref(from): true}
	var steps []answer.Step
	for level, at := 1, []Node{from}; level <= depth && len(at) > 0 && len(steps) < maxReached; level++ {
		var next []Node
		for _, n := range at {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			edges, err := w.Out(n)
			if err != nil {
				return nil, err
			}
			for _, e := range edges {
				if e.State != graph.Found || len(steps) == maxReached {
					continue
				}
				to := Node{e.To.File, max(e.To.Section, 0)}
				ref := w.ref(to)
				if seen[ref] {
					continue
				}
				seen[ref] = true
				next = append(next, to)
				steps = append(steps, answer.Step{SectionID: ref, Title: w.title(to), Depth: level, From: w.ref(n), RefText: e.Text})
			}
		}
		at = next
	}
	return steps, nil
}

// References are the links of a node that stay in the corpus or should, each
// once; of those within some lines, unless these are zero.
func (w *Walk) References(n Node, within doc.Lines) ([]answer.Reference, error) {
	edges, err := w.Out(n)
	if err != nil {
		return nil, err
	}
	out := []answer.Reference{}
	type key struct{ target, text string }
	seen := map[key]bool{}
	for _, e := range edges {
		k := key{e.Target, e.Text}
		outside := within.Start > 0 && (e.Line < within.Start || e.Line > within.End)
		if e.State == graph.External || e.State == graph.Asset || seen[k] || outside {
			continue
		}
		seen[k] = true
		r, err := w.outward(e)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, w.Err
}
