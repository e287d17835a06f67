// Package assist lets a language model help where it is asked to: it reranks hits and
// summarises sections.
package assist

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/library/search"
	"github.com/docent-md/docent/internal/model/llm"
)

// An Assistant is a language model that helps where it can: it puts the answers to
// a question in order, and summarises sections. Everything works without one. It may be
// used by many goroutines at once.
type Assistant struct {
	claude *llm.Claude // caches rankings
	Plain  *llm.Claude // without a cache
	store  *llm.Store  // of rankings; may be nil
}

// AssistantOptions say which model helps. Key and URL must come from the user, not
// from a project.
type AssistantOptions struct {
	Key     string        // for the Messages API
	URL     string        // "" means Anthropic's
	Model   string        // "" means a small current one
	Dir     string        // where answers that were paid for, and what they cost, are stored; "" stores nothing
	Command string        // that what is spent is booked on
	Within  time.Duration // most that a reranking may take; 0 means 8 s
	Note    func(string)  // called with one-line warnings; may be nil
}

// The files in the folder of an Assistant.
const (
	rankingsFile = "rankings"
	LedgerFile   = "spent.jsonl"
)

// maxRankings is how large the file of rankings may grow: they are of use while
// one question follows another.
const maxRankings = 16 << 20

// NewAssistant returns an Assistant. It opens no connection.
func NewAssistant(o AssistantOptions) (*Assistant, error) {
	note := o.Note
	if note == nil {
		note = func(string) {}
	}
	a := &Assistant{}
	c := llm.Config{BaseURL: o.URL, Key: o.Key, Model: o.Model, Within: o.Within}
	if o.Dir != "" {
		var err error
		if a.store, err = llm.OpenStore(filepath.Join(o.Dir, rankingsFile), maxRankings); err != nil {
			note("answers of the model are not cached: " + err.Error())
		}
		c.Cache = a.store
		c.Record = llm.NewLedger(filepath.Join(o.Dir, LedgerFile), nil).Record(o.Command, func(err error) {
			note("what was spent is not written down: " + err.Error())
		})
	}
	var err error
	if a.claude, err = llm.NewClaude(c); err != nil {
		return nil, err
	}
	c.Cache = nil
	a.Plain, err = llm.NewClaude(c)
	return a, err
}

// Model is the name of the model.
func (a *Assistant) Model() string { return a.claude.Model() }

// Close closes the files.
func (a *Assistant) Close() error { return a.store.Close() }

// Rerank has the model choose among candidates. It is a search.Reranker.
func (a *Assistant) Rerank(ctx context.Context, question string, candidates []search.Preview) (ids []string, note string, err error) {
	offered := make([]llm.Candidate, len(candidates))
	for i, c := range candidates {
		offered[i] = llm.Candidate{ID: c.ID, Title: c.Title, Preview: c.Text}
	}
	ranking, err := a.claude.Rerank(ctx, question, offered)
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	if err != nil {
		return nil, "not reranked: " + strings.TrimPrefix(err.Error(), "rerank: "), nil
	}
	return ranking.IDs, fmt.Sprintf("reranked by %s", a.Model()), nil
}
