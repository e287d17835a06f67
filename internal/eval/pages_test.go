package eval

import (
	"strings"
	"testing"
)

// Passages become the pages they were cut from, and what was judged the lines of its section.
func TestPages(t *testing.T) {
	set := &Set{
		Name: "s", Passages: true, Unanswerable: []string{"why?"},
		Files: []File{
			{ID: "https://docs.example.com/en/api/errors#shape", Text: "# Shape\n\nAn object.\n"},
			{ID: "https://docs.example.com/en/welcome", Text: "# Hello\n\nHi.\n"},
			{ID: "https://docs.example.com/en/api/errors#codes", Text: "# Codes\n\nNumbers.\n"},
		},
		Queries: []Query{
			{ID: "a", Text: "which codes?", Answer: "numbers", Judged: []Judgement{{ID: "https://docs.example.com/en/api/errors#codes", Score: 1}, {ID: "gone", Score: 1}}},
			{ID: "b", Text: "lost", Judged: []Judgement{{ID: "gone", Score: 1}}},
		},
	}
	got := set.Pages()
	if len(got.Files) != 2 || got.Files[0].Path != "docs/api/errors.md" || got.Files[1].Path != "docs/welcome.md" || len(got.Queries) != 1 || len(got.Unanswerable) != 1 {
		t.Fatalf("%+v", got)
	}
	q := got.Queries[0]
	if len(q.Judged) != 1 || q.Type != Section || q.Answer != "numbers" {
		t.Fatalf("%+v", q)
	}
	j := q.Judged[0]
	lines := strings.Split(got.Files[0].Text, "\n")
	if text := strings.Join(lines[j.Start-1:j.End], "\n"); j.File != "docs/api/errors.md" || strings.TrimSpace(text) != "## Codes\n\nNumbers." {
		t.Errorf("%+v: %q", j, text)
	}
	if again := got.Pages(); again != got {
		t.Error("a set of whole files is not left as it is")
	}
}
