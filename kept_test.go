package docent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/source/crawl"
)

// keep writes a file, and gives it to kept as it was at a time.
func keep(t *testing.T, kept *keptTexts, tree *crawl.Tree, dir, name, text string, at time.Time) known {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	before, ok := tree.Stamp(name)
	if !ok {
		t.Skip("no stamps on this system: nothing is kept")
	}
	k := known{path: name, file: doctable.File{Path: name, Hash: contentHash([]byte(text))}}
	kept.put(tree, k, before, at, []byte(text))
	return k
}

func TestKeptTexts(t *testing.T) {
	dir := t.TempDir()
	tree, err := crawl.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	kept := &keptTexts{}
	later := time.Now().Add(time.Minute)

	k := keep(t, kept, tree, dir, "a.md", "some text", later)
	if data, ok := kept.get(tree, k); !ok || string(data) != "some text" {
		t.Fatalf("not kept: %q", data)
	}
	other := k
	other.file.Hash[0]++
	if _, ok := kept.get(tree, other); ok {
		t.Error("a text of another hash than asked for")
	}
	if k := keep(t, kept, tree, dir, "new.md", "some text", time.Now()); true {
		if _, ok := kept.get(tree, k); ok {
			t.Error("a file that may change once more without its time moving on was kept")
		}
	}
	kept.putParts(k.file, map[doc.Span]string{{End: 4}: "```\nsome\n```"})
	if part, ok := kept.part(k.file, doc.Span{End: 4}); !ok || part != "```\nsome\n```" {
		t.Errorf("part not kept: %q", part)
	}
	if part, ok := kept.part(other.file, doc.Span{End: 4}); ok {
		t.Errorf("a part of another hash than asked for: %q", part)
	}
	// The same size and time, another text.
	info, err := os.Stat(filepath.Join(dir, "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond)
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("text some"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, "a.md"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if data, ok := kept.get(tree, k); ok {
		t.Errorf("a changed file gave %q", data)
	}
	// So many that not all can be kept.
	large := strings.Repeat("large ", maxKept/8/6)
	for i := range 20 {
		keep(t, kept, tree, dir, string(rune('a'+i))+"-large.md", large, later)
	}
	size := 0
	for _, text := range kept.texts {
		size += text.size()
	}
	if size > maxKept || size != kept.size || size < maxKept/2 {
		t.Errorf("%d bytes kept, counted as %d, of at most %d", size, kept.size, maxKept)
	}
}
