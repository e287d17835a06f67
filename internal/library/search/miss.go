package search

import (
	"context"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/retrieve"
)

// maxPartial limits the near misses that a miss suggests.
const maxPartial = 3

// explainMiss says why nothing was found: the documents are empty, or a
// filter excluded everything. Nothing is reported missing
// unless the documents were compared just before.
func (r *run) explainMiss(ctx context.Context) error {
	if len(r.hits) > 0 {
		return nil
	}
	if err := r.v.StaleMiss(r.asked); err != nil {
		return err
	}
	r.miss = &answer.Miss{Files: r.v.FileCount()}
	switch {
	case len(r.found.Index.Words) == 0:
		r.miss.Reason = "the query holds no words: ask with at least one"
	case r.miss.Files == 0:
		r.miss.Reason = "the corpus holds no documents"
	}
	known := slices.ContainsFunc(r.found.Index.Words, func(w index.WordInfo) bool { return !w.Extra && w.DocFreq > 0 })
	if r.miss.Reason == "" && known && r.isNarrowed() {
		r.miss.Reason = "its words are known here, but not where path:, title:, -word, quotes or the choice of files let them count"
	}
	return r.suggest(ctx)
}

// isNarrowed reports whether the question has operators or a choice of files.
func (r *run) isNarrowed() bool {
	iq := r.found.Query
	return retrieve.IsStrict(iq) || len(iq.Paths) > 0 || r.q.File != "" || r.q.Exact
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
