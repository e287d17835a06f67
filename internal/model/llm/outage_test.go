package llm_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/model/llm"
	"github.com/docent-md/docent/internal/model/llm/llmtest"
)

// failures are n answers of one status.
func failures(n, status int) []llmtest.Fault {
	return slices.Repeat([]llmtest.Fault{{Status: status}}, n)
}

// An endpoint that was down once made every search wait for five attempts, twice where a
// file had changed too, and in every process anew. After the first failure a question is
// one attempt, and the next in the same breath none; any answer ends the outage.
func TestOutageIsNotWaitedFor(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	now := c.Now()
	c.Now, c.OutageDir = func() time.Time { return now }, t.TempDir()
	asked := func(e *llm.Embedder, want int, what string) error {
		t.Helper()
		before := len(s.Requests())
		_, err := e.Query(t.Context(), what, 0)
		if n := len(s.Requests()) - before; n != want {
			t.Errorf("%s: %d requests, want %d (%v)", what, n, want, err)
		}
		return err
	}
	s.Next(failures(18, http.StatusInternalServerError)...)
	e := embedder(t, llm.EmbedConfig{Config: c})
	_ = asked(e, 5, "the first time it is tried several times")
	if err := asked(e, 0, "in the same breath it is not asked"); llm.KindOf(err) != llm.Unreachable {
		t.Errorf("got %v", err)
	}
	now = now.Add(2 * time.Second)
	_ = asked(embedder(t, llm.EmbedConfig{Config: c}), 1, "another process asks once")
	now = now.Add(2 * time.Second)
	before := len(s.Requests())
	if _, err := embedder(t, llm.EmbedConfig{Config: c}).Embed(t.Context(), []string{"a", "b"}, 0, 0, nil); err == nil || len(s.Requests()) != before+1 {
		t.Errorf("changed files: %d requests, %v", len(s.Requests())-before, err)
	}
	patient := c
	patient.Patient = true
	_ = asked(embedder(t, llm.EmbedConfig{Config: patient}), 5, "a job that was just started tries in earnest")
	now = now.Add(2 * time.Minute)
	_ = asked(embedder(t, llm.EmbedConfig{Config: c}), 5, "minutes later it may be up again")
	now = now.Add(2 * time.Second)
	_ = asked(embedder(t, llm.EmbedConfig{Config: c}), 1, "down again")
	now = now.Add(2 * time.Second)
	if err := asked(embedder(t, llm.EmbedConfig{Config: c}), 1, "up again"); err != nil {
		t.Error(err)
	}
	if files, err := os.ReadDir(c.OutageDir); err != nil || len(files) != 0 {
		t.Errorf("after an answer the mark is still there: %v, %v", files, err)
	}
}

// A vector of another size than the index has was cached, and broke its question for
// good although the endpoint was well again.
func TestWrongSizeIsNotCached(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	c.Cache = store(t, filepath.Join(t.TempDir(), "vectors"))
	e := embedder(t, llm.EmbedConfig{Config: c})
	for range 2 {
		s.Next(llmtest.Fault{Dim: 5})
		if _, err := e.Query(t.Context(), "q", 8); llm.KindOf(err) != llm.Dimension {
			t.Errorf("a question: %v", err)
		}
		s.Next(llmtest.Fault{Dim: 5})
		if _, err := e.Embed(t.Context(), []string{"t"}, 8, 0, nil); llm.KindOf(err) != llm.Dimension {
			t.Errorf("a text: %v", err)
		}
	}
	if v, err := e.Query(t.Context(), "q", 8); err != nil || len(v) != 8 {
		t.Errorf("the endpoint is well again: %d, %v", len(v), err)
	}
	// What earlier versions cached is asked for again.
	s.Next(llmtest.Fault{Dim: 5}, llmtest.Fault{Dim: 5})
	if _, err := e.Query(t.Context(), "old", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"old"}, 5, 0, nil); err != nil {
		t.Fatal(err)
	}
	if v, err := e.Query(t.Context(), "old", 8); err != nil || len(v) != 8 {
		t.Errorf("an old question: %d, %v", len(v), err)
	}
	if v, err := e.Embed(t.Context(), []string{"old", "a", "b"}, 0, 0, nil); llm.KindOf(err) != llm.Dimension {
		t.Errorf("the only known size is another: %v, %v", v, err)
	}
	if _, err := e.Embed(t.Context(), []string{"a", "b"}, 8, 0, nil); err != nil {
		t.Fatal(err)
	}
	if v, err := e.Embed(t.Context(), []string{"old", "a", "b"}, 0, 0, nil); err != nil || len(v[0]) != 8 {
		t.Errorf("one odd vector among others: %v", err)
	}
}

// http://localhost and http://127.0.0.1 were two models, and a search embedded
// everything again.
func TestOneAddressOneModel(t *testing.T) {
	fingerprint := func(url string) string {
		return embedder(t, llm.EmbedConfig{Config: llm.Config{BaseURL: url, Model: "m"}}).Fingerprint()
	}
	for _, same := range [][]string{
		{"http://localhost:11434", "http://127.0.0.1:11434", "http://[::1]:11434", "http://LOCALHOST:11434/", "http://localhost.:11434/v1/", "http://127.0.0.2:11434/v1"},
		{"https://api.example.com", "https://api.example.com:443/", "https://API.example.com./v1"},
		{"http://localhost", "http://127.0.0.1:80", "http://[::1]/"},
	} {
		for _, url := range same[1:] {
			if fingerprint(url) != fingerprint(same[0]) {
				t.Errorf("%s and %s are two models", same[0], url)
			}
		}
	}
	if fingerprint("http://localhost:443") == fingerprint("https://localhost") || fingerprint("http://10.0.0.1") == fingerprint("http://localhost") {
		t.Error("different addresses are one model")
	}
}

// A job goes on after bad luck, and ends when nothing comes of it.
func TestStreak(t *testing.T) {
	kind := func(k llm.Kind) error { return fmt.Errorf("wrapped: %w", &llm.Error{Kind: k}) }
	var s llm.Streak
	for i, step := range []struct {
		err  error
		ends bool
	}{
		{kind(llm.Failed), false},
		{kind(llm.TimedOut), false},
		{nil, false},
		{kind(llm.Failed), false},
		{kind(llm.Malformed), false},
		{kind(llm.Declined), false},
		{kind(llm.Failed), false},
		{kind(llm.Rejected), false},
		{errors.New("disk full"), true},
	} {
		if got := s.Ends(step.err); got != step.ends {
			t.Errorf("step %d, %v: ends %v", i, step.err, got)
		}
	}
	if !new(llm.Streak).Ends(kind(llm.Denied)) {
		t.Error("a key that is refused once is refused always")
	}
}

// Re-embedding is announced with its price, a handful of texts is not.
func TestManyTextsAreAnnounced(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	var plans []llm.Plan
	e := embedder(t, llm.EmbedConfig{Config: c, Announce: func(p llm.Plan) error { plans = append(plans, p); return nil }})
	var texts []string
	for i := range 80 {
		texts = append(texts, fmt.Sprintf("text %02d.", i))
	}
	for _, n := range []int{3, 80} {
		if _, err := e.Embed(t.Context(), texts[:n], 0, 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(plans) != 1 || plans[0].Texts != 80 || plans[0].Tokens != 160 || !plans[0].Priced {
		t.Errorf("announced %+v", plans)
	}
}
