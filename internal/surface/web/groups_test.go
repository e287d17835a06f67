package web

import (
	"testing"

	"github.com/docent-md/docent/answer"
)

func TestGroupOf(t *testing.T) {
	for _, tt := range []struct{ name, kind, message, want string }{
		{"a target is a group", "broken-link", "gone.md leads nowhere", "gone.md leads nowhere"},
		{"its sections are the same group", "broken-link", "a/gone.md#x leads nowhere", "a/gone.md leads nowhere"},
		{"an anchor alone is itself", "broken-link", "#x leads nowhere", "#x leads nowhere"},
		{"a macro is a group, whatever its argument", "broken-link", `Glossary("a#b") leads nowhere`, "glossary(…) leads nowhere"},
		{"a path with parentheses is no macro", "broken-link", "a/b (c).md leads nowhere", "a/b (c).md leads nowhere"},
		{"a page without its sections", "broken-anchor", `keys.md has no section "x" (did you mean "y"?)`, "keys.md lacks sections that are linked"},
		{"titles that occur twice", "duplicate-title", `"A" is the title of b.md too`, "two documents have the same title"},
		{"orphans", "orphan", "no other document links here", "no other document links here"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := groupOf(answer.Problem{Kind: tt.kind, Message: tt.message}); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestGroupProblems(t *testing.T) {
	var problems []answer.Problem
	add := func(file, level, kind, message string) {
		problems = append(problems, answer.Problem{File: file, Level: level, Kind: kind, Message: message, Ref: file})
	}
	for range 12406 {
		add("a.md", "error", "broken-link", `Glossary("x") leads nowhere`)
	}
	add("b.md", "error", "broken-link", `glossary("y") leads nowhere`)
	add("b.md", "warning", "orphan", "no other document links here")
	add("b.md", "error", "missing-image", "p.png is not there")
	groups := groupProblems(&frame{}, problems)
	if len(groups) != 3 {
		t.Fatalf("%d groups, want 3: %v", len(groups), groups)
	}
	if g := groups[0]; g.Count != 12407 || g.Files != 2 || len(g.Places) != groupPlaces || g.More != 12402 {
		t.Errorf("the largest: %d problems in %d files, %d shown, %d more", g.Count, g.Files, len(g.Places), g.More)
	}
	if groups[2].Kind != "orphan" {
		t.Errorf("%s comes last", groups[2].Kind)
	}
}
