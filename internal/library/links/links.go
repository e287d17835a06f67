package links

import (
	"context"
	"fmt"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/graph"
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
