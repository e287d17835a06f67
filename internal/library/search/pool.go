package search

import (
	"context"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/reranker"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// A Pool is what the model in the program would read for a question: it is trained on
// pools of questions whose answers are known.
type Pool struct {
	Question   string // without operators, misspelt words corrected
	Prose      bool   // it is a sentence
	Candidates []Pooled
}

// A Pooled is one candidate, best first, as the model is given it.
type Pooled struct {
	reranker.Candidate
	Num   uint32 // tells the chunks of a snapshot apart
	File  string
	Lines doc.Lines
	Score float64
}

// Candidates returns the n best candidates of a question by the steps that Run takes,
// before any model has read them.
func Candidates(ctx context.Context, s snapshot.Snapshot, q answer.Query, n int) (*Pool, error) {
	q.Limit, q.Rerank = n, answer.RerankOff
	r := &run{snapshot: s, q: q, question: q.Text, asked: time.Now(), limit: n}
	for _, step := range []func(context.Context) error{r.check, r.retrieve} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	ranked := r.found.Ranked[:min(n, len(r.found.Ranked))]
	read, err := r.readable(ranked)
	if err != nil {
		return nil, err
	}
	p := &Pool{
		Question: retrieve.PlainQuestion(r.q.Text, r.found.Index.Corrections), Prose: r.found.Query.Prose,
		Candidates: make([]Pooled, len(ranked)),
	}
	for i, c := range ranked {
		p.Candidates[i] = Pooled{Candidate: read[i], Num: c.Num, File: c.File.Path, Lines: c.Chunk.Lines, Score: c.Final}
	}
	return p, nil
}
