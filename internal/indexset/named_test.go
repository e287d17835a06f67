package indexset_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/indexset"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// A served is a project with a folder of documents, api, and an index of that name.
type served struct {
	*indexset.Set
	t   *testing.T
	dir string
}

func serve(t *testing.T, o indexset.Options) *served {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	s := &served{t: t, dir: t.TempDir()}
	s.write("api/http.md", "# HTTP\n\nEvery request carries a token.\n")
	var err error
	if s.Set, err = indexset.OfProject(s.dir, o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	s.make("api", "api")
	return s
}

func (s *served) write(name, text string) {
	s.t.Helper()
	file := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *served) make(name, folder string) {
	s.t.Helper()
	if _, err := s.Make(s.t.Context(), name, "", filepath.Join(s.dir, folder), indexset.MakeOptions{}); err != nil {
		s.t.Fatal(err)
	}
}

// files are the documents that an index answers from now.
func (s *served) files(n *indexset.Named) []string {
	s.t.Helper()
	var out []string
	err := refresh.Do(s.t.Context(), n, func(snap snapshot.Snapshot) error {
		files, err := snap.Files(s.t.Context(), "")
		for _, f := range files {
			out = append(out, f.File)
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

func (s *served) named(name string) *indexset.Named {
	s.t.Helper()
	n, err := s.Named(name)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// With a watch, named indexes are refreshed when their files change, from the start:
// before anything is asked.
func TestNamedIndexesAreWatched(t *testing.T) {
	s := serve(t, indexset.Options{Background: &refresh.Background{Interval: time.Hour}, Watch: true})
	s.OpenAll(t.Context(), func(note string) { t.Error(note) })
	api := s.named("api")
	if got := s.files(api); !slices.Equal(got, []string{"http.md"}) {
		t.Fatalf("got %q", got)
	}
	s.write("api/new.md", "# New\n")
	for giveUp := time.Now().Add(time.Minute); !slices.Contains(s.files(api), "new.md"); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(giveUp) {
			t.Fatal("a new file is never seen")
		}
	}
}

// Without one, calls compare files when that is due, and not before.
func TestNamedIndexesAreComparedWhenDue(t *testing.T) {
	for _, c := range []struct {
		name     string
		interval time.Duration
		want     bool
	}{{"due", time.Nanosecond, true}, {"not due", time.Hour, false}} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, indexset.Options{Background: &refresh.Background{Interval: c.interval, RefreshWait: time.Minute}})
			api := s.named("api")
			s.files(api)
			s.write("api/new.md", "# New\n")
			if got := s.files(api); slices.Contains(got, "new.md") != c.want {
				t.Errorf("got %q", got)
			}
		})
	}
}

// Whatever index has the name now is asked: one that was made again, of another folder,
// and none once it is removed.
func TestANameIsWhatItNamesNow(t *testing.T) {
	for _, c := range []struct {
		name string
		o    indexset.Options
	}{{"opened at once", indexset.Options{}}, {"in the background", indexset.Options{Background: &refresh.Background{Interval: time.Hour}}}} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, c.o)
			api := s.named("api")
			if got := s.files(api); !slices.Equal(got, []string{"http.md"}) {
				t.Errorf("at first: %q", got)
			}
			s.write("other/x.md", "# Okapi\n")
			s.make("api", "other")
			if got := s.files(api); !slices.Equal(got, []string{"x.md"}) {
				t.Errorf("made again: %q", got)
			}
			if err := s.Remove(t.Context(), "api"); err != nil {
				t.Fatal(err)
			}
			if _, _, err := api.Acquire(t.Context()); !errors.Is(err, indexset.ErrNoIndex) {
				t.Errorf("removed: %v", err)
			}
			if _, err := s.Named("api"); !errors.Is(err, indexset.ErrNoIndex) {
				t.Errorf("by its name: %v", err)
			}
			// Windows leaves segments that a reader has mapped: they are in nobody's way.
			s.make("api", "other")
			if got := s.files(s.named("api")); !slices.Equal(got, []string{"x.md"}) {
				t.Errorf("made after it was removed: %q", got)
			}
		})
	}
}

// An index that cannot be opened is left out of all, unless it was asked for by name.
func TestIndexesThatCannotBeOpenedAreLeftOut(t *testing.T) {
	var notes []string
	s := serve(t, indexset.Options{Options: refresh.Options{Note: func(s string) { notes = append(notes, s) }}})
	s.write("other/x.md", "# Okapi\n\nAn okapi carries no token.\n")
	s.make("other", "other")
	if err := os.RemoveAll(filepath.Join(s.dir, "api")); err != nil {
		t.Fatal(err)
	}
	a, err := s.Search(t.Context(), indexset.All, answer.Query{Text: "token"}, nil)
	if err != nil || len(a.Hits) != 1 || a.Hits[0].Index != "other" || len(notes) == 0 {
		t.Errorf("all: %+v, %v, saying %q", a, err, notes)
	}
	if _, err := s.Search(t.Context(), "api,other", answer.Query{Text: "token"}, nil); !errors.Is(err, answer.ErrNoPath) {
		t.Errorf("by name: %v", err)
	}
}

// A folder outside the project whose index could not be built is not approved by that: a
// list that came with a clone must not lead there.
func TestFailedIndexApprovesNothing(t *testing.T) {
	s := serve(t, indexset.Options{})
	outside := t.TempDir()
	if _, err := s.Make(t.Context(), "out", "", outside, indexset.MakeOptions{}); !errors.Is(err, answer.ErrNoDocuments) {
		t.Errorf("error %v", err)
	}
	s.write(".docent/indexes/indexes.json", `[{"name": "out", "root": "`+filepath.ToSlash(outside)+`"}]`)
	if _, err := s.Make(t.Context(), "out", "", "", indexset.MakeOptions{}); err == nil || !strings.Contains(err.Error(), "you have not approved it") {
		t.Errorf("error %v", err)
	}
}
