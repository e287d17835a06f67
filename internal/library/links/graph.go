package links

import (
	"context"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// Graph returns all nodes of the files below some paths, in reading order, and the edges
// between them. A node has the embedding of the chunk it begins in.
func Graph(ctx context.Context, v *snapshot.View, o answer.GraphOptions) (*answer.Graph, error) {
	below, err := place.Below(v, o.Paths)
	if err != nil {
		return nil, err
	}
	w, err := NewWalk(v)
	if err != nil {
		return nil, err
	}
	files, err := v.Files()
	if err != nil {
		return nil, err
	}
	out := &answer.Graph{Nodes: []answer.Node{}, Edges: []answer.GraphEdge{}}
	if o.Embeddings {
		if m, err := v.Vectors(); err != nil {
			return nil, err
		} else if m != nil {
			out.Model = m.Model.Fingerprint
		}
	}
	var stale snapshot.Stale
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !below(f.Path) {
			continue
		}
		g, err := newNodes(v, w, f)
		if stale.Skip(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		first := len(out.Nodes)
		if err := g.addAll(out); err != nil {
			return nil, err
		}
		if o.Embeddings && out.Model != "" {
			if err := g.embed(v, f, out.Nodes[first:]); err != nil {
				return nil, err
			}
		}
		for i := first; i < len(out.Nodes); i++ {
			n := &out.Nodes[i]
			if i > first {
				out.Edges = append(out.Edges, answer.GraphEdge{From: out.Nodes[i-1].ID, To: n.ID, Kind: answer.SiblingEdge})
			}
			for _, to := range n.Links {
				out.Edges = append(out.Edges, answer.GraphEdge{From: n.ID, To: to, Kind: answer.FileEdge})
			}
		}
	}
	if err := stale.Err(); err != nil {
		return nil, err
	}
	return out, w.Err
}

// addAll adds the nodes of a file: each section, then its code blocks.
func (g *nodes) addAll(to *answer.Graph) error {
	for at, id := range g.ids {
		if id == "" {
			continue
		}
		n := g.section(at)
		to.Nodes = append(to.Nodes, *n)
		span := doc.Span{Start: g.d.Sections[at].Span.Start, End: nodeEnd(&g.d, g.ids, at)}
		for i := range codeOf(&g.d, span) {
			c, err := g.code(at, i+1)
			if err != nil {
				return err
			}
			to.Nodes = append(to.Nodes, *c)
		}
	}
	return nil
}

// embed gives the nodes of a file the vectors of the chunks they begin in, and the first
// that of the file.
func (g *nodes) embed(v *snapshot.View, f snapshot.File, all []answer.Node) error {
	file, err := retrieve.FileVector(v, f)
	if err != nil {
		return err
	}
	s := v.Segments[f.Seg]
	m, err := s.Vectors()
	if err != nil || m == nil {
		return err
	}
	starts := map[string]int{}
	for at, id := range g.ids {
		starts[id] = g.d.Sections[at].Span.Start
	}
	for i := range all {
		n := &all[i]
		start, ok := starts[n.ID]
		if !ok {
			start = starts[n.Parent] // a code block
		}
		row := f.Info.FirstChunk
		for k := range f.Info.Chunks {
			c, err := s.Table.Chunk(f.Info.FirstChunk + k)
			if err != nil {
				return err
			}
			if c.Span.Start <= start {
				row = f.Info.FirstChunk + k
			}
		}
		if row < m.Rows.Len() {
			if n.Embedding, err = m.Rows.Row(row); err != nil {
				return err
			}
		}
		if i == 0 {
			n.FileEmbedding = file
		}
	}
	return nil
}
