package browse

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// FindFiles finds files by words of their paths and titles, best first; with no
// words it lists all of them in the order of paths. Files whose text answers best
// break ties.
func FindFiles(ctx context.Context, s snapshot.Snapshot, query string, limit int) (*answer.FileList, error) {
	if limit < 0 {
		return nil, fmt.Errorf("%d files: must be at least 1", limit)
	}
	if strings.TrimSpace(query) == "" {
		all, err := Files(ctx, s, "")
		if err == nil && limit > 0 {
			all.Files = all.Files[:min(len(all.Files), limit)]
		}
		return all, err
	}
	v, err := s.View(ctx, snapshot.Want{})
	if err != nil {
		return nil, err
	}
	hits, res, err := retrieve.Lexical(v, answer.Query{Text: query}, index.Parse(query), retrieve.Pool, retrieve.Pool)
	if err != nil {
		return nil, err
	}
	text := map[string]float64{} // how well the text of a file answers, at most 1
	for _, h := range hits {
		text[h.File.Path] = max(text[h.File.Path], h.Final/hits[0].Final)
	}
	files, err := v.Files()
	if err != nil {
		return nil, err
	}
	titles := index.NewTitles(res.Words)
	type scored struct {
		answer.FileInfo
		score float64
	}
	var found []scored
	part := strings.ToLower(strings.TrimSpace(query))
	for _, k := range files {
		f := k.Info
		name := strings.TrimSuffix(f.Path, path.Ext(f.Path))
		score := titles.Match(f.Title) + titles.Cover(f.Title) + titles.Cover(name)
		if strings.Contains(strings.ToLower(f.Path), part) {
			score++
		}
		if score > 0 {
			score += 0.5 * text[f.Path]
			found = append(found, scored{k.Describe(), score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	out := &answer.FileList{Files: []answer.FileInfo{}}
	for _, f := range found[:min(len(found), cmp.Or(limit, 20))] {
		out.Files = append(out.Files, f.FileInfo)
		out.Chunks += f.Chunks
		out.Tokens += f.Tokens
	}
	return out, nil
}
