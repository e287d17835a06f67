package docent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/refresh"
)

// watched starts a watch of a project that keeps its index up to date, with vectors by
// the table as it ships: see garden.open. It returns how to wait until a condition
// holds after some call.
func watched(t *testing.T, root string) (until func(what string, ok func() bool)) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	calls, done := make(chan struct{}, 1), make(chan error, 1)
	go func() {
		done <- refresh.Watch(ctx, root, refresh.WatchOptions{Debounce: 20 * time.Millisecond}, func() {
			if _, err := refresh.Index(ctx, root, false, refresh.Options{Embed: "base"}); err != nil && ctx.Err() == nil {
				t.Log(err) // no documents for a moment, perhaps
			}
			select {
			case calls <- struct{}{}:
			default:
			}
		})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return func(what string, ok func() bool) {
		t.Helper()
		giveUp := time.After(2 * time.Minute)
		for !ok() {
			select {
			case <-calls:
			case <-giveUp:
				t.Fatalf("%s: not seen", what)
			}
		}
	}
}

// indexed lists the files of an index as it lies there.
func indexed(t testing.TB, root string) string {
	t.Helper()
	if !corpus.Indexed(root) {
		return "no index" // and none is made
	}
	lib, err := docent.Open(t.Context(), root, docent.Options{NoRefresh: true})
	if err != nil {
		return err.Error()
	}
	defer lib.Close()
	list, err := lib.Files(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range list.Files {
		names = append(names, f.File+":"+f.Title)
	}
	return strings.Join(names, " ")
}

func TestWatchFollowsFilesFoldersAndConfig(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	writeFile(t, at(".docent.json"), `{"paths": ["docs"]}`)
	writeFile(t, at("docs/a.md"), "# A\n")
	writeFile(t, at("other/o.md"), "# O\n")
	until := watched(t, dir)
	see := func(what, want string) {
		t.Helper()
		until(what, func() bool { return indexed(t, dir) == want })
	}
	see("what was there", "docs/a.md:A")
	writeFile(t, at("docs/new/deep/b.md"), "# B\n")
	see("a file in new folders", "docs/a.md:A docs/new/deep/b.md:B")
	writeFile(t, at("docs/.a.tmp"), "# A again\n")
	if err := os.Rename(at("docs/.a.tmp"), at("docs/a.md")); err != nil {
		t.Fatal(err)
	}
	see("a file saved by a rename", "docs/a.md:A again docs/new/deep/b.md:B")
	if err := os.Rename(at("docs/new"), at("docs/newer")); err != nil {
		t.Fatal(err)
	}
	see("a folder that was renamed", "docs/a.md:A again docs/newer/deep/b.md:B")
	writeFile(t, at("docs/.gitignore"), "newer/\n")
	see("a .gitignore", "docs/a.md:A again")
	writeFile(t, at(".docent.json"), `{"paths": ["docs", "other"]}`)
	see("a config that names more", "docs/a.md:A again other/o.md:O")
	writeFile(t, at("other/p.md"), "# P\n")
	see("a file in what it named", "docs/a.md:A again other/o.md:O other/p.md:P")
	writeFile(t, at(".docent.json"), `{"paths": [`)
	writeFile(t, at("other/q.md"), "# Q\n")
	writeFile(t, at(".docent.json"), `{"paths": ["docs", "other"], "ignore": ["o.md"]}`)
	see("a config that was broken for a while", "docs/a.md:A again other/p.md:P other/q.md:Q")
}

// A burst of changes settles to what an index made afresh holds. 5,000 files
// under "make torture".
func TestBurstSettlesToARebuild(t *testing.T) {
	files := rounds(400, 5000)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	g := newGarden(t, 23, 5)
	for i := range files {
		writeFile(t, filepath.Join(g.dir, fmt.Sprintf("%d/page-%d.md", i%50, i)), fmt.Sprintf("# Page %d\n\n%s\n", i, g.words(20)))
	}
	writeFile(t, filepath.Join(g.dir, ".docent.json"), `{}`)
	until := watched(t, g.dir)
	until("the first index", func() bool {
		return strings.Count(indexed(t, g.dir), ".md:") >= files
	})
	for i := range files {
		name := filepath.Join(g.dir, fmt.Sprintf("%d/page-%d.md", i%50, i))
		var err error
		switch i % 10 {
		case 0:
			err = os.Remove(name)
		case 1:
			err = os.Rename(name, filepath.Join(g.dir, fmt.Sprintf("%d/moved-%d.md", (i+1)%50, i)))
		case 2:
			writeFile(t, filepath.Join(g.dir, fmt.Sprintf("new/%d/page-%d.md", i%7, i)), "# New\n\n"+g.words(20)+"\n")
		case 3, 4:
			writeFile(t, name+".tmp", fmt.Sprintf("# Saved %d\n\n%s\n", i, g.words(20)))
			err = os.Rename(name+".tmp", name)
		default:
			writeFile(t, name, fmt.Sprintf("# Changed %d\n\n%s\n", i, g.words(20)))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	fresh := opened(t, g.open(filepath.Join(t.TempDir(), "fresh")), nil)
	want := filesOf(t, fresh)
	until("the burst", func() bool {
		lib, err := docent.Open(t.Context(), g.dir, docent.Options{NoRefresh: true})
		if err != nil {
			return false
		}
		defer lib.Close()
		if filesOf(t, lib) != want {
			return false
		}
		text, err := transcript(lib)
		return err == nil && text == mustTranscript(t, fresh)
	})
	cases.Tried(t, "R8", files)
}

func filesOf(t testing.TB, lib *docent.Library) string {
	t.Helper()
	list, err := lib.Files(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	b := &strings.Builder{}
	_ = list.WriteText(b)
	return b.String()
}
