package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/vector"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// A vectorQuery is a question that is compared with the vectors of a view.
type vectorQuery struct {
	v        *snapshot.View
	segments []segmentQuery
}

// A segmentQuery is a segment and the question as its model has it.
type segmentQuery struct {
	q          *vector.Query
	vectors    *vector.Reader
	first, end uint32 // its chunks, by their numbers in the view
	skip       func(uint32) bool
}

// errNotEmbedded is why search is lexical while vectors are missing.
var errNotEmbedded = &embedding.UnavailableError{Err: errors.New("files that changed have no vectors yet")}

// newVectorQuery embeds a question, with the model of each index that the view is
// joined of. Chunks that are not accepted are not near it.
func newVectorQuery(ctx context.Context, v *snapshot.View, text string, accept func(uint32) bool) (*vectorQuery, error) {
	embedded := map[*snapshot.View]*vector.Query{}
	a := &vectorQuery{v, make([]segmentQuery, len(v.Segments))}
	for i, s := range v.Segments {
		m, err := s.Vectors()
		if err != nil {
			return nil, err
		}
		q := embedded[s.Home]
		if q == nil {
			if q, err = embedQuestion(ctx, s.Home, text); err != nil {
				return nil, err
			}
			embedded[s.Home] = q
		}
		if s.Unembedded {
			return nil, errNotEmbedded
		}
		if m == nil || m.Rows.Len() != s.Table.Chunks() {
			return nil, fmt.Errorf("%w: vectors of %d chunks are missing", segment.ErrDamaged, s.Table.Chunks())
		}
		first := uint32(v.First(i))
		a.segments[i] = segmentQuery{q, m.Rows, first, first + uint32(s.Table.Chunks()), skipRows(s, first, accept)}
	}
	return a, nil
}

// scores returns how near given matches are.
func (a *vectorQuery) scores(matches []index.Match) ([]float32, error) {
	out := make([]float32, len(matches))
	rows, at := make([]uint32, 0, len(matches)), make([]int, 0, len(matches))
	for _, s := range a.segments {
		rows, at = rows[:0], at[:0]
		for i, m := range matches {
			if m.Num >= s.first && m.Num < s.end {
				rows, at = append(rows, m.Num-s.first), append(at, i)
			}
		}
		scores, err := s.vectors.Scores(s.q, rows)
		if err != nil {
			return nil, err
		}
		for i, score := range scores {
			out[at[i]] = score
		}
	}
	return out, nil
}

// nearest returns the k nearest chunks with a similarity of least or more, nearest
// first, by their numbers in the view.
func (a *vectorQuery) nearest(k int, least float32) ([]vector.Match, error) {
	var near []vector.Match
	for _, s := range a.segments {
		found, err := s.vectors.Top(s.q, k, least, s.skip)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			near = append(near, vector.Match{ID: s.first + f.ID, Score: f.Score})
		}
		if near = best(a.v, near, k); len(near) == k {
			least = max(least, near[k-1].Score)
		}
	}
	return near, nil
}

// embedQuestion returns the vector of a question.
func embedQuestion(ctx context.Context, v *snapshot.View, text string) (*vector.Query, error) {
	by, err := v.Embedder()
	if err != nil {
		return nil, err
	}
	values, err := by.Question(ctx, text)
	if err != nil {
		return nil, err
	}
	return vector.NewQuery(values)
}

// skipRows tells which rows are not to be found: those of dead files, and those that
// are not accepted. It is nil when all are.
func skipRows(s *snapshot.Segment, first uint32, accept func(uint32) bool) func(uint32) bool {
	if len(s.Dead) == 0 && accept == nil {
		return nil
	}
	return func(id uint32) bool {
		if file, err := s.Table.FileOf(int(id)); err != nil || s.Dead[file] {
			return true
		}
		return accept != nil && !accept(first+id)
	}
}

// best sorts matches and returns the first k. Equal ones come in the order of their
// paths.
func best(v *snapshot.View, all []vector.Match, k int) []vector.Match {
	if len(v.Segments) < 2 {
		return all
	}
	slices.SortFunc(all, func(a, b vector.Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(v.Place(a.ID), v.Place(b.ID)))
	})
	return all[:min(len(all), k)]
}
