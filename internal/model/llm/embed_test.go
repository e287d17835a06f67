package llm_test

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/model/llm"
	"github.com/docent-md/docent/internal/model/llm/llmtest"
)

// inputs returns the texts of a request to /v1/embeddings.
func inputs(t testing.TB, seen llmtest.Seen) []string {
	t.Helper()
	var body struct {
		Input []string `json:"input"`
	}
	if err := json.Unmarshal(seen.Body, &body); err != nil {
		t.Fatal(err)
	}
	return body.Input
}

func texts(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("text number %d about thing%d", i, i%7))
	}
	return out
}

// near fails when got is not the direction the server meant.
func near(t testing.TB, got []float32, text string, dim int) {
	t.Helper()
	want := llmtest.Vector(text, dim)
	var dot, length float64
	for d := range want {
		dot += float64(got[d]) * float64(want[d])
		length += float64(got[d]) * float64(got[d])
	}
	if len(got) != dim || dot < .999 || math.Abs(length-1) > 1e-5 {
		t.Errorf("%q: cosine %v, length %v", text, dot, length)
	}
}

func TestEmbed(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	e := embedder(t, llm.EmbedConfig{Config: c, TextPrefix: "title: none | text: "})
	in := texts(700)
	in[10], in[20], in[699] = in[5], " \n", in[5]
	var last llm.Progress
	calls := 0
	got, err := e.Embed(t.Context(), in, 0, 0, func(p llm.Progress) {
		if p.Done < last.Done {
			t.Errorf("went back from %+v to %+v", last, p)
		}
		last = p
		calls++
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range in {
		if i == 20 {
			if got[i] != nil {
				t.Error("a text without a word has a vector")
			}
			continue
		}
		near(t, got[i], "title: none | text: "+text, 8)
	}
	asked := 0
	for _, seen := range s.Requests() {
		n := len(inputs(t, seen))
		asked += n
		if n > llm.MaxTexts {
			t.Errorf("%d texts in a request", n)
		}
	}
	if asked != 697 || len(s.Requests()) != 3 {
		t.Errorf("asked for %d texts in %d requests", asked, len(s.Requests()))
	}
	if last != (llm.Progress{Done: 700, Total: 700}) || calls != 4 || e.Dim() != 8 {
		t.Errorf("progress %+v after %d calls, %d dimensions", last, calls, e.Dim())
	}
}

func TestNothingToEmbed(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	got, err := embedder(t, llm.EmbedConfig{Config: c}).Embed(t.Context(), []string{"", "\t"}, 0, 0, nil)
	if err != nil || len(got) != 2 || len(s.Requests()) != 0 {
		t.Errorf("got %v, %v after %d requests", got, err, len(s.Requests()))
	}
}

func TestLargeTextsGoAlone(t *testing.T) {
	s := llmtest.New(t)
	s.MaxInput = 1 << 20
	c, _ := config(s)
	in := []string{"small", strings.Repeat("a ", 200_000), strings.Repeat("b ", 200_000), "last"}
	if _, err := embedder(t, llm.EmbedConfig{Config: c}).Embed(t.Context(), in, 0, 0, nil); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Requests()); n != 2 {
		t.Errorf("%d requests", n)
	}
}

// Interrupted work is paid for once: what was answered before the failure is
// not asked for again, and the vectors are the same to the bit.
func TestEmbedGoesOn(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	c.Concurrency = 1
	path := filepath.Join(t.TempDir(), "vectors")
	c.Cache = store(t, path)
	in := texts(700)
	s.Next(llmtest.Fault{}, llmtest.Fault{Status: 401})
	if _, err := embedder(t, llm.EmbedConfig{Config: c}).Embed(t.Context(), in, 0, 0, nil); llm.KindOf(err) != llm.Denied {
		t.Fatalf("got %v", err)
	}
	if n := len(s.Requests()); n != 2 {
		t.Errorf("%d requests: none may begin after a failure", n)
	}
	c.Cache = store(t, path) // another process
	var first llm.Progress
	got, err := embedder(t, llm.EmbedConfig{Config: c}).Embed(t.Context(), in, 0, 0, func(p llm.Progress) {
		if first.Total == 0 {
			first = p
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if first != (llm.Progress{Done: 300, Total: 700, Cached: 300}) {
		t.Errorf("it began at %+v", first)
	}
	asked := map[string]int{}
	for n, seen := range s.Requests() {
		for _, text := range inputs(t, seen) {
			if n != 1 { // the one that was refused
				asked[text]++
			}
		}
	}
	for _, text := range in {
		if asked[text] != 1 {
			t.Fatalf("%q was asked for %d times", text, asked[text])
		}
	}
	before := len(s.Requests())
	again, err := embedder(t, llm.EmbedConfig{Config: c}).Embed(t.Context(), in, 0, 0, nil)
	if err != nil || len(s.Requests()) != before {
		t.Errorf("a third time: %v, %d requests more", err, len(s.Requests())-before)
	}
	for i := range in {
		if !slices.Equal(got[i], again[i]) {
			t.Fatalf("text %d: %v fresh, %v from the cache", i, got[i], again[i])
		}
	}
	for name, other := range map[string]llm.EmbedConfig{
		"another model":  {Config: func() llm.Config { c := c; c.Model = "other"; return c }()},
		"another prefix": {Config: c, TextPrefix: "p"},
		"another length": {Config: c, Dimensions: 4, Reduce: true},
	} {
		before := len(s.Requests())
		if _, err := embedder(t, other).Embed(t.Context(), in[:1], 0, 0, nil); err != nil || len(s.Requests()) != before+1 {
			t.Errorf("%s was answered from the cache (%v)", name, err)
		}
	}
}

func TestBatchesAreSplit(t *testing.T) {
	s := llmtest.New(t)
	s.MaxInputs = 50
	c, _ := config(s)
	in := texts(300)
	got, err := embedder(t, llm.EmbedConfig{Config: c}).Embed(t.Context(), in, 0, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range in {
		near(t, got[i], text, 8)
	}
}

func TestLongTextsAreShortened(t *testing.T) {
	s := llmtest.New(t)
	s.MaxInput = 1000
	c, _ := config(s)
	in := []string{"short", strings.Repeat("ü", 3000), "also short"}
	var last llm.Progress
	got, err := embedder(t, llm.EmbedConfig{Config: c}).Embed(t.Context(), in, 0, 0, func(p llm.Progress) { last = p })
	if err != nil || last.Shortened != 1 {
		t.Fatalf("%+v, %v", last, err)
	}
	near(t, got[1], strings.Repeat("ü", 375), 8)
	near(t, got[2], "also short", 8)

	s.MaxInput = 10
	if _, err := embedder(t, llm.EmbedConfig{Config: c}).Embed(t.Context(), in, 0, 0, nil); llm.KindOf(err) != llm.TooLarge {
		t.Errorf("a server that takes nothing: %v", err)
	}
}

// Servers say in many ways that a text is too long.
func TestTooLongByOtherNames(t *testing.T) {
	for status, message := range map[int]string{
		400: "This model's maximum context length is 8192 tokens, however you requested 9000 tokens",
		422: "Input validation error: `inputs` must have less than 512 tokens. Given: 600",
		500: "input is too large to process. increase the physical batch size",
	} {
		s := llmtest.New(t)
		body, _ := json.Marshal(map[string]any{"error": map[string]string{"message": message}})
		s.Next(llmtest.Fault{Status: status, Body: string(body)})
		c, clock := config(s)
		in := []string{strings.Repeat("word ", 100)}
		var last llm.Progress
		if _, err := embedder(t, llm.EmbedConfig{Config: c}).Embed(t.Context(), in, 0, 0, func(p llm.Progress) { last = p }); err != nil || last.Shortened != 1 || len(clock.slept) > 0 {
			t.Errorf("%d %s: %v, %+v", status, message, err, last)
		}
	}
}

func TestBadVectors(t *testing.T) {
	for _, test := range []struct {
		name  string
		fault llmtest.Fault
		want  llm.Kind
	}{
		{"of another length than configured", llmtest.Fault{Dim: 5}, llm.Dimension},
		{"one missing", llmtest.Fault{Fewer: true}, llm.Malformed},
		{"no JSON", llmtest.Fault{Body: "<html>"}, llm.Malformed},
		{"none", llmtest.Fault{Body: `{"data":[]}`}, llm.Malformed},
		{"empty", llmtest.Fault{Body: `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[1]}]}`}, llm.Malformed},
		{"of zeros", llmtest.Fault{Body: `{"data":[{"index":0,"embedding":[0,0,0,0,0,0,0,0]},{"index":1,"embedding":[1,0,0,0,0,0,0,0]}]}`}, llm.Malformed},
		{"twice the same", llmtest.Fault{Body: `{"data":[{"index":0,"embedding":[1,0,0,0,0,0,0,0]},{"index":0,"embedding":[1,0,0,0,0,0,0,0]}]}`}, llm.Malformed},
		{"for a text that is not there", llmtest.Fault{Body: `{"data":[{"index":0,"embedding":[1,0,0,0,0,0,0,0]},{"index":2,"embedding":[1,0,0,0,0,0,0,0]}]}`}, llm.Malformed},
		{"beyond float32", llmtest.Fault{Body: `{"data":[{"index":0,"embedding":[1e300]},{"index":1,"embedding":[1]}]}`}, llm.Malformed},
		{"not numbers", llmtest.Fault{Body: `{"data":[{"index":0,"embedding":["a"]},{"index":1,"embedding":"AAAA"}]}`}, llm.Malformed},
		{"of two lengths", llmtest.Fault{Body: `{"data":[{"index":0,"embedding":[1,0,0,0,0,0,0,0]},{"index":1,"embedding":[1,2]}]}`}, llm.Dimension},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := llmtest.New(t)
			s.Next(test.fault)
			c, _ := config(s)
			c.Cache = store(t, filepath.Join(t.TempDir(), "vectors"))
			_, err := embedder(t, llm.EmbedConfig{Config: c, Dimensions: 8}).Embed(t.Context(), []string{"a", "b"}, 0, 0, nil)
			if llm.KindOf(err) != test.want {
				t.Errorf("got %v", err)
			}
			if c.Cache.Len() != 0 {
				t.Error("it was kept")
			}
		})
	}
	t.Run("without index, in the order given", func(t *testing.T) {
		s := llmtest.New(t)
		s.Next(llmtest.Fault{Body: `{"data":[{"embedding":[1,0]},{"embedding":[0,1]}]}`})
		c, _ := config(s)
		got, err := embedder(t, llm.EmbedConfig{Config: c}).Embed(t.Context(), []string{"a", "b"}, 0, 0, nil)
		if err != nil || got[0][0] != 1 || got[1][1] != 1 {
			t.Errorf("got %v, %v", got, err)
		}
	})
	t.Run("of another length than those of the index", func(t *testing.T) {
		s := llmtest.New(t)
		c, _ := config(s)
		e := embedder(t, llm.EmbedConfig{Config: c})
		s.Next(llmtest.Fault{Dim: 12})
		_, err := e.Query(t.Context(), "b", 8)
		if llm.KindOf(err) != llm.Dimension || !strings.Contains(err.Error(), "12 where 8") {
			t.Errorf("got %v", err)
		}
	})
}

func TestQueryIsKept(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	path := filepath.Join(t.TempDir(), "queries")
	var got [][]float32
	for range 2 {
		c.Cache = store(t, path)
		v, err := embedder(t, llm.EmbedConfig{Config: c, QueryPrefix: "query: "}).Query(t.Context(), "rotate keys", 0)
		if err != nil {
			t.Fatal(err)
		}
		near(t, v, "query: rotate keys", 8)
		got = append(got, v)
	}
	if !slices.Equal(got[0], got[1]) || len(s.Requests()) != 1 {
		t.Errorf("fresh %v, kept %v, after %d requests", got[0], got[1], len(s.Requests()))
	}
	if _, err := embedder(t, llm.EmbedConfig{Config: c}).Query(t.Context(), " ", 0); llm.KindOf(err) != llm.Unsupported {
		t.Errorf("an empty query: %v", err)
	}
}

func TestFingerprint(t *testing.T) {
	base := llm.EmbedConfig{Config: llm.Config{BaseURL: "http://localhost:1", Model: "m", Key: "secret-key"}}
	seen := map[string]string{}
	for name, change := range map[string]func(*llm.EmbedConfig){
		"as it is":      func(*llm.EmbedConfig) {},
		"model":         func(c *llm.EmbedConfig) { c.Model = "n" },
		"endpoint":      func(c *llm.EmbedConfig) { c.BaseURL = "http://localhost:2" },
		"text prefix":   func(c *llm.EmbedConfig) { c.TextPrefix = "p" },
		"query prefix":  func(c *llm.EmbedConfig) { c.QueryPrefix = "p" },
		"reduced":       func(c *llm.EmbedConfig) { c.Dimensions, c.Reduce = 4, true },
		"reduced other": func(c *llm.EmbedConfig) { c.Dimensions, c.Reduce = 5, true },
	} {
		c := base
		change(&c)
		f := embedder(t, c).Fingerprint()
		if other, ok := seen[f]; ok {
			t.Errorf("%s and %s have the same", name, other)
		}
		seen[f] = name
		c.Key = "another"
		if embedder(t, c).Fingerprint() != f || strings.Contains(f, "secret") {
			t.Errorf("%s: the key is part of it", name)
		}
	}
}

func TestEmbeddingIsRecorded(t *testing.T) {
	s := llmtest.New(t)
	c, _ := config(s)
	var used []llm.Use
	c.Record = func(u llm.Use) { used = append(used, u) }
	if _, err := embedder(t, llm.EmbedConfig{Config: c}).Query(t.Context(), "12345678", 0); err != nil {
		t.Fatal(err)
	}
	if len(used) != 1 || used[0] != (llm.Use{Model: "text-embedding-3-small", Usage: llm.Usage{Input: 3}}) {
		t.Errorf("recorded %+v", used)
	}
}
