package docent_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/docent-md/docent/internal/needs"
)

// manyFolders adds so many folders to a garden that they are remembered, and waits
// until they are.
func (g *garden) manyFolders(index string) {
	g.t.Helper()
	for i := range 70 {
		g.write(fmt.Sprintf("more/%02d/x.md", i))
	}
	time.Sleep(2100 * time.Millisecond) // until the folders' times are settled
	_ = g.open(index).Close()
	_ = g.open(index).Close()
	if _, err := os.Stat(filepath.Join(index, "folders")); err != nil {
		needs.Missing(g.t, "a file system whose folders are remembered", err.Error())
	}
}

// Killed at any moment of an index's life, which is more than being made: vectors
// come later, changes come in one by one and are merged, folders are remembered.
// The victim changes the documents too.
func TestKilledWhileTheIndexLives(t *testing.T) {
	if dir := os.Getenv("DOCENT_TEST_LIFE"); dir != "" {
		seed, _ := strconv.ParseUint(os.Getenv("DOCENT_TEST_SEED"), 10, 64)
		g := &garden{t, os.Getenv("DOCENT_TEST_DOCS"), rand.New(rand.NewPCG(seed, 3))}
		fmt.Println()
		for i := g.rng.IntN(20); ; i++ {
			o := docent.Options{Embed: "base"}
			switch i % 20 {
			case 0:
				_ = os.RemoveAll(dir)
				o = docent.Options{}
			case 1:
				// The vectors come.
			default:
				g.step()
			}
			lib, err := docent.OpenDir(context.Background(), g.dir, dir, o)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(3)
			}
			_ = lib.Close()
		}
	}
	g := newGarden(t, 23, 30)
	index := filepath.Join(t.TempDir(), "index")
	g.manyFolders(index)
	for i := range rounds(8, 250) {
		killAtWork(t, time.Duration(g.rng.IntN(120))*time.Millisecond, "DOCENT_TEST_LIFE="+index, "DOCENT_TEST_DOCS="+g.dir, fmt.Sprint("DOCENT_TEST_SEED=", i))
		lib := g.open(index)
		fresh := g.open(filepath.Join(t.TempDir(), "fresh"))
		got, want := mustTranscript(t, lib), mustTranscript(t, fresh)
		_, _ = lib.Close(), fresh.Close()
		if got != want {
			t.Fatalf("kill %d: answers\n%s\nwant\n%s", i, got, want)
		}
	}
	g.step()
	_ = g.open(index).Close()
	if left, _ := filepath.Glob(filepath.Join(index, "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	cases.Tried(t, "R1", rounds(8, 250))
}

// However the list of folders is damaged, every file is found.
func TestDamagedFoldersAreReadAgain(t *testing.T) {
	g := newGarden(t, 29, 5)
	index := filepath.Join(t.TempDir(), "index")
	g.manyFolders(index)
	name := filepath.Join(index, "folders")
	intact, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rounds(60, 2000) {
		data := damage(g.rng, intact)
		if i%3 == 0 { // of one that was there before, too
			data = intact
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		added := fmt.Sprintf("more/%02d/new%d.md", g.rng.IntN(70), i)
		g.write(added)
		lib := g.open(index)
		list, err := lib.Files(context.Background(), "")
		_ = lib.Close()
		if want := len(g.files()) + 70 + 1; err != nil || len(list.Files) != want {
			t.Fatalf("damage %d: %+v, %v; want %d files", i, list, err, want)
		}
		if err := os.Remove(filepath.Join(g.dir, added)); err != nil {
			t.Fatal(err)
		}
	}
	cases.Tried(t, "R6", rounds(60, 2000))
}

// Writers that want different things of one index make it anew in turn. Each gets
// what it asked for, and none fails.
func TestWritersWithOtherSettings(t *testing.T) {
	g := newGarden(t, 31, 12)
	index := filepath.Join(t.TempDir(), "index")
	settings := []docent.Options{{Embed: "base"}, {Embed: "none"}, {}}
	var want []string
	for i, o := range settings {
		lib, err := docent.OpenDir(context.Background(), g.dir, filepath.Join(t.TempDir(), "own"), o)
		if err != nil {
			t.Fatal(i, err)
		}
		want = append(want, statusOf(t, lib).Model)
		_ = lib.Close()
	}
	var wait sync.WaitGroup
	for i, o := range settings {
		wait.Go(func() {
			for range rounds(8, 60) {
				lib, err := docent.OpenDir(context.Background(), g.dir, index, o)
				if err != nil {
					t.Error(err)
					return
				}
				if s, err := lib.Status(context.Background(), answer.StatusOptions{}); err != nil || s.Model != want[i] && o.Embed != "" {
					t.Errorf("vectors by %+v, want %q, %v", s, want[i], err)
				}
				if _, err := lib.Search(context.Background(), answer.Query{Text: "rotate key"}); err != nil {
					t.Error(err)
				}
				_ = lib.Close()
			}
		})
	}
	wait.Wait()
	cases.Tried(t, "R7", len(settings)*rounds(8, 60))
}

// A disk may be full when vectors come later, when changes come in, when they are
// merged and when there is no index at all: what is asked is answered, with the
// reason why it is not kept, and nothing is left behind.
func TestFullDiskLater(t *testing.T) {
	mount := smallDisk(t, 800<<10)
	index, ballast := filepath.Join(mount, "index"), filepath.Join(mount, "ballast")
	full := func(yes bool) {
		t.Helper()
		_ = os.Remove(ballast)
		if !yes {
			return
		}
		if err := os.WriteFile(ballast, bytes.Repeat([]byte("x"), 2<<20), 0o644); err == nil {
			t.Fatal("the ballast fitted")
		}
	}
	g := newGarden(t, 37, 20)
	open := func(o docent.Options) (*docent.Library, string) {
		t.Helper()
		var notes []string
		o.Note = func(s string) { notes = append(notes, s) }
		lib, err := docent.OpenDir(context.Background(), g.dir, index, o)
		if err != nil {
			t.Fatal(err)
		}
		return lib, strings.Join(notes, "\n")
	}
	// what asks, and compares the files of the answer and what lies in the folder.
	what := func(when string, o docent.Options, reason string) {
		t.Helper()
		before, _ := filepath.Glob(filepath.Join(index, "*"))
		lib, notes := open(o)
		defer lib.Close()
		if !strings.Contains(notes, reason) || !strings.Contains(notes, "no space left") {
			t.Errorf("%s: said %q", when, notes)
		}
		if _, err := lib.Search(t.Context(), answer.Query{Text: "rotate key", Limit: 20}); err != nil {
			t.Errorf("%s: %v", when, err)
		}
		after, _ := filepath.Glob(filepath.Join(index, "*"))
		if len(after) > max(len(before), 1) { // a lock stays
			t.Errorf("%s: left behind %v, before %v", when, after, before)
		}
	}
	full(true)
	what("no index", docent.Options{Embed: "base"}, "is built in memory")
	_ = os.RemoveAll(index)
	full(false)
	lib, _ := open(docent.Options{})
	if m := statusOf(t, lib).Model; m != "builtin, from the next search on" {
		t.Fatalf("vectors are there at once: %s", m)
	}
	_ = lib.Close()
	full(true)
	what("vectors", docent.Options{EagerVectors: true}, "not refreshed")
	full(false)
	_ = g.open(index).Close()
	for range 6 { // so often that they are merged
		g.write("a/changes.md")
		full(true)
		what("a change", docent.Options{}, "not refreshed")
		full(false)
		_ = g.open(index).Close()
	}
	lib, fresh := g.open(index), g.open(filepath.Join(t.TempDir(), "fresh"))
	defer lib.Close()
	defer fresh.Close()
	if mustTranscript(t, lib) != mustTranscript(t, fresh) {
		t.Error("afterwards the index differs from one made afresh")
	}
}
