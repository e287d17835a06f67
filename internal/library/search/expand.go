package search

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/library/links"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// perLink is the share of a hit's score that a section one link away gets. It orders
// those sections among themselves; they come after all hits that were found by
// themselves, so that none of these ever makes room for one.
const perLink = 0.5

// expand walks breadth first along the links of the hits and adds the sections it
// comes to, as many as there may be hits.
func (r *run) expand(ctx context.Context) error {
	if r.q.Expand == 0 {
		return nil
	}
	e := &expansion{r: r, walks: links.NewWalks(r.v), seen: map[string]bool{}}
	for _, h := range r.hits {
		e.seen[h.id()] = true
	}
	at := r.hits
	for level := 1; level <= r.q.Expand && len(at) > 0; level++ {
		var next []hit
		for _, from := range at {
			if err := ctx.Err(); err != nil {
				return err
			}
			linked, err := e.linked(from, level, 4*r.limit-len(e.added)-len(next))
			if err != nil {
				return err
			}
			next = append(next, linked...)
		}
		e.added = append(e.added, next...)
		at = next
	}
	if err := r.texts.Err(); err != nil {
		return err
	}
	slices.SortStableFunc(e.added, func(x, y hit) int { return cmp.Compare(y.Score, x.Score) })
	r.hits = append(r.hits, e.added[:min(len(e.added), r.limit)]...)
	return e.walks.Err()
}

// An expansion collects the sections that hits link to.
type expansion struct {
	r     *run
	walks *links.Walks
	seen  map[string]bool // ids of hits
	added []hit
}

// linked returns the sections that a hit links to and that are not in the answer yet,
// up to most of them.
func (e *expansion) linked(from hit, level, most int) ([]hit, error) {
	w, err := e.walks.Of(from.from.Segment)
	if err != nil {
		return nil, err
	}
	edges, err := w.Out(links.Node{ID: from.from.ID()})
	if err != nil {
		return nil, err
	}
	var out []hit
	for _, edge := range edges {
		if edge.State != graph.Found || edge.Line < from.Lines[0] || edge.Line > from.Lines[1] || len(out) >= most {
			continue
		}
		c, ok, err := chunkAt(e.r.v, from.from.Segment.Home, links.Node{ID: edge.To.File, Section: max(edge.To.Section, 0)})
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		c.Final = from.Score * perLink
		h, ok, err := newHit(e.r.texts, c)
		if err != nil {
			return nil, err
		}
		if !ok || e.seen[h.id()] {
			continue
		}
		e.seen[h.id()] = true
		h.Match = from.Match
		h.Via = &answer.Via{From: w.Reference(edge).From, RefText: edge.Text, Depth: level}
		out = append(out, h)
	}
	return out, nil
}

// chunkAt finds the chunk of v that a section of one of its indexes begins in. There
// is none for a section without any text.
func chunkAt(v, home *snapshot.View, n links.Node) (retrieve.Ranked, bool, error) {
	s := segmentOf(v, home, n.ID.Segment)
	file, err := s.Table.File(n.ID.Row)
	if err != nil {
		return retrieve.Ranked{}, false, err
	}
	section, err := s.Table.Section(file.FirstSection + n.Section)
	if err != nil {
		return retrieve.Ranked{}, false, err
	}
	var failed error
	i := sort.Search(file.Chunks, func(i int) bool {
		c, err := s.Table.Chunk(file.FirstChunk + i)
		if err != nil {
			failed = err
		}
		return c.Span.End > section.Span.Start
	})
	if failed != nil || i == file.Chunks {
		return retrieve.Ranked{}, false, failed
	}
	row := file.FirstChunk + i
	c, err := s.Table.Chunk(row)
	return retrieve.Ranked{
		Num: uint32(v.First(s.Number) + row), Segment: s, Row: row, Chunk: c, File: file,
		Section: section, Named: file.FirstSection + n.Section,
	}, err == nil, err
}

// segmentOf returns the segment of a view that is one of another view it is joined of.
func segmentOf(v, home *snapshot.View, number int) *snapshot.Segment {
	i := slices.IndexFunc(v.Segments, func(s *snapshot.Segment) bool { return s.Home == home && s.HomeNumber == number })
	return v.Segments[i]
}
