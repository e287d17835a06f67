package docent_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/gates/cases"
)

// Whatever is done to a file, the next question gets its text as it is now, or none of
// it, by search, grep, read and section.
func TestChangedFilesAreNotServedAsTheyWere(t *testing.T) {
	const batch = 25
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(43, 1))
	files := rounds(100, 1000)
	name := func(i int) string { return filepath.Join(dir, fmt.Sprintf("d%d", i%7), fmt.Sprintf("f%d.md", i)) }
	text := func(i int, word string) string {
		return fmt.Sprintf("# Page %s%d\n\nThe word is %s%d.\n\n## More\n\nAnd %s%d again.\n", word, i, word, i, word, i)
	}
	for i := range files {
		writeFile(t, name(i), text(i, "before"))
	}
	lib := openAt(t, dir, filepath.Join(t.TempDir(), "index"), docent.Options{})
	for from := 0; from < files; from += batch {
		for i := from; i < min(from+batch, files); i++ {
			var err error
			switch path := name(i); rng.IntN(7) {
			case 0:
				err = os.Remove(path)
			case 1:
				err = os.Truncate(path, 0)
			case 2:
				err = os.Truncate(path, 9)
			case 3:
				err = os.WriteFile(path, []byte(text(i, "later!")), 0o644) // as long as it was
			case 4:
				err = os.Rename(path, filepath.Join(dir, fmt.Sprintf("moved%d.md", i)))
			case 5:
				err = os.WriteFile(path, append([]byte(text(i, "before")), 0), 0o644) // binary now
			default:
				err = os.WriteFile(path, []byte(text(i, "afterwards")), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for i := from; i < min(from+batch, files); i++ {
			word := fmt.Sprintf("before%d", i)
			a, err := lib.Search(t.Context(), answer.Query{Text: word, Limit: 50})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range a.Hits {
				if now, err := os.ReadFile(filepath.Join(dir, h.File)); strings.Contains(h.Body, word) && (err != nil || !strings.Contains(string(now), h.Body)) {
					t.Errorf("search for %s gives %s as it was", word, h.Ref)
				}
			}
			m, err := lib.Grep(t.Context(), word+`\b`, answer.GrepOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range m.Matches {
				if now, err := os.ReadFile(filepath.Join(dir, f.Path)); err != nil || !strings.Contains(string(now), word) {
					t.Errorf("grep for %s finds it in %s, where it was", word, f.Path)
				}
			}
			rel, _ := filepath.Rel(dir, name(i))
			now, _ := os.ReadFile(name(i))
			if r, err := lib.Read(t.Context(), filepath.ToSlash(rel), answer.ReadOptions{Plain: true}); err == nil && r.Text != string(now) {
				t.Errorf("read gives %s as it was: %q, now %q", rel, r.Text, now)
			}
			if s, err := lib.Section(t.Context(), filepath.ToSlash(rel), answer.SectionOptions{}); err == nil && !strings.Contains(string(now), strings.TrimSpace(s.Section.Content)) {
				t.Errorf("section gives %s as it was: %q, now %q", rel, s.Section.Content, now)
			}
		}
	}
	cases.Tried(t, "R10", files)
}

// Files are edited, moved and deleted while they are indexed. When they have come to rest,
// the next question is answered as by an index made afresh.
func TestChangesWhileIndexing(t *testing.T) {
	g := newGarden(t, 47, 40)
	index := filepath.Join(t.TempDir(), "index")
	open := func(index string) *docent.Library {
		lib, err := docent.OpenDir(t.Context(), g.dir, index, docent.Options{Embed: "none"})
		if err != nil {
			t.Fatal(err)
		}
		return lib
	}
	schedules := rounds(12, 1000)
	for i := range schedules {
		if i%3 == 0 {
			_ = os.RemoveAll(index)
		}
		stop, stopped := make(chan bool), make(chan bool)
		go func() {
			defer close(stopped)
			for {
				select {
				case <-stop:
					return
				default:
					g.step()
				}
			}
		}()
		_ = open(index).Close()
		close(stop)
		<-stopped
		lib, fresh := open(index), open(filepath.Join(t.TempDir(), "fresh"))
		got, want := mustTranscript(t, lib), mustTranscript(t, fresh)
		_, _ = lib.Close(), fresh.Close()
		if got != want {
			t.Fatalf("schedule %d: answers\n%s\nwant\n%s", i, got, want)
		}
	}
	cases.Tried(t, "R8", schedules)
}
