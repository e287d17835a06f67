package links

import (
	"context"
	"fmt"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// MaxDepth is the most links a walk can follow one after another.
const MaxDepth = 5

// maxReached limits the sections that a walk returns.
const maxReached = 500

// Links returns what the section a Ref leads to links to, and what links to it.
// With a depth above 1 it walks on along the links, nearest sections first.
func Links(ctx context.Context, v *snapshot.View, ref string, depth int) (*answer.Links, error) {
	if depth < 0 || depth > MaxDepth {
		return nil, fmt.Errorf("depth is %d: must lie between 1 and %d", depth, MaxDepth)
	}
	_, w, at, err := walkFrom(v, ref)
	if err != nil {
		return nil, err
	}
	out := &answer.Links{Ref: w.ref(at), Title: w.title(at), Out: []answer.Reference{}, In: []answer.Reference{}, Unresolved: []answer.Reference{}, External: []answer.Reference{}}
	edges, err := w.Out(at)
	if err != nil {
		return nil, err
	}
	for _, e := range edges {
		r, err := w.outward(e)
		if err != nil {
			return nil, err
		}
		switch e.State {
		case graph.Found:
			out.Out = append(out.Out, r)
		case graph.External:
			out.External = append(out.External, r)
		case graph.Asset: // an image or a download: "docent check" looks after those
		default:
			out.Unresolved = append(out.Unresolved, r)
		}
	}
	if edges, err = w.In(at); err != nil {
		return nil, err
	}
	for _, e := range edges {
		out.In = append(out.In, w.Inward(e))
	}
	if depth > 1 {
		if out.Reached, err = w.reach(ctx, at, depth); err != nil {
			return nil, err
		}
	}
	return out, w.checkCited()
}

// EachLink calls fn with the two files of every link that leads to a document, in
// the order of files and lines. Unlike Links it reads no document.
func EachLink(ctx context.Context, v *snapshot.View, fn func(from, to string)) error {
	w, err := NewWalk(v)
	if err != nil {
		return err
	}
	files, err := v.Files()
	if err != nil {
		return err
	}
	path := make(map[graph.ID]string, len(files))
	for _, k := range files {
		path[k.ID()] = k.Path
	}
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		edges, err := w.Graph.Out(k.ID())
		if err != nil {
			return err
		}
		for _, e := range edges {
			if e.State == graph.Found || e.State == graph.NoAnchor {
				fn(k.Path, path[e.To.File])
			}
		}
	}
	return w.Err
}

// References returns what each of some places refers to: links that stay in the
// corpus, or should.
func References(ctx context.Context, v *snapshot.View, at []snapshot.Place) ([][]answer.Reference, error) {
	out := make([][]answer.Reference, len(at))
	walks := NewWalks(v)
	for i, p := range at {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w, err := walks.byName(p.Index)
		if err != nil {
			return nil, err
		}
		f, ok, err := w.v.Find(p.File)
		if err != nil {
			return nil, err
		}
		if !ok {
			out[i] = []answer.Reference{}
			continue
		}
		if out[i], err = w.References(Node{f.ID(), 0}, p.Lines); err != nil {
			return nil, err
		}
	}
	for _, w := range walks.byHome {
		if err := w.checkCited(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Backlinks returns the first links to a section from elsewhere, and how many there
// are.
func Backlinks(_ context.Context, v *snapshot.View, at snapshot.Place, most int) ([]answer.Reference, int, error) {
	w, err := NewWalk(v)
	if err != nil {
		return nil, 0, err
	}
	n, err := w.find(at)
	if err != nil {
		return nil, 0, err
	}
	edges, err := w.In(n)
	if err != nil {
		return nil, 0, err
	}
	out := []answer.Reference{}
	for _, e := range edges[:min(len(edges), most)] {
		out = append(out, w.Inward(e))
	}
	return out, len(edges), w.checkCited()
}

// find returns the section of a place.
func (w *Walk) find(p snapshot.Place) (Node, error) {
	f, ok, err := w.v.Find(p.File)
	if err != nil || !ok {
		return Node{}, err
	}
	file, err := w.file(f.ID())
	if err != nil {
		return Node{}, err
	}
	for i, s := range file.sections {
		if s.Lines.Start == p.Lines.Start && answer.RefIn(f.Path, s.Anchor) == p.SectionID {
			return Node{f.ID(), i}, nil
		}
	}
	return Node{f.ID(), place.SectionAt(file.sections, p.Lines.Start)}, nil
}

// Walks are those of the indexes that a view is joined of: links lead to sections of
// the same index.
type Walks struct {
	v      *snapshot.View
	byHome map[*snapshot.View]*Walk
}

// NewWalks returns walks over a view. Each is made when it is first asked for.
func NewWalks(v *snapshot.View) *Walks { return &Walks{v, map[*snapshot.View]*Walk{}} }

// Of returns the walk over the index of a segment.
func (w *Walks) Of(s *snapshot.Segment) (*Walk, error) {
	if walk, ok := w.byHome[s.Home]; ok {
		return walk, nil
	}
	walk, err := NewWalk(s.Home)
	if err == nil {
		w.byHome[s.Home] = walk
	}
	return walk, err
}

// byName returns the walk over the index of that name.
func (w *Walks) byName(index string) (*Walk, error) {
	for _, s := range w.v.Segments {
		if s.Name == index {
			return w.Of(s)
		}
	}
	return w.Of(w.v.Segments[0])
}

// Err returns the first error that could not be returned where it arose.
func (w *Walks) Err() error {
	for _, walk := range w.byHome {
		if walk.Err != nil {
			return walk.Err
		}
	}
	return nil
}
