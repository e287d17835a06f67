package docent

import (
	"context"

	"github.com/docent-md/docent/internal/engine/graph"
)

// EachLink calls fn with the two files of every link that leads to a document, in
// the order of files and lines. Unlike Links it reads no document.
func (l *Library) EachLink(ctx context.Context, fn func(from, to string)) error {
	w, err := l.newWalk()
	if err != nil {
		return err
	}
	files, err := l.live()
	if err != nil {
		return err
	}
	path := make(map[graph.ID]string, len(files))
	for _, k := range files {
		path[k.id()] = k.path
	}
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		edges, err := w.graph.Out(k.id())
		if err != nil {
			return err
		}
		for _, e := range edges {
			if e.State == graph.Found || e.State == graph.NoAnchor {
				fn(k.path, path[e.To.File])
			}
		}
	}
	return w.err
}
