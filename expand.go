package docent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/engine/rank"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Via says through which link an answer was widened by a section.
type Via struct {
	From    string `json:"from"`     // where the link stands
	RefText string `json:"ref_text"` // what the reader sees of it
	Depth   int    `json:"depth"`    // how many links away from a hit
}

// MaxExpand is the most links that a search follows one after another.
const MaxExpand = 3

// perLink is the share of a hit's score that a section one link away gets. It
// orders those sections among themselves; they come after all hits that were
// found by themselves, so that none of these ever makes room for one.
const perLink = 0.5

// Refer adds to the hits of an answer what they refer to.
func (l *Library) Refer(ctx context.Context, a *Answer) error {
	if l.stored != nil {
		return l.stored.refer(ctx, a)
	}
	w, err := l.newWalk()
	if err != nil {
		return err
	}
	for i := range a.Hits {
		if err := ctx.Err(); err != nil {
			return err
		}
		h := &a.Hits[i]
		if h.References, err = w.references(node{h.node.id, 0}, doc.Lines{Start: h.Lines[0], End: h.Lines[1]}); err != nil {
			return err
		}
	}
	return w.err
}

// expand walks breadth first along the links of the hits and adds the sections
// it comes to, as many as there were hits to be.
func (l *Library) expand(ctx context.Context, a *Answer, limit, depth int) error {
	w, err := l.newWalk()
	if err != nil {
		return err
	}
	reader := newPageReader(l)
	seen := map[string]bool{}
	at := slices.Clone(a.Hits)
	for _, h := range at {
		seen[h.Citation] = true
	}
	var more []Hit
	for level := 1; level <= depth && len(at) > 0; level++ {
		var next []Hit
		for _, from := range at {
			if err := ctx.Err(); err != nil {
				return err
			}
			edges, err := w.out(node{from.node.id, 0})
			if err != nil {
				return err
			}
			for _, e := range edges {
				if e.State != graph.Found || e.Line < from.Lines[0] || e.Line > from.Lines[1] || len(more)+len(next) >= 4*limit {
					continue
				}
				f, ok, err := l.chunkOf(node{e.To.File, max(e.To.Section, 0)})
				if err != nil {
					return err
				}
				if !ok {
					continue
				}
				f.Final = from.Score * perLink
				h, ok, err := reader.hit(f)
				if err != nil {
					return err
				}
				if !ok || seen[h.Citation] {
					continue
				}
				seen[h.Citation] = true
				h.Via = &Via{From: w.reference(e).From, RefText: e.Text, Depth: level}
				next = append(next, h)
			}
		}
		more = append(more, next...)
		at = next
	}
	if len(reader.stale) > 0 {
		return &StaleError{reader.stale}
	}
	slices.SortStableFunc(more, func(x, y Hit) int { return cmp.Compare(y.Score, x.Score) })
	a.Hits = append(a.Hits, more[:min(len(more), limit)]...)
	return w.err
}

// chunkOf finds the chunk that a section begins in. There is none for a section
// without any text.
func (l *Library) chunkOf(n node) (found, bool, error) {
	s := l.segs[n.id.Segment]
	file, err := s.cat.File(n.id.Row)
	if err != nil {
		return found{}, false, err
	}
	section, err := s.cat.Section(file.FirstSection + n.section)
	if err != nil {
		return found{}, false, err
	}
	var failed error
	i := sort.Search(file.Chunks, func(i int) bool {
		c, err := s.cat.Chunk(file.FirstChunk + i)
		if err != nil {
			failed = err
		}
		return c.Span.End > section.Span.Start
	})
	if failed != nil || i == file.Chunks {
		return found{}, false, failed
	}
	c, err := s.cat.Chunk(file.FirstChunk + i)
	return found{
		Candidate: rank.Candidate{}, num: uint32(l.first[n.id.Segment] + file.FirstChunk + i), seg: s,
		row: file.FirstChunk + i, chunk: c, file: file, section: section, named: file.FirstSection + n.section,
	}, err == nil, err
}

// through says how a hit came into the answer.
func (v *Via) through() string {
	return fmt.Sprintf("through the link %q in %s", visible.Line(v.RefText), visible.Line(v.From))
}
