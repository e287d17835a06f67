package browse

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/filter"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// How files are found.
//
// Files with a word of the question in title or path are what was asked for. Where there
// are none, up to maxOthers are found by how well their text answers, and by how near
// their vectors are to the question: so "login" finds the page that is called
// Authentication. A vector is near from minNear on: of the example corpus, questions about
// football reach .14. Where nothing is, the nearest fewNear are shown down to minShown, and
// said not to be close.
const (
	minNear   = 0.2
	minShown  = 0.1
	maxOthers = 5
	fewNear   = 3
)

// FindFiles finds files by words of their paths and titles and by their meaning, best
// first; with no words it lists all of them in the order of paths. Files whose text
// answers best break ties. Only files that meet the conditions count.
func FindFiles(ctx context.Context, s snapshot.Snapshot, q answer.FileQuery) (*answer.FileList, error) {
	found, err := findFiles(ctx, s, q)
	if err != nil || !q.Changed {
		return found, err
	}
	v, err := s.View(ctx, snapshot.Want{})
	if err != nil {
		return nil, err
	}
	return found, addChanged(ctx, v, found)
}

func findFiles(ctx context.Context, s snapshot.Snapshot, q answer.FileQuery) (*answer.FileList, error) {
	query, limit, where := q.Text, q.Limit, q.Where
	asked := time.Now()
	if limit < 0 {
		return nil, fmt.Errorf("%d files: must be at least 1", limit)
	}
	if strings.TrimSpace(query) == "" && len(where) == 0 {
		all, err := Files(ctx, s, q.Prefix)
		if err != nil {
			return nil, err
		}
		return answer.NewFileList(all.Files, limit), nil
	}
	v, err := s.View(ctx, snapshot.Want{})
	if err != nil {
		return nil, err
	}
	v, query, unmet, err := filter.Question(ctx, v, query, where, asked)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(query) == "" {
		return listChosen(v, limit)
	}
	files, err := v.Files()
	if err != nil {
		return nil, err
	}
	found, res, err := filesByWords(v, files, query)
	if err != nil {
		return nil, err
	}
	similar, note, err := retrieve.FileSimilarities(ctx, v, files, retrieve.PlainQuestion(query, res.Corrections))
	if err != nil {
		return nil, err
	}
	for i := range similar {
		found[i].Similarity = similar[i]
	}
	if note != "" {
		note = "found by words only: " + note
	}
	best, note := bestFiles(found, note)
	infos := make([]answer.FileInfo, len(best))
	for i, f := range best {
		infos[i] = f.FileInfo
	}
	out := answer.NewFileList(infos, cmp.Or(limit, 20))
	out.Note = unmet
	if note != "" {
		out.Note = strings.TrimPrefix(unmet+"; "+note, "; ")
	}
	return out, nil
}

// bestFiles returns the files that were found, best first, and note, or when none is
// close that.
func bestFiles(all []scoredFile, note string) ([]scoredFile, string) {
	var titled, others []scoredFile
	for _, f := range all {
		switch {
		case f.words > 0:
			f.FoundBy = "title"
			titled = append(titled, f)
		case f.text > 0:
			f.FoundBy = "text"
			others = append(others, f)
		case f.Similarity >= minNear:
			f.FoundBy = "meaning"
			others = append(others, f)
		}
	}
	slices.SortStableFunc(titled, func(a, b scoredFile) int {
		return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(b.Similarity, a.Similarity))
	})
	byText := func(a, b scoredFile) int { return cmp.Compare(b.text/2+b.Similarity, a.text/2+a.Similarity) }
	slices.SortStableFunc(others, byText)
	switch {
	case len(titled) > 0:
		return titled, note
	case len(others) > 0:
		return others[:min(len(others), maxOthers)], note
	case note != "" || len(all) == 0:
		return nil, note
	}
	slices.SortStableFunc(all, byText)
	note = fmt.Sprintf("no file is close in meaning (similarity %.2f of 1)", max(all[0].Similarity, 0))
	for _, f := range all[:min(len(all), fewNear)] {
		if f.Similarity >= minShown {
			f.FoundBy = "meaning"
			others = append(others, f)
		}
	}
	if len(others) > 0 {
		note += ": these come nearest"
	}
	return others, note
}

// A scoredFile is a file, how well the words of a question fit its path and title, and
// how well its text answers, at most 1.
type scoredFile struct {
	answer.FileInfo
	words, text float64
}

// filesByWords scores all files, in their order.
func filesByWords(v *snapshot.View, files []snapshot.File, query string) ([]scoredFile, index.Result, error) {
	hits, res, err := retrieve.Lexical(v, answer.Query{Text: query}, index.Parse(query), retrieve.Pool, retrieve.Pool)
	if err != nil {
		return nil, res, err
	}
	text := map[string]float64{} // how well the text of a file answers, at most 1
	for _, h := range hits {
		text[h.File.Path] = max(text[h.File.Path], h.Final/hits[0].Final)
	}
	titles := index.NewTitles(res.Words)
	part := strings.ToLower(strings.TrimSpace(query))
	out := make([]scoredFile, len(files))
	for i, k := range files {
		f := k.Info
		name := strings.TrimSuffix(f.Path, path.Ext(f.Path))
		score := titles.Match(f.Title) + titles.Cover(f.Title) + titles.Cover(name)
		if strings.Contains(strings.ToLower(f.Path), part) {
			score++
		}
		if score > 0 {
			score += 0.5 * text[f.Path]
		}
		out[i] = scoredFile{k.Describe(), score, text[f.Path]}
	}
	return out, res, nil
}
