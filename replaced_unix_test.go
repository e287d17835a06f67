//go:build unix

package docent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// Whoever cuts the files of an index short, or copies others over them, ended a server
// with a fault, or had it answer from what it had never read. Now they are rebuilt.
func TestIndexCutShortWhileAsked(t *testing.T) {
	g := newGarden(t, 7, 120)
	index := filepath.Join(t.TempDir(), "index")
	lib := opened(t, g.open(index), nil)
	questions := func(lib *docent.Library) (out []string, _ error) {
		ctx := t.Context()
		a, err := lib.Search(ctx, answer.Query{Text: "rotate key"})
		if err != nil {
			return nil, err
		}
		m, err := lib.Grep(ctx, "ke[xy]", answer.GrepOptions{})
		if err != nil {
			return nil, err
		}
		h, err := lib.Check(ctx, answer.CheckOptions{})
		if err != nil {
			return nil, err
		}
		x, err := lib.Snippets(ctx, answer.CodeQuery{})
		return append(refs(a), fmt.Sprint(len(m.Matches), h.Files, h.Links, len(x.Snippets))), err
	}
	want, err := questions(lib)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int64{0, 100, 8192, 100_000} {
		var askers sync.WaitGroup
		for range 4 {
			askers.Go(func() {
				for range 3 {
					if got, err := questions(lib); err != nil || !slices.Equal(got, want) {
						t.Errorf("cut to %d: %v, %v; want %v", size, got, err, want)
					}
				}
			})
		}
		segments, _ := filepath.Glob(filepath.Join(index, "*.seg"))
		for _, name := range segments {
			if err := os.Truncate(name, size); err != nil {
				t.Error(err)
			}
		}
		askers.Wait()
	}
}

// A pack that was replaced was never opened again; written to in place, it ended the
// process or made every answer an error.
func TestReplacedPackIsOpenedAgain(t *testing.T) {
	dir := t.TempDir()
	packs := map[string][]byte{}
	for name, files := range map[string]int{"small": 1, "middle": 100, "large": 300} {
		folder := filepath.Join(dir, name)
		for i := range files {
			writeFile(t, filepath.Join(folder, fmt.Sprintf("f%d.md", i)), fmt.Sprintf("# %s\n\nKey %d of %s.\n", name, i, strings.Repeat(name+" ", i)))
		}
		file := folder + ".docent"
		if _, err := openIn(t, folder).Pack(t.Context(), file, answer.PackOptions{}); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		packs[name] = raw
	}
	inPlace := func(path string, data []byte) error { return os.WriteFile(path, data, 0o644) }
	renamed := func(path string, data []byte) error {
		if err := os.WriteFile(path+".new", data, 0o644); err != nil {
			return err
		}
		return os.Rename(path+".new", path)
	}
	for way, write := range map[string]func(string, []byte) error{"in place": inPlace, "renamed": renamed} {
		for where, o := range map[string]docent.Options{"library": {}, "server": {Background: &docent.Background{Interval: time.Nanosecond}}} { // tries again for each question what it could not open
			path := filepath.Join(t.TempDir(), "live.docent")
			if err := inPlace(path, packs["middle"]); err != nil {
				t.Fatal(err)
			}
			lib, err := docent.Open(context.Background(), path, o)
			opened(t, lib, err)
			if _, err := lib.Search(t.Context(), answer.Query{Text: "key"}); err != nil { // waits until it is open
				t.Fatal(err)
			}
			for _, name := range []string{"middle", "small", "large", "none", "middle"} {
				data, ok := packs[name]
				if !ok {
					data = []byte("not a pack")
				}
				if err := write(path, data); err != nil {
					t.Fatal(err)
				}
				a, err := lib.Search(t.Context(), answer.Query{Text: "key"})
				switch {
				case !ok && err == nil:
					t.Errorf("%s, %s: what is no pack answers", where, way)
				case ok && (err != nil || len(a.Hits) == 0 || !strings.Contains(asJSON(t, a.Hits[0]), name)):
					t.Errorf("%s, %s: %s answers %v, %v", where, way, name, a, err)
				}
			}
		}
	}
}
