package docent

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A catalogued is a project with some documents, and its catalogue.
type catalogued struct {
	*testing.T
	dir string
	cat *Catalogue
}

func newCatalogued(t *testing.T, files map[string]string) *catalogued {
	t.Helper()
	for _, v := range []string{"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME"} {
		t.Setenv(v, t.TempDir())
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		putFile(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	cat, err := ProjectCatalogue(dir)
	if err != nil {
		t.Fatal(err)
	}
	return &catalogued{t, dir, cat}
}

func (c *catalogued) index(name, folder string, o NamedOptions) {
	c.Helper()
	if _, err := c.cat.IndexDirectory(context.Background(), name, "", filepath.Join(c.dir, folder), o); err != nil {
		c.Fatal(err)
	}
}

// A catalogue comes with a clone, and so do links and indexes. None of them may
// lead to documents, or have something written, outside the project.
func TestCataloguesLeadNowhereElse(t *testing.T) {
	const entry = `[{"name": "evil", "description": "", "root": %q, "files": 1, "chunks": 1, "model": "builtin", "updated": "2026-01-01T00:00:00Z"}]`
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	putFile(t, filepath.Join(outside, "secret.md"), "# Secret\n\nswordfish\n")
	for _, tt := range []struct {
		name, root string
		make       func(t *testing.T, dir string) error
	}{
		{"a folder above", "..", nil},
		{"an absolute one", outside, nil},
		{"a link", "docs/link", func(_ *testing.T, dir string) error { return os.Symlink(outside, filepath.Join(dir, "docs", "link")) }},
		{"the index of another folder", "docs/idx", func(_ *testing.T, dir string) error {
			lib, err := OpenDir(context.Background(), outside, filepath.Join(dir, "docs", "idx"), Options{})
			if err != nil {
				return err
			}
			return lib.Close()
		}},
		{"a link as the place of the index", "docs", func(_ *testing.T, dir string) error {
			return os.Symlink(outside, filepath.Join(dir, ".docent", "indexes", "evil"))
		}},
		{"a link to nowhere as that", "docs", func(_ *testing.T, dir string) error {
			return os.Symlink(filepath.Join(outside, "new"), filepath.Join(dir, ".docent", "indexes", "evil"))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCatalogued(t, map[string]string{"docs/a.md": "# A\n\nText.\n", ".docent/indexes/catalogue.json": fmt.Sprintf(entry, tt.root)})
			if tt.make != nil {
				if err := tt.make(t, c.dir); err != nil {
					t.Skip(err)
				}
			}
			if a, err := c.cat.Search(context.Background(), "evil", Query{Text: "swordfish"}, Options{}); err == nil {
				t.Errorf("answered %d hits", len(a.Hits))
			}
		})
	}
	if all, err := os.ReadDir(outside); err != nil || len(all) != 1 {
		t.Errorf("written outside: %v, %v", all, err)
	}
}

// The index of a project whose .docent is a link that leads elsewhere lies in the
// user's cache.
func TestIndexesAreNotWrittenElsewhere(t *testing.T) {
	c := newCatalogued(t, map[string]string{"a.md": "# A\n\nText.\n", ".docent.json": "{}"})
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(c.dir, ".docent")); err != nil {
		t.Skip(err)
	}
	lib, err := OpenWith(context.Background(), c.dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	if all, err := os.ReadDir(outside); err != nil || len(all) > 0 {
		t.Errorf("written outside: %v, %v", all, err)
	}
	if _, err := c.cat.IndexDirectory(context.Background(), "x", "", c.dir, NamedOptions{}); err == nil || !strings.Contains(err.Error(), "leads out of the project") {
		t.Errorf("a named index: %v", err)
	}
}
