package search

import (
	"context"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/retrieve"
)

// maxPartial limits the near misses that a miss suggests.
const maxPartial = 3

// explainMiss says why nothing was found: which words no document has, with the nearest
// that are known, or that a filter excluded everything. Nothing is reported missing
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
	known := 0
	for _, w := range r.found.Index.Words {
		if w.Extra {
			continue
		}
		if w.DocFreq > 0 {
			known++
			continue
		}
		near, err := r.v.Searcher.Nearest(w.Text, 3)
		if err != nil {
			return err
		}
		r.miss.Unknown = append(r.miss.Unknown, answer.Unknown{Word: w.Text, Nearest: near})
	}
	if r.miss.Reason == "" && known > 0 {
		r.miss.Reason = "its words are known here, but not where path:, title:, -word, quotes or the choice of files let them count"
	}
	return r.suggest(ctx)
}

// suggest adds what a search without operators and in all files finds, if the question
// had operators or a choice of files.
func (r *run) suggest(ctx context.Context) error {
	iq := r.found.Query
	if !retrieve.IsStrict(iq) && len(iq.Paths) == 0 && r.q.File == "" {
		return nil
	}
	var words []string
	for _, w := range iq.Words {
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
