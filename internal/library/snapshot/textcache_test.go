package snapshot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/needs"
	"github.com/docent-md/docent/internal/source/crawl"
)

// put writes a file, and gives it to a cache as it was at a time.
func put(t *testing.T, cache *textCache, tree *crawl.Tree, dir, name, text string, at time.Time) File {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	before, ok := tree.Stamp(name)
	if !ok {
		needs.Missing(t, "stamps of files", "this system has none, and nothing is cached")
	}
	k := File{Path: name, Info: doctable.File{Path: name, Hash: ContentHash([]byte(text))}}
	cache.put(tree, k, before, at, []byte(text))
	return k
}

func TestTextCache(t *testing.T) {
	dir := t.TempDir()
	tree, err := crawl.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	cache := &textCache{}
	later := time.Now().Add(time.Minute)

	k := put(t, cache, tree, dir, "a.md", "some text", later)
	if data, ok := cache.get(tree, k); !ok || string(data) != "some text" {
		t.Fatalf("not cached: %q", data)
	}
	other := k
	other.Info.Hash[0]++
	if _, ok := cache.get(tree, other); ok {
		t.Error("a text of another hash than asked for")
	}
	recent := put(t, cache, tree, dir, "new.md", "some text", time.Now())
	if _, ok := cache.get(tree, recent); ok {
		t.Error("a file that may change once more without its time moving on was cached")
	}
	span := doc.Span{End: 4}
	cache.putAltered(k, map[doc.Span]string{span: "```\nsome\n```"})
	if altered, ok := cache.altered(k); !ok || altered[span] != "```\nsome\n```" {
		t.Errorf("altered texts not cached: %v", altered)
	}
	if altered, ok := cache.altered(other); ok {
		t.Errorf("altered texts of another hash than asked for: %v", altered)
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
	if data, ok := cache.get(tree, k); ok {
		t.Errorf("a changed file gave %q", data)
	}
	// So many that not all can be cached.
	large := strings.Repeat("large ", maxCached/8/6)
	for i := range 20 {
		put(t, cache, tree, dir, string(rune('a'+i))+"-large.md", large, later)
	}
	size := 0
	for _, text := range cache.texts {
		size += text.size()
	}
	if size > maxCached || size != cache.size || size < maxCached/2 {
		t.Errorf("%d bytes cached, counted as %d, of at most %d", size, cache.size, maxCached)
	}
}
