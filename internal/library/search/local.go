package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/reranker"
	"github.com/docent-md/docent/internal/library/retrieve"
)

// How the model in the program takes part.
//
// It reads the question and each of the best candidates together. Its score is weighed
// with the one the candidate has, both brought to 0..1: the ranking knows the corpus and
// its titles, the model what a sentence asks. See train/reranker/MODEL_CARD.md
// for what each share gave.
const (
	localPool  = 20   // candidates that it reads
	localShare = 0.3  // of its score
	localScale = 8.0  // how far below the best of its scores counts as nothing
	localTime  = 5000 // milliseconds that it may take, on a busy machine
)

// usesLocal reports whether the model in the program ranks the candidates: where it is
// asked for, and by default in questions. Names, titles and keywords are found as they
// are: it would change little there, and take a hundred times as long.
func usesLocal(q answer.Query, iq index.Query) bool {
	switch q.Rerank {
	case answer.RerankLocal:
		return true
	case answer.RerankOff:
		return false
	}
	return iq.Prose && reranker.Fast()
}

// rerankLocal ranks the best candidates once more by the model in the program. As many
// of the first are ranked as it could read in its time.
func (r *run) rerankLocal(ctx context.Context) error {
	ranked := r.found.Ranked
	n := min(len(ranked), localPool)
	if n < 2 || !usesLocal(r.q, r.found.Query) {
		return nil
	}
	model, err := reranker.Builtin()
	if err != nil {
		return err
	}
	cs, err := r.readable(ranked[:n])
	if err != nil {
		return err
	}
	ms := cmp.Or(r.q.RerankMS, localTime)
	limited, cancel := context.WithTimeout(ctx, time.Duration(ms)*time.Millisecond)
	defer cancel()
	scores := make([]float32, n)
	n, err = model.Score(limited, retrieve.PlainQuestion(r.q.Text, r.found.Index.Corrections), cs, scores)
	if err := cmp.Or(ctx.Err(), err); err != nil {
		return err
	}
	if n < 2 {
		r.addNote(fmt.Sprintf("not reranked: the model took longer than %d ms (--rerank-ms)", ms))
		return nil
	}
	blend(ranked[:n], scores[:n])
	return nil
}

// readable is what the model reads of some candidates.
func (r *run) readable(ranked []retrieve.Ranked) ([]reranker.Candidate, error) {
	out := make([]reranker.Candidate, len(ranked))
	for i := range ranked {
		c := &ranked[i]
		body, _, err := c.Body(r.texts) // "" when it is stale, which the reader reports
		if err != nil {
			return nil, err
		}
		trail, err := c.Segment.Table.Trail(c.File, c.Named)
		if err != nil {
			return nil, err
		}
		out[i] = reranker.Candidate{Path: strings.Join(trail, ". "), Text: body}
	}
	return out, r.texts.Err()
}

// blend orders candidates by their own scores and the model's. Their final scores stay
// within the bounds they had.
func blend(ranked []retrieve.Ranked, scores []float32) {
	best := slices.Max(scores)
	high, low := ranked[0].Final, ranked[len(ranked)-1].Final
	for i := range ranked {
		c := &ranked[i]
		own := 1.
		if high > low {
			own = (c.Final - low) / (high - low)
		}
		read := max(0, 1-float64(best-scores[i])/localScale)
		c.Read = &retrieve.Reading{Score: float64(scores[i]), Before: i + 1}
		c.Final = low + (high-low)*((1-localShare)*own+localShare*read)
	}
	slices.SortStableFunc(ranked, func(a, b retrieve.Ranked) int { return cmp.Compare(b.Final, a.Final) })
}
