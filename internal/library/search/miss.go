package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/text/human"
)

// maxPartial limits the near misses that a miss suggests.
const maxPartial = 3

// explainMiss says why nothing was found: the documents are empty, or a filter excluded
// everything. Nothing is reported missing unless the documents were compared just before.
func (r *run) explainMiss(ctx context.Context) error {
	if len(r.hits) > 0 {
		return nil
	}
	if err := r.v.StaleMiss(r.asked); err != nil {
		return err
	}
	r.miss = &answer.Miss{Files: r.v.FileCount()}
	switch {
	case len(r.found.Index.Words) == 0 && r.v.IsChosen():
		return r.listChosen()
	case len(r.found.Index.Words) == 0:
		r.miss.Reason = "the query holds no words: ask with at least one"
	case r.miss.Files == 0 && r.v.IsChosen():
		r.miss.Reason = "no file meets the conditions"
	case r.miss.Files == 0:
		r.miss.Reason = "the corpus holds no documents"
	}
	unmatched, err := r.unmatched(ctx)
	if err != nil {
		return err
	}
	if r.miss.Reason == "" {
		r.miss.Reason = unmatched
	}
	known := slices.ContainsFunc(r.found.Index.Words, func(w index.WordInfo) bool { return !w.Extra && w.DocFreq > 0 })
	if r.miss.Reason == "" && known && r.isNarrowed() {
		r.miss.Reason = "its words are known here, but not where path:, title:, -word, quotes, fields or the choice of files let them count"
	}
	return r.suggest(ctx)
}

// listChosen names the first documents that meet the conditions of a question that has
// nothing else.
func (r *run) listChosen() error {
	files, err := r.v.Files()
	if err != nil {
		return err
	}
	r.miss.Reason = fmt.Sprintf("the question is nothing but conditions, which %s meet: add words, or list them with files",
		human.Plural(len(files), "file"))
	for _, f := range files[:min(len(files), maxPartial)] {
		r.miss.Partial = append(r.miss.Partial, answer.Lead{Ref: f.Path, Title: f.Info.Title, Tokens: f.Info.Tokens})
	}
	return nil
}

// unmatched says that no file is where the question looks, if that is so.
func (r *run) unmatched(ctx context.Context) (string, error) {
	patterns := slices.Clone(r.found.Query.Paths)
	if r.q.File != "" {
		patterns = append(patterns, r.q.File)
	}
	if len(patterns) == 0 {
		return "", nil
	}
	files, err := r.snapshot.Files(ctx, "")
	if err != nil {
		return "", err
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.File
	}
	for _, pattern := range patterns {
		if reason := place.Unmatched(pattern, paths); reason != "" {
			return reason, nil
		}
	}
	return "", nil
}

// isNarrowed reports whether the question has operators or a choice of files.
func (r *run) isNarrowed() bool {
	iq := r.found.Query
	return retrieve.IsStrict(iq) || len(iq.Paths) > 0 || r.q.File != "" || r.q.Exact || r.v.IsChosen()
}

// suggest adds what a search without operators and in all files finds, if the question
// had operators or a choice of files.
func (r *run) suggest(ctx context.Context) error {
	if !r.isNarrowed() {
		return nil
	}
	var words []string
	for _, w := range r.found.Query.Words {
		if !w.Extra {
			words = append(words, w.Text)
		}
	}
	if len(words) == 0 {
		return nil
	}
	a, err := Run(ctx, r.snapshot, answer.Query{Text: strings.Join(words, " "), Limit: maxPartial, Mode: answer.Lexical}, nil)
	if err != nil {
		return err
	}
	for i := range a.Hits {
		r.miss.Partial = append(r.miss.Partial, a.Hits[i].Lead())
	}
	return nil
}
