package reranker

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

func builtin(t testing.TB) *Model {
	t.Helper()
	m, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// cases reads a file that train/reranker wrote.
func cases[T any](t *testing.T, name string) (out []T) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		var c T
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if err := lines.Err(); err != nil || len(out) == 0 {
		t.Fatal(len(out), "cases", err)
	}
	return out
}

// Training and this package cut text into the same pieces and blocks.
func TestPieces(t *testing.T) {
	m := builtin(t)
	for _, c := range cases[struct {
		Text     string
		IDs      []int32
		BlockIDs []int32 `json:"block_ids"`
		Starts   []int
	}](t, "pieces.jsonl") {
		got := m.encode(m.strip(c.Text), 1<<20)
		if !slices.Equal(got.ids, c.IDs) || !slices.Equal(got.ids, c.BlockIDs) || !slices.Equal(got.starts, c.Starts) {
			t.Errorf("%q:\n%v from %v, want\n%v from %v", c.Text, got.ids, got.starts, c.BlockIDs, c.Starts)
		}
	}
}

type scoreCase struct {
	Question, Path, Text string
	Score                float64
}

// Scores are those of the reference scorer, bit by bit.
func TestScores(t *testing.T) {
	needs.Time(t)
	m := builtin(t)
	for _, c := range cases[scoreCase](t, "scores.jsonl") {
		if got := score(t, m, c.Question, Candidate{c.Path, c.Text}); float64(got) != c.Score {
			t.Errorf("%.40q, %.40q, %.40q: %g, want %g", c.Question, c.Path, c.Text, got, c.Score)
		}
	}
}

func score(t *testing.T, m *Model, question string, c Candidate) float32 {
	t.Helper()
	out := []float32{0}
	if n, err := m.Score(t.Context(), question, []Candidate{c}, out); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	return out[0]
}

// Candidates scored together, by several goroutines, have the scores they have
// alone, whatever a goroutine scored before.
func TestTogetherAsAlone(t *testing.T) {
	m := builtin(t)
	var cs []Candidate
	all := cases[scoreCase](t, "scores.jsonl")
	for _, c := range all {
		cs = append(cs, Candidate{c.Path, c.Text})
	}
	out := make([]float32, len(cs))
	if n, err := m.Score(t.Context(), all[0].Question, cs, out); n != len(cs) || err != nil {
		t.Fatal(n, err)
	}
	for i, c := range cs[:8] {
		if alone := score(t, m, all[0].Question, c); alone != out[i] {
			t.Errorf("%.40q: %g alone, %g with others", c.Path, alone, out[i])
		}
	}
}

// A caller whose time is over gets the first scores, not an error.
func TestScoreStops(t *testing.T) {
	m := builtin(t)
	cs, out := make([]Candidate, 64), make([]float32, 64)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if n, err := m.Score(ctx, "anything", cs, out); n != 0 || err != nil {
		t.Errorf("%d, %v after the end", n, err)
	}
	if _, ok := m.newScratch().forward(ctx, []int32{cls, separator, separator}, []uint8{0, 0, 1}); ok {
		t.Error("a score after the end")
	}
	ctx = &endsAfter{Context: t.Context(), asks: 60}
	n, err := m.Score(ctx, "anything", cs, out)
	if err != nil || n == 0 || n == len(cs) {
		t.Fatalf("%d of %d, %v with an end on the way", n, len(cs), err)
	}
	want := score(t, m, "anything", cs[0])
	for i := range n {
		if out[i] != want {
			t.Errorf("score %d of %d is %g, want %g", i, n, out[i], want)
		}
	}
	if n, err := m.Score(t.Context(), "anything", nil, nil); n != 0 || err != nil {
		t.Error(n, err)
	}
	if _, err := m.Score(t.Context(), "anything", cs, out[:1]); err == nil {
		t.Error("no error where scores have no room")
	}
}

// Hostile text costs no more than other text and has a score.
func TestHostileText(t *testing.T) {
	needs.Time(t)
	m := builtin(t)
	long := strings.Repeat("a", 1<<22)
	for name, text := range map[string]string{
		"one word": long, "marks": strings.Repeat("#?+.", 1<<20), "NUL": strings.Repeat("a\x00", 1000), "brackets": strings.Repeat("[", 1<<20),
		"invalid UTF-8": strings.Repeat("\xff\xc3(\xed\xa0\x80 key ", 500), "tags": strings.Repeat("<a ", 1<<20),
		"links": strings.Repeat("[a](", 1<<18), "cut in a character": strings.Repeat("日", maxText), "blank": strings.Repeat("\n", 1<<20),
		"headings": "#" + long, "comments": strings.Repeat("<!-- ", 1<<18), "schemes": strings.Repeat("a://", 1<<18),
	} {
		if len(m.strip(text)) > 2*maxText {
			t.Errorf("%s: more than its first part is read", name)
		}
		if s := float64(score(t, m, text, Candidate{text, text})); math.IsNaN(s) || math.IsInf(s, 0) {
			t.Errorf("%s: score %g", name, s)
		}
	}
}

// A file cut short or too long is refused, never read beyond its end.
func TestOpenRefuses(t *testing.T) {
	needs.Time(t)
	for _, n := range []int{0, 5, len(magic), 40, 70, 200, 100_000, 150_000, 1 << 20, 6 << 20, len(file) - 1} {
		if _, err := Open(file[:n]); err == nil {
			t.Errorf("%d bytes are a model", n)
		}
	}
	if _, err := Open(file + "\x00"); err == nil {
		t.Error("a byte more is a model")
	}
	if _, err := Open(magic + strings.Repeat("\xff", 4096)); err == nil {
		t.Error("a shape of huge numbers is a model")
	}
}

// An endsAfter ends when it was asked a number of times.
type endsAfter struct {
	context.Context
	asks  int64
	asked atomic.Int64
}

func (c *endsAfter) Err() error {
	if c.asked.Add(1) > c.asks {
		return context.Canceled
	}
	return nil
}
