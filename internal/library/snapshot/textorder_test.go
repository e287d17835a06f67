package snapshot_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// However an index grew, its texts are in the order of their paths, as in one that
// is made afresh.
func TestTextOrderIsThatOfPaths(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 2))
	joined := 0
	for _, dir := range []string{"few", "more", "many"} {
		root := filepath.Join(t.TempDir(), dir)
		write := func(name string, sections int) {
			text := &strings.Builder{}
			for i := range sections {
				fmt.Fprintf(text, "# Part %d\n\n%s\n\n", i, strings.Repeat("some words of text ", 200))
			}
			if err := os.MkdirAll(root, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, name+".md"), []byte(text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for i := range map[string]int{"few": 1, "more": 10, "many": 40}[dir] {
			write(fmt.Sprintf("f%02d", i), 1+rnd.IntN(3))
		}
		c, err := corpus.Find(root)
		if err != nil {
			t.Fatal(err)
		}
		c.IndexDir = filepath.Join(t.TempDir(), "index")
		live, err := refresh.OpenCorpus(t.Context(), c, refresh.Options{Embed: embedding.None})
		if err != nil {
			t.Fatal(err)
		}
		for round := range 6 {
			for range 1 + rnd.IntN(3) {
				write(fmt.Sprintf("f%02d%s", rnd.IntN(42), []string{"", "-a", "-z"}[rnd.IntN(3)]), 1+rnd.IntN(4))
			}
			write([]string{"a", "zz"}[round%2], 1+round)
			if err := live.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
			snap, release, err := live.Acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			v, err := snap.View(t.Context(), snapshot.Want{})
			if err != nil {
				t.Fatal(err)
			}
			if checkOrder(t, v) {
				joined++
			}
			release()
		}
		_ = live.Close()
	}
	if joined == 0 {
		t.Error("never were there several segments: nothing is shown")
	}
}

// checkOrder reports whether there were several segments to compare.
func checkOrder(t *testing.T, v *snapshot.View) bool {
	t.Helper()
	if len(v.Segments) < 2 {
		return false // made anew
	}
	files, err := v.Files()
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(files, func(a, b snapshot.File) int { return cmp.Compare(a.Path, b.Path) })
	last := int64(-1)
	for _, k := range files {
		for i := range k.Info.Chunks {
			place := int64(v.Place(uint32(v.First(k.Seg) + k.Info.FirstChunk + i)))
			if place <= last {
				t.Fatalf("text %d of %s is at %d, and the one before at %d", i, k.Path, place, last)
			}
			last = place
		}
	}
	return true
}
