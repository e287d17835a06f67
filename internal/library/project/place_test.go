package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

func TestPlacesInAProject(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(dir, "project")
	if err := os.MkdirAll(filepath.Join(project, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(project, filepath.Join(dir, "link")); err != nil {
		needs.Missing(t, "symbolic links", err.Error())
	}
	t.Chdir(filepath.Join(dir, "link", "docs"))
	for text, want := range map[string]string{
		"x": "docs/x", "../x/y/z": "x/y/z", ".": "docs", "..": ".", filepath.Join(dir, "link", "new"): "new", "../..": "", filepath.Join(dir, "else"): "",
	} {
		got, err := placeIn(project, text)
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
}
