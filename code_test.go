package docent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// codeDocs is a folder of documents with a block of Go each, which uses the names
// that their paths are followed by.
func codeDocs(t *testing.T, names map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for path, name := range names {
		writeCode(t, dir, path, name)
	}
	for i := range 40 { // so that one change is a small one
		writeCode(t, dir, fmt.Sprintf("z%d.md", i), fmt.Sprintf("other%d", i))
	}
	return dir
}

func writeCode(t *testing.T, dir, path, name string) {
	t.Helper()
	text := fmt.Sprintf("# Page %s\n\n```go\nfunc in_%s() { %s() }\n```\n", path, path[:1], name)
	writeFile(t, filepath.Join(dir, path), text)
}

func shownFiles(s *answer.Snippets) string {
	var out []string
	for _, x := range s.Snippets {
		out = append(out, x.File)
	}
	return strings.Join(out, " ")
}

// Code that is fenced as Markdown has it is read without its fences: to Go and
// JavaScript they are quotes.
func TestRelatedByCode(t *testing.T) {
	lib := openIn(t, codeDocs(t, map[string]string{"a.md": "retryLater", "b.md": "retryLater"}))
	n, err := lib.Related(context.Background(), "a.md", 1)
	if err != nil || len(n.Neighbours) != 1 || n.Neighbours[0].SectionID != "b.md" || !strings.Contains(strings.Join(n.Neighbours[0].Why, ", "), "shares retryLater") {
		t.Errorf("related to a.md: %+v, %v", n, err)
	}
}

// Whether letter case matters does not depend on which segment a block is in.
func TestExamplesOverSegments(t *testing.T) {
	ctx := context.Background()
	dir, index := codeDocs(t, map[string]string{"a.md": "RetryLater"}), filepath.Join(t.TempDir(), "index")
	examples := func(q answer.CodeQuery) *answer.Snippets {
		t.Helper()
		s, err := openAt(t, dir, index, docent.Options{}).Examples(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if got := shownFiles(examples(answer.CodeQuery{Text: "retryLater"})); got != "a.md" {
		t.Errorf("with no block that has it as written: %s", got)
	}
	writeCode(t, dir, "b.md", "retryLater")
	if got := shownFiles(examples(answer.CodeQuery{Text: "retryLater"})); got != "b.md" {
		t.Errorf("with one: %s", got)
	}
	if err := os.Remove(filepath.Join(dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	if got := shownFiles(examples(answer.CodeQuery{Text: "retryLater"})); got != "a.md" {
		t.Errorf("with that one gone: %s", got)
	}
	// What is only elsewhere is not said to be nowhere.
	if s := examples(answer.CodeQuery{Text: "RetryLater", Language: "python"}); s.Total != 0 || s.Elsewhere != 1 || len(s.Nearest) != 0 {
		t.Errorf("in another language: %+v", s)
	}
}
