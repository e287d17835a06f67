package docent

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Where files were compared a while ago, what is not found may have been written
// since: it is looked for again before anyone is told that it is not there. Who
// keeps a library by himself is not troubled with it.
func TestNothingIsMissingUnlessJustCompared(t *testing.T) {
	ctx := context.Background()
	const text = "# Zebra\n\nA zebra has stripes.\n"
	for name, ask := range map[string]func(*Library) (bool, error){
		"search": func(l *Library) (bool, error) {
			a, err := l.Search(ctx, Query{Text: "zebra"})
			return err == nil && len(a.Hits) > 0, err
		},
		"grep": func(l *Library) (bool, error) {
			m, err := l.Grep("stripes", GrepOptions{})
			return len(m) == 1, err
		},
		"read": func(l *Library) (bool, error) {
			got, err := l.Read("zebra.md", ReadOptions{})
			return strings.Contains(got, "stripes"), err
		},
		"a section": func(l *Library) (bool, error) {
			v, err := l.Section(ctx, "a.md#zebra")
			return v != nil, err
		},
		"verify": func(l *Library) (bool, error) {
			v, err := l.Verify("gone.md#zebra:1-3@" + hashText(hashOf([]byte(text))))
			return err == nil && v.Status == Moved, err
		},
		"a quoted phrase of a named index": func(l *Library) (bool, error) {
			u := &Union{libs: []*Library{l}, names: []string{"docs"}}
			if err := u.join(); err != nil {
				return false, err
			}
			a, err := u.Search(ctx, Query{Text: `"zebra has"`})
			return err == nil && len(a.Hits) > 0, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) {
				t.Helper()
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			write("a.md", "# A\n\nText.\n")
			open := func(o Options) *Library {
				t.Helper()
				lib, err := OpenDir(ctx, dir, filepath.Join(t.TempDir(), "index"), o)
				if err != nil {
					t.Fatal(err)
				}
				lib.setFresh(freshness{checked: time.Now().Add(-time.Minute)})
				return lib
			}
			k := NewKeeper(open(Options{Confirm: true}), Options{})
			defer k.Close()
			own := open(Options{})
			defer own.Close()
			write("zebra.md", text)
			write("a.md", "# A\n\nText.\n\n## Zebra\n\nMore of them.\n")
			if ok, err := ask(own); ok || errors.Is(err, ErrStale) {
				t.Errorf("of a library that is kept as it is: found %v, %v", ok, err)
			}
			found := false
			if err := k.With(ctx, func(l *Library) (err error) {
				found, err = ask(l)
				return err
			}); err != nil || !found {
				t.Errorf("found %v, %v", found, err)
			}
		})
	}
}

// Where all files are compared only now and then, a folder that was renamed leaves
// many behind that are gone: their answers once ran out of patience, file by file.
func TestRenamedFolderBehindAnAnswer(t *testing.T) {
	ctx := context.Background()
	for _, way := range []string{"renamed", "changed"} {
		g := newGarden(t, 41, 0)
		for i := range 60 {
			g.write(filepath.ToSlash(filepath.Join("a", strings.Repeat("x", i+1)+".md")))
		}
		lib := g.open(filepath.Join(t.TempDir(), "index"))
		lib.setFresh(freshness{checked: time.Now(), earlier: true})
		k := NewKeeper(lib, Options{})
		if way == "renamed" {
			if err := os.Rename(filepath.Join(g.dir, "a"), filepath.Join(g.dir, "b")); err != nil {
				t.Fatal(err)
			}
		} else {
			for _, name := range g.files() { // with other words: the next best come up
				if err := os.WriteFile(name, []byte("# Other\n\nNothing of that kind, but for a key.\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		var a *Answer
		if err := k.With(ctx, func(l *Library) (err error) {
			a, err = l.Search(ctx, Query{Text: "rotate key"})
			return err
		}); err != nil || len(a.Hits) == 0 || way == "renamed" && !strings.HasPrefix(a.Hits[0].File, "b/") {
			t.Errorf("%s: %v", way, err)
		}
		_ = k.Close()
	}
}
