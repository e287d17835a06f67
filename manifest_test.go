package docent_test

import (
	"context"
	"errors"
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
