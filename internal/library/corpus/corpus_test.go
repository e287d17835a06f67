package corpus_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/docent-md/docent/internal/library/corpus"
)

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
		if got := corpus.NameOf(root); got != want {
			t.Errorf("%q is called %q, want %q", root, got, want)
		}
	}
}
