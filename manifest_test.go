package docent

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestManifestSummaries(t *testing.T) {
	lib, err := FromFS(fstest.MapFS{
		"a.md":      {Data: []byte("---\ndescription: What A is.\n---\n# A\n\nText.\n")},
		"b.md":      {Data: []byte("# B\n\n![x](y.png)\n\n> A quote.\n\n- a list\n\nThe **first** paragraph, with a [link](x.md).\n\n## C\n")},
		"c.md":      {Data: []byte("# C\n\n```\ncode\n```\n")},
		"README.md": {Data: []byte("# R\n\nAll of it. " + strings.Repeat("More words here. ", 40) + "\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
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
	if s := got["all"]; s != got["README.md"] || !strings.HasPrefix(s, "All of it. More") || !strings.HasSuffix(s, "here.") || len(s) > maxSummary {
		t.Errorf("all: %q", s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lib.Manifest(ctx, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := lib.Manifest(t.Context(), "nope"); !errors.Is(err, ErrNotFound) {
		t.Errorf("nope: %v", err)
	}
}

// A summary is one clean line of at most so many characters.
func TestShorten(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := rapid.String().Draw(rt, "s")
		n := rapid.IntRange(5, 60).Draw(rt, "n")
		got := shorten(s, n)
		if utf8.RuneCountInString(got) > n || !utf8.ValidString(got) || strings.ContainsAny(got, "\n\t\x1b\u202e") {
			rt.Fatalf("shorten(%q, %d) = %q", s, n, got)
		}
	})
}

// A corpus is called after the folder of its config, wherever one stands in it.
func TestNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "project")
	sub := filepath.Join(dir, "deep", "er")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".docent.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	pack := filepath.Join(dir, "docs.v2.docent")
	if err := os.WriteFile(pack, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(sub)
	for root, want := range map[string]string{"": "project", dir: "project", "..": "deep", ".": "er", pack: "docs.v2", "nope": "nope"} {
		if got := NameOf(root); got != want {
			t.Errorf("%q is called %q, want %q", root, got, want)
		}
	}
}
