package llm_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/model/llm"
	"github.com/docent-md/docent/internal/model/llm/llmtest"
)

// clock stands in for waiting: it writes down how long.
type clock struct {
	mu    sync.Mutex
	slept []time.Duration
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slept = append(c.slept, d)
	return ctx.Err()
}

// config is one for s that never waits.
func config(s *llmtest.Server) (llm.Config, *clock) {
	c := &clock{}
	return llm.Config{
		BaseURL: s.URL, Key: llmtest.Key, Sleep: c.sleep, Jitter: func() float64 { return 0 },
		Now: func() time.Time { return time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC) },
	}, c
}

func claude(t testing.TB, c llm.Config) *llm.Claude {
	t.Helper()
	cl, err := llm.NewClaude(c)
	if err != nil {
		t.Fatal(err)
	}
	return cl
}

func embedder(t testing.TB, c llm.EmbedConfig) *llm.Embedder {
	t.Helper()
	e, err := llm.NewEmbedder(c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func store(t testing.TB, path string) *llm.Store {
	t.Helper()
	s, err := llm.OpenStore(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// candidates are n, each about its own number.
func candidates(n int) []llm.Candidate {
	var cands []llm.Candidate
	for i := range n {
		cands = append(cands, llm.Candidate{ID: fmt.Sprintf("doc-%d", i+1), Title: fmt.Sprintf("Title %d", i+1), Preview: fmt.Sprintf("about thing%d", i+1)})
	}
	return cands
}

// noKey fails when text holds the key.
func noKey(t testing.TB, what string, text any) {
	t.Helper()
	if s := fmt.Sprintf("%v %+v %#v", text, text, text); strings.Contains(s, llmtest.Key) {
		t.Errorf("%s holds the key: %s", what, s)
	}
}
