package docent_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// A power cut, or chmod, leaves a document that cannot be read with the size and time
// that the index knows. Every question that found it failed, for ever.
func TestUnreadableDocumentIsDropped(t *testing.T) {
	dir, index := t.TempDir(), filepath.Join(t.TempDir(), "index")
	past := time.Now().Add(-time.Hour)
	text := []byte("# Anchors\n\nA zebra drops the anchor.\n")
	path := filepath.Join(dir, "anchor.md")
	put := func(path string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, past, past); err != nil {
			t.Fatal(err)
		}
	}
	put(path, text)
	put(filepath.Join(dir, "other.md"), []byte("# Sails\n\nA sail, and an anchor.\n"))
	_ = openAt(t, dir, index, docent.Options{}).Close()

	put(path, bytes.Repeat([]byte{0}, len(text)))
	lib := openAt(t, dir, index, docent.Options{})
	for range 2 {
		if got := refs(ask(t, lib, answer.Query{Text: "zebra anchor"})); !slices.Equal(got, []string{"other.md#sails:1-3"}) {
			t.Fatalf("found %v", got)
		}
	}
	if s := statusOf(t, lib); s.Skips != 1 || s.Skipped[0].Path != "anchor.md" {
		t.Errorf("status says of what was skipped: %+v", s.Skipped)
	}
	_ = lib.Close()

	put(path, text)
	if got := refs(ask(t, openAt(t, dir, index, docent.Options{}), answer.Query{Text: "zebra"})); len(got) != 1 {
		t.Errorf("readable again: %v", got)
	}
}

// A document of an fs.FS that had changed made every question that found it fail.
func TestChangedDocumentOfAFileSystem(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.md"), "# Zebra\n\nIt has stripes.\n")
	lib, err := docent.FromFS(t.Context(), os.DirFS(dir))
	opened(t, lib, err)
	if got := refs(ask(t, lib, answer.Query{Text: "zebra"})); !slices.Equal(got, []string{"a.md#zebra:1-3"}) {
		t.Fatalf("found %v", got)
	}
	writeFile(t, filepath.Join(dir, "a.md"), "# Zebra\n\nIt has stripes.\n\nIt has hooves.\n")
	if got := refs(ask(t, lib, answer.Query{Text: "zebra"})); !slices.Equal(got, []string{"a.md#zebra:1-5"}) {
		t.Errorf("found %v", got)
	}
}
