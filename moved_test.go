package docent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// Citations are of chunks, as search gives them, and of sections, which may be
// parts of a chunk or several: all of them are found again wherever their text
// has gone.
func TestVerifyFindsWhatMoved(t *testing.T) {
	ctx := t.Context()
	dir, index := t.TempDir(), filepath.Join(t.TempDir(), "index")
	write := func(name, text string) {
		t.Helper()
		writeFile(t, filepath.Join(dir, name), text)
	}
	remove := func(name string) {
		t.Helper()
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	var long strings.Builder
	for i := range 60 {
		fmt.Fprintf(&long, "Paragraph %d says %s.\n\n", i, strings.Repeat("much ", 30))
	}
	text := "# Guide\n\nRead it.\n\n## Long\n\n" + long.String() + "### Under it\n\nMore.\n\n## Short\n\nOne.\n\n## Shorter\n\nTwo.\n"
	write("a.md", text)
	var cited []string
	ask := func(f func(*docent.Library)) {
		t.Helper()
		lib, err := docent.OpenDir(ctx, dir, index, docent.Options{Embed: "none"})
		if err != nil {
			t.Fatal(err)
		}
		defer lib.Close()
		f(lib)
	}
	ask(func(l *docent.Library) {
		for _, ref := range []string{"a.md#long", "a.md#under-it", "a.md#short", "a.md#shorter"} {
			v, err := l.Section(ctx, ref, answer.SectionOptions{})
			if err != nil {
				t.Fatal(err)
			}
			cited = append(cited, fmt.Sprintf("%s:%d-%d@%s", ref, v.Section.Source.Lines[0], v.Section.Source.Lines[1], v.Section.Hash))
		}
		a, err := l.Search(ctx, answer.Query{Text: "two"})
		if err != nil || len(a.Hits) == 0 {
			t.Fatalf("%+v, %v", a, err)
		}
		cited = append(cited, a.Hits[0].Citation)
	})
	all := func(when, status string, place func(string) string) {
		t.Helper()
		ask(func(l *docent.Library) {
			for _, c := range cited {
				v, err := l.Verify(ctx, c)
				if err != nil || v.Status != status || place != nil && v.Now != place(c) {
					t.Errorf("%s: %s: %+v, %v", when, c, v, err)
				}
			}
		})
	}
	shifted := func(file string, by int) func(string) string {
		return func(c string) string {
			var anchor, hash string
			var from, to int
			rest := strings.TrimPrefix(c, "a.md#")
			anchor, rest, _ = strings.Cut(rest, ":")
			if _, err := fmt.Sscanf(rest, "%d-%d@%s", &from, &to, &hash); err != nil {
				t.Fatal(c, err)
			}
			return fmt.Sprintf("%s#%s:%d-%d@%s", file, anchor, from+by, to+by, hash)
		}
	}
	all("as it was", answer.Same, nil)
	write("a.md", strings.Replace(text, "Read it.\n", "Read it.\n\nAll of it.\n", 1))
	all("lines above it", answer.Moved, shifted("a.md", 2))
	write("b.md", strings.Replace(text, "Read it.\n", "Read it.\n\nAll of it.\n", 1))
	all("and a copy elsewhere", answer.Moved, shifted("a.md", 2))
	remove("a.md")
	all("another name", answer.Moved, shifted("b.md", 2))

	// The file that has it now may be gone too, and nobody has compared since.
	ask(func(l *docent.Library) {
		write("c.md", "# Other\n")
		remove("b.md")
		for _, c := range cited {
			if v, err := l.Verify(ctx, c); err == nil && v.Status == answer.Moved {
				t.Errorf("%s is said to be in a file that is gone: %s", c, v.Now)
			}
		}
	})
	all("gone", answer.Gone, nil)
}
