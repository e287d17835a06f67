package docent_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/pack"
	"github.com/docent-md/docent/internal/store"
	"github.com/docent-md/docent/internal/store/sqlite"
)

// A faultStore is what is written while faults strike.
type faultStore struct {
	documents int // how many are written

	// interrupt leaves the store as a program that was killed does; nil if any other test
	// has that.
	interrupt func(t *testing.T, docs, at string)

	// write makes the store at a path, or changes it, so that it has the documents.
	write func(ctx context.Context, docs, at string) error

	// check looks at what a fault left, before anybody mends it. The store may be missing
	// where it is new; otherwise it has the texts before or after, by path.
	check func(t *testing.T, fault, at string, isNew bool, before, after map[string]string)

	answers func(t *testing.T, docs, at string) string
}

// faultStores are a folder's index, a pack and a database; that is also made anew.
var faultStores = map[string]faultStore{
	"index": {
		documents: 200,
		write: func(ctx context.Context, docs, at string) error {
			lib, err := docent.OpenDir(ctx, docs, at, docent.Options{Embed: "none"})
			if err != nil {
				return err
			}
			return lib.Close()
		},
		check: func(t *testing.T, fault, at string, isNew bool, _, _ map[string]string) {
			s, err := segment.OpenStore(at)
			if errors.Is(err, fs.ErrNotExist) && isNew {
				return
			}
			if err == nil {
				err = s.Verify()
				_ = s.Close()
			}
			if err != nil {
				t.Errorf("%s: the index is not whole: %v", fault, err)
			}
		},
		answers: func(t *testing.T, docs, at string) string {
			return mustTranscript(t, openAt(t, docs, at, docent.Options{Embed: "none"}))
		},
	},
	"pack": {
		documents: 200,
		write: func(ctx context.Context, docs, at string) error {
			lib, err := docent.FromFS(ctx, os.DirFS(docs))
			if err != nil {
				return err
			}
			defer lib.Close()
			_, err = lib.Pack(ctx, at, answer.PackOptions{})
			return err
		},
		check: func(t *testing.T, fault, at string, isNew bool, before, after map[string]string) {
			if _, err := os.Stat(at); errors.Is(err, fs.ErrNotExist) && isNew {
				return
			}
			if err := pack.Verify(at); err != nil {
				t.Errorf("%s: the pack is not whole: %v", fault, err)
				return
			}
			lib, err := docent.Open(t.Context(), at, docent.Options{})
			got := readAll(t, opened(t, lib, err))
			if fmt.Sprint(got) != fmt.Sprint(before) && fmt.Sprint(got) != fmt.Sprint(after) {
				t.Errorf("%s: the pack has neither the documents before nor those after", fault)
			}
		},
		answers: func(t *testing.T, _, at string) string {
			lib, err := docent.Open(t.Context(), at, docent.Options{})
			return mustTranscript(t, opened(t, lib, err))
		},
	},
	"database":           databaseUnderFaults(false),
	"database made anew": withLog(databaseUnderFaults(true)),
}

// withLog has the last changes of a database in its log only: who replaces the file must
// not lose the log before.
func withLog(s faultStore) faultStore {
	s.interrupt = func(t *testing.T, docs, at string) {
		t.Helper()
		db, err := sqlite.Create(t.Context(), at) // while it is open, the log stays
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Files(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := store.IndexDB(t.Context(), at, nil, store.Options{Root: docs}); err != nil {
			t.Fatal(err)
		}
		killed := filepath.Join(t.TempDir(), "killed")
		if err := os.CopyFS(killed, os.DirFS(filepath.Dir(at))); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(db.Close(), os.RemoveAll(filepath.Dir(at)), os.Rename(killed, filepath.Dir(at))); err != nil {
			t.Fatal(err)
		}
		if log, err := os.Stat(at + "-wal"); err != nil || log.Size() == 0 {
			t.Fatalf("no log: %v", err)
		}
	}
	return s
}

func databaseUnderFaults(full bool) faultStore {
	return faultStore{
		documents: 5,
		write: func(ctx context.Context, docs, at string) error {
			_, err := store.IndexDB(ctx, at, nil, store.Options{Root: docs, Full: full})
			return err
		},
		check: func(t *testing.T, fault, at string, isNew bool, before, after map[string]string) {
			db, err := sqlite.Open(t.Context(), at)
			if isNew && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, sqlite.ErrForeign)) {
				return // without tables yet
			}
			if err == nil {
				err = db.Check(t.Context())
				_ = db.Close()
			}
			if err != nil {
				t.Errorf("%s: the database is not whole: %v", fault, err)
				return
			}
			lib, err := docent.OpenDB(t.Context(), at, docent.Options{})
			got := readAll(t, opened(t, lib, err))
			for path, text := range got {
				if text != before[path] && text != after[path] {
					t.Errorf("%s: %s is neither as it was nor as it is", fault, path)
				}
			}
			if !isNew && len(got) < min(len(before), len(after))-5 {
				t.Errorf("%s: %d documents are left of %d", fault, len(got), len(before))
			}
		},
		answers: func(t *testing.T, _, at string) string {
			lib, err := docent.OpenDB(t.Context(), at, docent.Options{})
			opened(t, lib, err)
			var b strings.Builder
			fmt.Fprint(&b, readAll(t, lib))
			for _, q := range questions {
				fmt.Fprintf(&b, "%s: %v\n", q, refs(ask(t, lib, answer.Query{Text: q, Limit: 20})))
			}
			return b.String()
		},
	}
}

// readAll reads all documents of a library, by path.
func readAll(t *testing.T, lib *docent.Library) map[string]string {
	t.Helper()
	list, err := lib.Files(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range list.Files {
		r, err := lib.Read(t.Context(), f.File, answer.ReadOptions{Limit: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		out[f.File] = strings.TrimRight(r.Text, "\n")
	}
	return out
}

// texts are the documents in a folder as readAll returns them.
func texts(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		out[filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator)))] = strings.TrimRight(string(text), "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
