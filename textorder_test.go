package docent

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// However an index grew, its texts are in the order of their paths, as in one that
// is made afresh.
func TestTextOrderIsThatOfPaths(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 2))
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
		store := filepath.Join(t.TempDir(), "index")
		lib, err := OpenDir(t.Context(), root, store, Options{Embed: noModel})
		if err != nil {
			t.Fatal(err)
		}
		for round := range 6 {
			for range 1 + rnd.IntN(3) {
				write(fmt.Sprintf("f%02d%s", rnd.IntN(42), []string{"", "-a", "-z"}[rnd.IntN(3)]), 1+rnd.IntN(4))
			}
			write([]string{"a", "zz"}[round%2], 1+round)
			next, err := lib.Refresh(t.Context(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if next != lib {
				_ = lib.Close()
			}
			lib = next
			checkOrder(t, lib)
		}
		_ = lib.Close()
	}
}

func checkOrder(t *testing.T, lib *Library) {
	t.Helper()
	if len(lib.segs) < 2 {
		return // made anew
	}
	files, err := lib.live()
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(files, func(a, b known) int { return cmp.Compare(a.path, b.path) })
	last := int64(-1)
	for _, k := range files {
		for i := range k.file.Chunks {
			place := int64(lib.order.place(uint32(lib.first[k.seg] + k.file.FirstChunk + i)))
			if place <= last {
				t.Fatalf("text %d of %s is at %d, and the one before at %d", i, k.path, place, last)
			}
			last = place
		}
	}
}
