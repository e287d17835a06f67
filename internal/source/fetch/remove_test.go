package fetch

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestRemove(t *testing.T) {
	w := newWorld(t)
	w.server.Repo("acme/lib").Commit("main", map[string]string{"a.md": "# A", "docs/b.md": "# B"})
	if err := Remove(t.Context(), w.root, w.opt.Dest); !errors.Is(err, ErrNotFetched) {
		t.Errorf("nothing there: %v", err)
	}
	w.mustFetch("acme/lib")

	// What is the user's keeps the folder.
	mine := filepath.Join(w.root, "ref-docs/lib/mine.md")
	write(t, mine, "mine")
	var stranger *StrangerError
	if err := Remove(t.Context(), w.root, w.opt.Dest); !errors.As(err, &stranger) {
		t.Errorf("with a file of the user's: %v", err)
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	theirs := filepath.Join(w.root, "ref-docs/lib/a.md")
	write(t, theirs, "# A, with my notes")
	if err := Remove(t.Context(), w.root, w.opt.Dest); !errors.As(err, &stranger) {
		t.Errorf("with a file that was changed: %v", err)
	}
	w.wantTree(map[string]string{"ref-docs/lib/a.md": "# A, with my notes", "ref-docs/lib/docs/b.md": "# B"})

	// One that is gone does not.
	if err := os.Remove(theirs); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(w.root, "keep/x.md"), "x")
	if err := Remove(t.Context(), w.root, w.opt.Dest); err != nil {
		t.Fatal(err)
	}
	if left := w.tree(); len(left) != 1 || left["keep/x.md"] != "x" {
		t.Errorf("left: %v", left)
	}
	if _, err := os.Stat(filepath.Join(w.root, "ref-docs")); err == nil {
		t.Error("the empty folder around it is still there")
	}

	// A folder nobody fetched is never removed.
	if err := Remove(t.Context(), w.root, "keep"); !errors.Is(err, ErrNotFetched) {
		t.Errorf("a folder of the user's: %v", err)
	}
	if err := Remove(t.Context(), w.root, "../x"); err == nil {
		t.Error("a folder outside")
	}
}
