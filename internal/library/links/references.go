package links

import (
	"context"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/snapshot"
)

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
