package docent_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// Where files were compared a while ago, what is not found may have been written
// since: it is looked for again before anyone is told that it is not there. Who
// does not ask for it is not troubled with it.
func TestNothingIsMissingUnlessJustCompared(t *testing.T) {
	const text = "# Zebra\n\nA zebra has stripes.\n"
	for name, find := range map[string]func(context.Context, *docent.Library) (bool, error){
		"search": func(ctx context.Context, l *docent.Library) (bool, error) {
			a, err := l.Search(ctx, answer.Query{Text: "zebra"})
			return err == nil && len(a.Hits) > 0, err
		},
		"grep": func(ctx context.Context, l *docent.Library) (bool, error) {
			m, err := l.Grep(ctx, "stripes", answer.GrepOptions{})
			return err == nil && m.Total == 1, err
		},
		"read": func(ctx context.Context, l *docent.Library) (bool, error) {
			r, err := l.Read(ctx, "zebra.md", answer.ReadOptions{})
			return err == nil && strings.Contains(r.Text, "stripes"), err
		},
		"a section": func(ctx context.Context, l *docent.Library) (bool, error) {
			v, err := l.Section(ctx, "a.md#zebra", answer.SectionOptions{})
			return v != nil, err
		},
		"verify": func(ctx context.Context, l *docent.Library) (bool, error) {
			v, err := l.Verify(ctx, "gone.md#zebra:1-3@"+answer.HashText(answer.HashOf([]byte(text))))
			return err == nil && v.Status == answer.Moved, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "a.md"), "# A\n\nText.\n")
			confirming := openAt(t, dir, filepath.Join(t.TempDir(), "index"), docent.Options{Confirm: true})
			own := openIn(t, dir)
			time.Sleep(aWhile)
			writeFile(t, filepath.Join(dir, "zebra.md"), text)
			writeFile(t, filepath.Join(dir, "a.md"), "# A\n\nText.\n\n## Zebra\n\nMore of them.\n")
			if ok, err := find(t.Context(), own); ok || err != nil && strings.Contains(err.Error(), "changed") {
				t.Errorf("of a library that is used as it is: found %v, %v", ok, err)
			}
			if ok, err := find(t.Context(), confirming); !ok || err != nil {
				t.Errorf("found %v, %v", ok, err)
			}
		})
	}
}

// aWhile is longer than a comparison of all files counts for what is not found.
const aWhile = 300 * time.Millisecond

// The same of a quoted phrase in a named index.
func TestNothingIsMissingInANamedIndex(t *testing.T) {
	for _, confirm := range []bool{true, false} {
		s := newSet(t, map[string]string{"docs/a.md": "# A\n\nText.\n"}, docent.Options{Confirm: confirm})
		s.make("docs", "docs", docent.MakeOptions{})
		find := func() bool {
			t.Helper()
			a, err := s.Search(t.Context(), "docs", answer.Query{Text: `"zebra has"`})
			if err != nil {
				t.Fatal(err)
			}
			return len(a.Hits) > 0
		}
		if find() {
			t.Fatal("found before it was written")
		}
		time.Sleep(aWhile)
		writeFile(t, filepath.Join(s.dir, "docs", "zebra.md"), "# Zebra\n\nA zebra has stripes.\n")
		if found := find(); found != confirm {
			t.Errorf("with Confirm %v: found %v", confirm, found)
		}
	}
}

// Where all files are compared only now and then, a folder that was renamed leaves
// many behind that are gone: their answers once ran out of patience, file by file.
func TestRenamedFolderBehindAnAnswer(t *testing.T) {
	for _, way := range []string{"renamed", "changed"} {
		g := newGarden(t, 41, 0)
		for i := range 60 {
			g.write(filepath.ToSlash(filepath.Join("a", strings.Repeat("x", i+1)+".md")))
		}
		lib := opened(t, g.open(filepath.Join(t.TempDir(), "index")), nil)
		if way == "renamed" {
			if err := os.Rename(filepath.Join(g.dir, "a"), filepath.Join(g.dir, "b")); err != nil {
				t.Fatal(err)
			}
		} else {
			for _, name := range g.files() { // with other words: the next best come up
				writeFile(t, name, "# Other\n\nNothing of that kind, but for a key.\n")
			}
		}
		a := ask(t, lib, answer.Query{Text: "rotate key"})
		if len(a.Hits) == 0 || way == "renamed" && !strings.HasPrefix(a.Hits[0].File, "b/") {
			t.Errorf("%s: found %v", way, refs(a))
		}
	}
}
