//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

func TestSpread(t *testing.T) {
	for _, tt := range []struct {
		name   string
		values []float64
		want   spread
	}{
		{"nothing measured", nil, spread{}},
		{"one value", []float64{3}, spread{3, 3, 3, 1}},
		{"quartiles lie between values", []float64{4, 1, 3, 2}, spread{1.75, 2.5, 3.25, 4}},
		{"an outlier moves nothing", []float64{1, 2, 3, 4, 1000}, spread{2, 3, 4, 5}},
	} {
		if got := spreadOf(tt.values); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for f, want := range map[float64]string{0.456: "0.46", 2: "2", 9.999: "10", 12.34: "12.3", 1234.5: "1234"} {
		if got := number(f); got != want {
			t.Errorf("number(%v) = %q, want %q", f, got, want)
		}
	}
}

// Whoever comes first in a round finds caches as the last of the round before
// left them, so everyone must be first equally often.
func TestContestTakesTurns(t *testing.T) {
	var order []byte
	run := func(name byte) rival {
		return func(context.Context) (use, error) {
			order = append(order, name)
			return use{cpu: time.Duration(name)}, nil
		}
	}
	us, err := contest(t.Context(), 2, run('a'), nil, run('c'))
	if err != nil {
		t.Fatal(err)
	}
	if string(order) != "accaca" {
		t.Errorf("ran in the order %s", order)
	}
	if len(us[0]) != 2 || len(us[1]) != 0 || us[2][0].cpu != 'c' {
		t.Errorf("the first round counts, or rivals are mixed up: %v", us)
	}
	broken := errors.New("broken")
	_, err = contest(t.Context(), 2, func(context.Context) (use, error) { return use{}, broken })
	if !errors.Is(err, broken) {
		t.Errorf("a rival that fails gives %v", err)
	}
}

func TestQueriesAreTheSameEveryTime(t *testing.T) {
	c := &documents{dir: filepath.Join("..", "examples", "harbour"), blob: filepath.Join(t.TempDir(), "all.md")}
	if err := c.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	a, b := c.queries(40), c.queries(40)
	if !slices.Equal(a, b) {
		t.Error("two runs ask different questions")
	}
	for _, q := range append(a, c.titles(10)...) {
		if len(words(q)) == 0 {
			t.Errorf("query %q has no words", q)
		}
	}
}

// The peers must answer, or we would be measuring how fast they fail.
func TestPeersFindWhatIsThere(t *testing.T) {
	chunks := []answer.Record{
		{Title: "Rotate keys", Path: "Keys → Rotate keys", Content: "Every key is replaced after a week."},
		{Title: "Logs", Path: "Logs", Content: "Logs go to standard error."},
	}
	dir := t.TempDir()
	b := &bench{tmp: dir}
	file, err := b.ftsFile(t.Context(), chunks)
	if err != nil {
		t.Fatal(err)
	}
	db, err := openFTS(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	index, err := newBleve(filepath.Join(dir, "bleve"), chunks, "standard")
	if err != nil {
		t.Fatal(err)
	}
	defer index.Close()
	for question, want := range map[string]int{`rotate "keys" now`: 1, "logs, or a key": 2, "nothing": 0} {
		for name, search := range map[string]func() (int, error){
			"fts5":             func() (int, error) { return db.search(t.Context(), question, best) },
			"bleve, 3 fields":  func() (int, error) { return searchBleve(index, inFields(question), best) },
			"bleve, one field": func() (int, error) { return searchBleve(index, inText(question), best) },
		} {
			got, err := search()
			if err != nil {
				t.Errorf("%s, %s: %v", name, question, err)
			}
			if got != want {
				t.Errorf("%s, %s: %d found, want %d", name, question, got, want)
			}
		}
	}
}

func TestEditChangesOneFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("# A\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := &documents{dir: dir, files: []string{"a.md"}}
	if name, err := c.edit(); err != nil || name != "a.md" {
		t.Fatalf("edited %q: %v", name, err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "a.md"))
	if err != nil || string(got) != "# A\n\nEdit number 1.\n" {
		t.Errorf("the file is now %q: %v", got, err)
	}
}

// An index keeps its model, so one made without vectors would be measured as if it
// had them.
func TestVectorsAreThere(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := filepath.Join("..", "examples", "harbour")
	for embed, want := range map[string]bool{"none": false, "builtin": true} {
		lib, err := docent.Open(t.Context(), dir, docent.Options{Embed: embed})
		if err != nil {
			t.Fatal(err)
		}
		if err := lib.Close(); err != nil {
			t.Fatal(err)
		}
		if err := hasVectors(t.Context(), dir); (err == nil) != want {
			t.Errorf("index made with --embed %s: %v", embed, err)
		}
	}
}
