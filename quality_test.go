package docent_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/needs"
)

var update = flag.Bool("update", false, "write eval/examples.txt")

// Search quality is a table we commit: at which rank the expected section of
// each question is found. A change that moves an answer moves a line.
func TestExamplesScoreboard(t *testing.T) {
	needs.Time(t)
	lib := openIn(t, filepath.Join("examples", "harbour"))
	list, err := os.ReadFile(filepath.Join("examples", "questions.txt"))
	if err != nil {
		t.Fatal(err)
	}
	b := &strings.Builder{}
	sum, n := 0., 0
	for line := range strings.Lines(string(list)) {
		want, question, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		expected, err := lib.Section(t.Context(), want, answer.SectionOptions{})
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		place := expected.Section.Source
		rank := "-"
		for i, h := range ask(t, lib, answer.Query{Text: question, Limit: 20, RerankMS: 60_000}).Hits {
			if h.File == place.File && h.Lines[0] <= place.Lines[1] && h.Lines[1] >= place.Lines[0] {
				rank = fmt.Sprint(i + 1)
				sum += 1 / float64(i+1)
				break
			}
		}
		n++
		fmt.Fprintf(b, "%2s  %-55s %s\n", rank, want, question)
	}
	fmt.Fprintf(b, "mrr %.3f\n", sum/float64(n))
	golden := filepath.Join("eval", "examples.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(committed) != b.String() {
		t.Errorf("ranks have moved; go test -run TestExamplesScoreboard -update writes them.\nnow:\n%s\ncommitted:\n%s", b, committed)
	}
}
