package local

import (
	"context"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// Status says what is indexed, where, how fresh it is and what was skipped.
func (s *Snapshot) Status(context.Context) (*answer.Status, error) {
	v := s.view
	out := &answer.Status{
		Root: v.Corpus.Dir, Paths: v.Corpus.Config.Paths, Config: v.Corpus.File, Index: s.place,
		Files: v.FileCount(), Chunks: v.Searcher.Len(), Segments: len(v.Segments), Model: ModelName(v),
		Built: v.Meta.Built, Updated: v.Meta.Updated, Freshness: v.Freshness(),
	}
	if IsAdapted(v) && !v.IsJoined() {
		out.Changed, _ = ChangedSince(v, snapshot.DeadRows(v.Segments), 0)
	}
	if out.Skipped, out.Skips = v.Skips(); out.Skipped == nil {
		out.Skipped = []answer.Skip{}
	}
	var err error
	if out.PartialFiles, out.Partial, err = partial(v); err != nil {
		return nil, err
	}
	for _, g := range v.Segments {
		out.IndexSize += g.Size()
		for row := range g.Table.Files() {
			if first, end, err := g.Table.SectionsOf(row); err == nil && !g.Dead[row] {
				out.Sections += end - first
			}
		}
	}
	return out, nil
}

// ModelName says what the vectors of a view come from, for people.
func ModelName(v *snapshot.View) string {
	m, err := v.Vectors()
	switch {
	case err == nil && m == nil && v.Meta.Model.Deferred && v.Meta.Model.Kind == embedding.Remote:
		return embedding.Remote + ", from the next docent index on"
	case err == nil && m == nil && v.Meta.Model.Deferred:
		return embedding.Builtin + ", from the next search on"
	case err != nil || m == nil:
		return embedding.None
	}
	return m.Model.Text()
}

// IsAdapted reports whether the vectors of a view come from the builtin table, adapted to the
// documents.
func IsAdapted(v *snapshot.View) bool {
	m, err := v.Vectors()
	return err == nil && m != nil && m.Model.IsAdapted()
}

// ChangedSince counts the files that have changed since the index was built as a whole,
// given the dead rows of each segment and how many files are about to be added, and those
// of the base, which was built then.
func ChangedSince(v *snapshot.View, dead [][]int, added int) (changed, base int) {
	gone := 0
	for i, s := range v.Segments {
		if i >= v.Meta.Bases() {
			added += s.Table.Files()
			continue
		}
		base += s.Table.Files()
		if i < len(dead) {
			gone += len(dead[i])
		}
	}
	return max(gone, added) + v.Meta.Merged, base
}
