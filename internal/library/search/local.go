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
	proseShare = 0.35 // of its score, in questions in sentences, whose ranking heeds sentences too
	wordsShare = 0.5  // and in others
	localTime  = 5000 // milliseconds that it may take, on a busy machine
	localWords = 3    // of a question that it reads by default
)

// usesLocal reports whether the model in the program ranks the candidates: where it is
// asked for, and by default in questions of a few words. A name is found as it is: the
// model would change little there, and take a hundred times as long.
func usesLocal(q answer.Query, iq index.Query) bool {
	switch q.Rerank {
	case answer.RerankLocal:
		return true
	case answer.RerankOff:
		return false
	}
	words := 0
	for _, w := range iq.Words {
		if !w.Extra {
			words++
		}
	}
	return words >= localWords && reranker.Fast()
}

// rerankLocal ranks the best candidates once more by the model in the program. As many
// of the first are ranked as it could read in its time.
func (r *run) rerankLocal(ctx context.Context) error {
	ranked := r.found.Ranked
	n := min(len(ranked), localPool)
	if n < 2 || !usesLocal(r.q, r.found.Query) || isTitle(&r.q, &r.found) {
		return nil
	}
	cs, err := r.readable(ranked[:n])
	if err != nil {
		return err
	}
	ms := cmp.Or(r.q.RerankMS, localTime)
	question := retrieve.PlainQuestion(r.q.Text, r.found.Index.Corrections)
	model, err := newTimedModel(question, time.Duration(ms)*time.Millisecond)
	if err != nil {
		return err
	}
	scores, err := model.score(ctx, cs)
	if err != nil {
		return err
	}
	if n = len(scores); n < 2 {
		r.addNote(fmt.Sprintf("not reranked: the model took longer than %d ms (--rerank-ms)", ms))
		return nil
	}
	share := wordsShare
	if r.found.Query.Prose {
		share = proseShare
	}
	blend(ranked[:n], scores, share)
	r.model = model
	return nil
}

// A timedModel is the model in the program, asked one question for a limited time.
type timedModel struct {
	model    *reranker.Model
	question string // as a model reads it
	until    time.Time
}

func newTimedModel(question string, limit time.Duration) (*timedModel, error) {
	model, err := reranker.Builtin()
	return &timedModel{model, question, time.Now().Add(limit)}, err
}

// score returns the scores of the first candidates, as many as it had time for.
func (m *timedModel) score(ctx context.Context, cs []reranker.Candidate) ([]float32, error) {
	return m.model.ScoreUntil(ctx, m.until, m.question, cs)
}

// partReader says how well parts of a hit answer, in what is left of the time. It reads all
// parts or none. It is nil where no model is.
func (m *timedModel) partReader(ctx context.Context) func(h *answer.Hit, texts []string) []float64 {
	if m == nil {
		return nil
	}
	return func(h *answer.Hit, texts []string) []float64 {
		cs := make([]reranker.Candidate, len(texts))
		for i, text := range texts {
			cs[i] = reranker.Candidate{Path: strings.Join(h.Headings, ". "), Text: text}
		}
		read, err := m.score(ctx, cs)
		if err != nil || len(read) < len(texts) {
			return nil
		}
		scores := make([]float64, len(read))
		for i, s := range read {
			scores[i] = float64(s)
		}
		return scores
	}
}

// isTitle reports whether a few words are the title of the best candidate, and nobody asked
// for the model: nothing that it reads could answer better.
func isTitle(q *answer.Query, found *retrieve.Result) bool {
	return q.Rerank != answer.RerankLocal && !found.Query.Prose && found.Ranked[0].Match == 1
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

// blend orders candidates by their own scores and the model's, of which it takes a share.
// Their final scores stay within the bounds they had.
func blend(ranked []retrieve.Ranked, scores []float32, share float64) {
	relative := reranker.Relative(scores)
	high, low := ranked[0].Final, ranked[len(ranked)-1].Final
	for i := range ranked {
		c := &ranked[i]
		own := 1.
		if high > low {
			own = (c.Final - low) / (high - low)
		}
		c.Read = &retrieve.Reading{Score: float64(scores[i]), Before: i + 1}
		c.Final = low + float64((high-low)*(float64((1-share)*own)+float64(share*relative[i])))
	}
	slices.SortStableFunc(ranked, func(a, b retrieve.Ranked) int { return cmp.Compare(b.Final, a.Final) })
}
