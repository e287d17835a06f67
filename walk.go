package docent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A walk answers questions about the links of a library. It serves one goroutine
// and remembers what it has read.
type walk struct {
	l     *Library
	graph *graph.Walker
	files map[graph.ID]*walked
	docs  map[graph.ID]*doc.Document
	links map[graph.ID][]graph.Edge // of files, by section, but for pictures
	named map[graph.ID]bool         // files that the answer names: see standing
	err   error                     // the first that could not be returned where it arose
}

// walked is a file that the walk came to.
type walked struct {
	known
	sections []doctable.Section
}

// A node is a section of a file, with all that stands under it.
type node struct {
	id      graph.ID
	section int
}

// newWalk returns a walk over all files.
func (l *Library) newWalk() (*walk, error) {
	w := &walk{l: l, files: map[graph.ID]*walked{}, docs: map[graph.ID]*doc.Document{}, links: map[graph.ID][]graph.Edge{}, named: map[graph.ID]bool{}}
	segments := make([]graph.Segment, len(l.segs))
	for i, s := range l.segs {
		links, err := s.links()
		if err != nil {
			return nil, err
		}
		segments[i] = graph.Segment{
			Reader: links, Dead: s.dead,
			Page: func(row int) (string, string, error) {
				f, err := s.cat.File(row)
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
	w.graph = graph.Walk(segments)
	return w, nil
}

// walk is newWalk with one file known already.
func (l *Library) walk(k known) (*walk, error) {
	w, err := l.newWalk()
	if err != nil {
		return nil, err
	}
	_, err = w.file(k.id())
	return w, err
}

// walkFrom begins a walk at what a Ref leads to.
func (l *Library) walkFrom(ref string) (place, *walk, node, error) {
	p, err := l.resolve(ref)
	if err != nil {
		return place{}, nil, node{}, err
	}
	w, err := l.newWalk()
	if err != nil {
		return place{}, nil, node{}, err
	}
	at, err := w.node(p)
	return p, w, at, err
}

// id is the name of a file in the graph.
func (k known) id() graph.ID { return graph.ID{Segment: k.seg, Row: k.row} }

func (w *walk) file(id graph.ID) (*walked, error) {
	if f, ok := w.files[id]; ok {
		return f, nil
	}
	k, err := w.l.known(id.Segment, id.Row)
	if err != nil {
		return nil, err
	}
	f := &walked{known: k}
	if f.sections, err = w.l.sections(f.known); err != nil {
		return nil, err
	}
	w.files[id] = f
	return f, nil
}

// node is what a resolved Ref leads to: its section or, for lines, the section
// they begin in.
func (w *walk) node(p place) (node, error) {
	f, err := w.file(p.id())
	if err != nil {
		return node{}, err
	}
	n := node{p.id(), p.section}
	if n.section < 0 {
		n.section = sectionAt(f.sections, p.ref.Lines.Start)
	}
	return n, nil
}

// sectionAt is the section that a line stands in.
func sectionAt(sections []doctable.Section, line int) int {
	at := 0
	for i, s := range sections {
		if s.Lines.Start <= line {
			at = i
		}
	}
	return at
}

// section returns the section of a node. What cannot be read is reported at the
// end, by w.err.
func (w *walk) section(n node) doctable.Section {
	f, err := w.file(n.id)
	if err == nil && n.section >= len(f.sections) {
		err = fmt.Errorf("%w: section %d of %s", graph.ErrFormat, n.section, f.path)
	}
	if err != nil {
		if w.err == nil {
			w.err = err
		}
		return doctable.Section{}
	}
	return f.sections[max(n.section, 0)]
}

func (w *walk) title(n node) string { return w.section(n).Title }

func (w *walk) ref(n node) string {
	anchor := w.section(n).Anchor
	if n.section <= 0 {
		anchor = ""
	}
	if f := w.files[n.id]; f != nil {
		w.named[n.id] = true
		return refIn(f.path, anchor)
	}
	return ""
}

// standing checks that the files the answer names are those of the index: a link is
// known from the index alone, and the file it leads to, or stands in, may be gone.
func (w *walk) standing() error {
	if w.err != nil {
		return w.err
	}
	var stale []string
	for id := range w.named {
		f, err := w.file(id)
		if err == nil {
			err = w.l.stands(f.known)
		}
		if s, ok := errors.AsType[*StaleError](err); ok {
			stale = append(stale, s.Paths...)
		} else if err != nil {
			return err
		}
	}
	if len(stale) == 0 {
		return nil
	}
	slices.Sort(stale)
	return &StaleError{stale}
}

// out returns the references that stand in a node, but for pictures. They are
// resolved once a file: a walk may come to each of its sections.
func (w *walk) out(n node) ([]graph.Edge, error) {
	f, err := w.file(n.id)
	if err != nil || n.section >= len(f.sections) {
		return nil, err
	}
	edges, ok := w.links[n.id]
	if !ok {
		if edges, err = w.graph.Out(n.id); err != nil {
			return nil, err
		}
		edges = slices.DeleteFunc(edges, func(e graph.Edge) bool { return e.Image && e.State != graph.Found })
		slices.SortStableFunc(edges, func(a, b graph.Edge) int { return a.Section - b.Section })
		w.links[n.id] = edges
	}
	bySection := func(e graph.Edge, section int) int { return e.Section - section }
	first, _ := slices.BinarySearchFunc(edges, n.section, bySection)
	end, _ := slices.BinarySearchFunc(edges, lastUnder(f.sections, n.section)+1, bySection)
	return edges[first:end:end], nil
}

// in returns the references that lead to a node from elsewhere.
func (w *walk) in(n node) ([]graph.Edge, error) {
	edges, err := w.graph.In(n.id)
	if err != nil {
		return nil, err
	}
	f, err := w.file(n.id)
	if err != nil || n.section >= len(f.sections) {
		return nil, err
	}
	last := lastUnder(f.sections, n.section)
	return slices.DeleteFunc(slices.Clone(edges), func(e graph.Edge) bool {
		to := max(e.To.Section, 0)
		inside := e.From.File == n.id && e.From.Section >= n.section && e.From.Section <= last
		return to < n.section || to > last || inside
	}), nil
}

// outward describes a reference as the section it stands in sees it.
func (w *walk) outward(e graph.Edge) (Reference, error) {
	r := w.reference(e)
	if e.State != graph.Found && e.State != graph.NoAnchor {
		return r, nil
	}
	to := node{e.To.File, max(e.To.Section, 0)}
	r.Title = w.title(to)
	w.named[to.id] = true
	if e.State == graph.NoAnchor {
		return r, nil
	}
	id := w.ref(to)
	r.SectionID = &id
	var err error
	r.Summary, err = w.summary(to)
	return r, err
}

// inward describes a reference as the section it leads to sees it.
func (w *walk) inward(e graph.Edge) Reference {
	r := w.reference(e)
	from := node{e.From.File, max(e.From.Section, 0)}
	id := w.ref(from)
	r.SectionID, r.Title = &id, w.title(from)
	return r
}

func (w *walk) reference(e graph.Edge) Reference {
	from := node{e.From.File, max(e.From.Section, 0)}
	s := w.section(from)
	ref := doc.Ref{Path: e.From.Path, Anchor: s.Anchor, Lines: doc.Lines{Start: e.Line, End: e.Line}}
	r := Reference{RefText: e.Text, From: ref.String()}
	if e.Kind != graph.Inline {
		r.Kind = e.Kind.String()
	}
	if e.State != graph.Found {
		r.State, r.Target = e.State.String(), e.Target
	}
	return r
}

// doc is the document of a file.
func (w *walk) doc(id graph.ID) (*doc.Document, error) {
	if d, ok := w.docs[id]; ok {
		return d, nil
	}
	f, err := w.file(id)
	if err != nil {
		return nil, err
	}
	data, err := w.l.text(f.known)
	if err != nil {
		return nil, err
	}
	d := markdown.Parse(f.path, data)
	w.docs[id] = &d
	return &d, nil
}

// summary is a section's title and its first sentence, or what a model said of it.
func (w *walk) summary(n node) (string, error) {
	d, err := w.doc(n.id)
	if err != nil || n.section >= len(d.Sections) {
		return "", err
	}
	s := d.Sections[n.section]
	first, ok := w.l.corpus.summarized(d, s)
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
func (w *walk) reach(ctx context.Context, from node, depth int) ([]Step, error) {
	seen := map[string]bool{w.ref(from): true}
	var steps []Step
	for level, at := 1, []node{from}; level <= depth && len(at) > 0 && len(steps) < maxReached; level++ {
		var next []node
		for _, n := range at {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			edges, err := w.out(n)
			if err != nil {
				return nil, err
			}
			for _, e := range edges {
				if e.State != graph.Found || len(steps) == maxReached {
					continue
				}
				to := node{e.To.File, max(e.To.Section, 0)}
				ref := w.ref(to)
				if seen[ref] {
					continue
				}
				seen[ref] = true
				next = append(next, to)
				steps = append(steps, Step{SectionID: ref, Title: w.title(to), Depth: level, From: w.ref(n), RefText: e.Text})
			}
		}
		at = next
	}
	return steps, nil
}

// references are the links of a node that stay in the corpus or should, each
// once; of those within some lines, unless these are zero.
func (w *walk) references(n node, within doc.Lines) ([]Reference, error) {
	edges, err := w.out(n)
	if err != nil {
		return nil, err
	}
	out := []Reference{}
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
	return out, w.err
}
