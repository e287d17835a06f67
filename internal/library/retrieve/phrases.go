package retrieve

import (
	"context"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/words"
)

// How "quoted phrases" are found.
//
// The index has no positions: whether words follow each other is found by reading the
// texts, the best first. Two common words may be apart in hundreds of texts and adjacent
// in the next, so more and more are read, until enough have the phrase or none is left.
// No text is missed, and a phrase that no text has costs as much as a grep for it.

// phrased finds the n best candidates that hold all phrases of the question.
func (r *Result) phrased(ctx context.Context, v *snapshot.View, q answer.Query, n int) error {
	exact := r.Query.Exact()
	reader := snapshot.NewReader(v)
	for k := 2 * Pool; ; k *= 8 {
		if err := r.best(ctx, v, q, exact, k, k); err != nil {
			return err
		}
		looked := len(r.Ranked)
		var holding []Ranked
		for _, c := range r.Ranked {
			if err := ctx.Err(); err != nil {
				return err
			}
			body, ok, err := c.Body(reader)
			if err != nil {
				return err
			}
			if ok && hasPhrases(body, exact.Phrases) {
				holding = append(holding, c)
			}
			if len(holding) == n {
				break
			}
		}
		r.Ranked = holding
		if len(holding) == n || looked < k {
			return reader.Err()
		}
	}
}

// hasPhrases reports whether text holds every phrase, whatever its case and spacing.
func hasPhrases(text string, phrases []string) bool {
	flat := " " + words.Slug(text) + " "
	for _, p := range phrases {
		if !strings.Contains(flat, " "+words.Slug(p)+" ") {
			return false
		}
	}
	return true
}
