package docent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
)

// An agent that follows a Ref gets what the Ref names, at a price it can foresee.
func TestBriefSections(t *testing.T) {
	words := strings.Repeat("Some words that say something.\n\n", 100) // about 600 tokens
	many := &strings.Builder{}
	many.WriteString("# Many\n\n")
	for i := range 40 {
		fmt.Fprintf(many, "## S%d\n\nText %d.\n\n", i, i)
	}
	lib := docsOf(t, map[string]string{
		"small.md": "# Small\n\nShort.\n\n## Child\n\nText.\n",
		"large.md": "# Large\n\nIts own text.\n\n## One\n\n" + words + "## Two\n\n" + words,
		"long.md":  "# Long\n\n## Options\n\n" + strings.Repeat(words, 4),
		"many.md":  many.String(),
	})
	for _, tt := range []struct {
		name, ref   string
		has, hasNot string
		all         bool
	}{
		{"a small one is whole", "small.md", "Text.", "", true},
		{"a large one is its own text", "large.md#large", "Its own text.", "Some words", false},
		{"one without children is whole by its anchor", "long.md#options", "Some words", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := lib.Brief(t.Context(), tt.ref, 1000, answer.SectionOptions{Around: true})
			if err != nil {
				t.Fatal(err)
			}
			s := b.Section
			if !strings.Contains(s.Content, tt.has) || tt.hasNot != "" && strings.Contains(s.Content, tt.hasNot) {
				t.Errorf("got %.200q", s.Content)
			}
			if (s.Source.Lines == b.WholeLines) != (tt.all || tt.ref == "long.md#options") {
				t.Errorf("lines %v of %v", s.Source.Lines, b.WholeLines)
			}
		})
	}
	b, err := lib.Brief(t.Context(), "long.md#options:201-210", 1000, answer.SectionOptions{Around: true})
	if err != nil || b.Section.Source.Lines[0] != 201 || b.Section.Tokens > 1000 || b.Section.Tokens < 700 {
		t.Fatalf("lines of a long one: %v, %+v", err, b)
	}
	// What it cites can be verified.
	v, err := lib.Verify(t.Context(), fmt.Sprintf("long.md#options:%d-%d@%s", b.Section.Source.Lines[0], b.Section.Source.Lines[1], b.Section.Hash))
	if err != nil || v.Status != "same" {
		t.Errorf("its citation: %v, %v", v, err)
	}
	b, err = lib.Brief(t.Context(), "many.md#s20", 1000, answer.SectionOptions{Around: true})
	if err != nil || len(b.Siblings) != 8 || b.Siblings[3].Title != "S19" || b.Siblings[4].Title != "S21" || b.MoreSiblings != 31 {
		t.Errorf("siblings: %v, %+v", err, b)
	}
	b, err = lib.Brief(t.Context(), "many.md", 10, answer.SectionOptions{Around: true})
	if err != nil || len(b.Children) != 20 || b.MoreChildren != 20 || strings.Contains(b.Section.Content, "S0") {
		t.Errorf("children: %v, %+v", err, b)
	}
	if _, err := lib.Brief(t.Context(), "many.md#nope", 10, answer.SectionOptions{Around: true}); err == nil {
		t.Error("a section that is not there was found")
	}
}
