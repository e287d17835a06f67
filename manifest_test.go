package docent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
)

func TestManifestSummaries(t *testing.T) {
	lib := docsOf(t, map[string]string{
		"a.md":      "---\ndescription: What A is.\n---\n# A\n\nText.\n",
		"b.md":      "# B\n\n![x](y.png)\n\n> A quote.\n\n- a list\n\nThe **first** paragraph, with a [link](x.md).\n\n## C\n",
		"c.md":      "# C\n\n```\ncode\n```\n",
		"README.md": "# R\n\nAll of it. " + strings.Repeat("More words here. ", 40) + "\n",
	})
	m, err := lib.Manifest(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{"all": m.Summary}
	for _, f := range m.Files {
		got[f.File] = f.Summary
	}
	for name, want := range map[string]string{"a.md": "What A is.", "b.md": "The first paragraph, with a link.", "c.md": ""} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	if s := got["all"]; s != got["README.md"] || !strings.HasPrefix(s, "All of it. More") || !strings.HasSuffix(s, "here.") || len(s) > 160 {
		t.Errorf("all: %q", s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lib.Manifest(ctx, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := lib.Manifest(t.Context(), "nope"); !errors.Is(err, answer.ErrNotFound) {
		t.Errorf("nope: %v", err)
	}
}

// A changelog took the whole page, so that no other file was named. Within a budget all
// files are named where that is possible, with what there is room for.
func TestManifestWithinABudget(t *testing.T) {
	versions := &strings.Builder{}
	for i := range 200 {
		fmt.Fprintf(versions, "## v1.%d\n\n### Fixes\n\nText.\n\n", i)
	}
	files := map[string]string{"CHANGES.md": "# Changes\n\n" + versions.String()}
	for i := range 20 {
		files[fmt.Sprintf("guide%02d.md", i)] = "# Guide\n\nHow to do it.\n\n## Begin\n\nText.\n\n## End\n\n### Details\n\nText.\n"
	}
	lib := docsOf(t, files)
	count := func(b []byte) int { return tokens(t, string(b)) }
	for _, tt := range []struct {
		name                    string
		budget, files, headings int // headings of the last file
		summary, changes        bool
	}{
		{"all", 0, 21, 4, true, true},
		{"much", 2500, 21, 4, true, false},
		{"less", 1150, 21, 3, true, false},
		{"little", 800, 21, 0, true, false},
		{"least", 450, 21, 0, false, false},
		{"a page", 200, 0, 0, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := lib.Manifest(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			m.Page(0, tt.budget, count)
			b := &strings.Builder{}
			if err := m.WriteText(b); err != nil {
				t.Fatal(err)
			}
			if n := tokens(t, b.String()); tt.budget > 0 && n > tt.budget {
				t.Errorf("%d tokens:\n%s", n, b)
			}
			if tt.files == 0 {
				if m.Next == 0 || m.Next != len(m.Files) {
					t.Errorf("next %d, %d files", m.Next, len(m.Files))
				}
				return
			}
			last := m.Files[len(m.Files)-1]
			if len(m.Files) != tt.files || len(last.Headings) != tt.headings || (last.Summary != "") != tt.summary || (len(m.Files[0].Headings) > 200) != tt.changes {
				t.Errorf("%d files, %d and %d headings, summary %q", len(m.Files), len(m.Files[0].Headings), len(last.Headings), last.Summary)
			}
		})
	}
}
