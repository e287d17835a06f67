package docent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/needs"
)

// Folders that were read before are not read again, and what is added, removed or
// changed in them is found all the same.
func TestKnownFoldersStayFresh(t *testing.T) {
	if runtime.GOOS != "linux" {
		needs.Missing(t, "Linux", "folders are remembered there only")
	}
	t.Parallel() // it waits
	dir, index := t.TempDir(), filepath.Join(t.TempDir(), "index")
	page := func(i int, name string) string { return filepath.Join(dir, fmt.Sprintf("chapter%02d", i), name) }
	for i := range 70 {
		writeFile(t, page(i, "index.md"), fmt.Sprintf("# Chapter %d\n\nText.\n", i))
	}
	precious := filepath.Join(t.TempDir(), "precious")
	writeFile(t, precious, "not to be lost")
	refreshed := func() []string {
		t.Helper()
		lib, err := docent.OpenDir(t.Context(), dir, index, docent.Options{Embed: "none"})
		if err != nil {
			t.Fatal(err)
		}
		defer lib.Close()
		if err := lib.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		list, err := lib.Files(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		return list.Paths()
	}
	refreshed()
	time.Sleep(2100 * time.Millisecond) // until the folders' times are settled
	held := filepath.Join(index, "folders")
	if err := os.Symlink(precious, held); err != nil {
		t.Fatal(err)
	}
	refreshed()
	if data, err := os.ReadFile(precious); err != nil || string(data) != "not to be lost" {
		t.Fatalf("a file that a link in the index leads to was written: %q, %v", data, err)
	}
	if err := os.Remove(held); err != nil {
		t.Fatal(err)
	}
	refreshed()
	if _, err := os.Stat(held); err != nil {
		needs.Missing(t, "a file system whose folders are remembered", err.Error())
	}
	writeFile(t, page(3, "new.md"), "# New\n")
	if err := os.RemoveAll(page(4, "")); err != nil {
		t.Fatal(err)
	}
	writeFile(t, page(5, "index.md"), "# Changed in place\n\nMore text than before.\n")
	got := refreshed()
	if len(got) != 70 || !slices.Contains(got, "chapter03/new.md") || slices.Contains(got, "chapter04/index.md") {
		t.Errorf("%d documents: %v", len(got), got)
	}
	lib := openAt(t, dir, index, docent.Options{NoRefresh: true})
	if a := ask(t, lib, answer.Query{Text: "changed in place"}); len(a.Hits) == 0 || a.Hits[0].File != "chapter05/index.md" {
		t.Errorf("what changed in place is not found: %v", refs(a))
	}
}
