package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/docent-md/docent/internal/store/backend"
)

// document is a document of some chunks, one under the other.
func document(path string, bodies ...string) *backend.File {
	f := &backend.File{Path: path, Name: "About " + path, Origin: ".", Hash: strings.Join(bodies, "/")}
	f.Parents = []backend.Section{{ID: path + "#top", Title: "Top", Path: "Top", Lines: [2]int{1, 1}}}
	for i, body := range bodies {
		words := strings.Fields(body)
		f.Chunks = append(f.Chunks, backend.Chunk{
			Section: backend.Section{ID: fmt.Sprintf("%s#s%d", path, i), Parent: path + "#top", Title: words[0], Path: "Top → " + words[0], Lines: [2]int{2 + i, 2 + i}},
			File:    path, Content: body, Data: []byte("{}"), Vector: []float32{float32(i), 1, 0},
			Words: backend.Words{Title: words[:1], Body: words, Terms: words, Lengths: [3]int{1, 0, len(words)}},
			Refs:  []backend.Reference{{To: path + "#top", Text: "up"}, {Text: "nowhere"}},
		})
	}
	return f
}

func create(t testing.TB, files ...*backend.File) *DB {
	t.Helper()
	db, err := Create(context.Background(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	put(t, db, files...)
	return db
}

func put(t testing.TB, db *DB, files ...*backend.File) {
	t.Helper()
	tx, err := db.Begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := tx.Put(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

func find(t testing.TB, db *DB, q backend.Query) []string {
	t.Helper()
	if q.K == 0 {
		q.K = 100
	}
	found, err := db.Candidates(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, c := range found {
		out = append(out, c.ID)
	}
	slices.Sort(out)
	return out
}

func oneWord(s string) []backend.Word { return []backend.Word{{Text: s}} }

func TestCandidates(t *testing.T) {
	db := create(t, document("a.md", "rotate keys often", "lost keys"), document("b.md", "drain nodes", "rotate logs"))
	for _, c := range []struct {
		name string
		q    backend.Query
		want []string
	}{
		{"any of the words will do", backend.Query{Any: []backend.Word{{Text: "keys"}, {Text: "drain"}}}, []string{"a.md#s0", "a.md#s1", "b.md#s0"}},
		{"what must be there is", backend.Query{Any: oneWord("rotate"), Must: [][]backend.Word{oneWord("keys")}}, []string{"a.md#s0"}},
		{"one of a group is enough", backend.Query{Any: oneWord("rotate"), Must: [][]backend.Word{{{Text: "logs"}, {Text: "often"}}}}, []string{"a.md#s0", "b.md#s1"}},
		{"what must not be there is not", backend.Query{Any: oneWord("rotate"), Not: []string{"keys", "none"}}, []string{"b.md#s1"}},
		{"only titles count", backend.Query{Any: []backend.Word{{Text: "keys", Title: true}}}, []string{}},
		{"only some files", backend.Query{Any: oneWord("rotate"), Files: []string{"b.md"}}, []string{"b.md#s1"}},
		{"no files at all", backend.Query{Any: oneWord("rotate"), Files: []string{}}, []string{}},
		{"terms are told from words", backend.Query{Any: oneWord("=rotate")}, []string{"a.md#s0", "b.md#s1"}},
		{"nothing is asked for", backend.Query{}, []string{}},
	} {
		if got := find(t, db, c.q); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if got := find(t, db, backend.Query{Any: oneWord("rotate"), K: 1}); len(got) != 1 {
		t.Errorf("asked for one, got %q", got)
	}
}

func TestNearestVectors(t *testing.T) {
	db := create(t, document("a.md", "one", "two", "three"))
	near, err := db.Near(context.Background(), []float32{2, 1, 0}, 2, nil)
	if err != nil || len(near) != 2 {
		t.Fatal(near, err)
	}
	for _, c := range near {
		if c.ID == "a.md#s0" || len(c.Vector) != 3 {
			t.Errorf("%s, %v is not among the nearest", c.ID, c.Vector)
		}
	}
	if near, err = db.Near(context.Background(), []float32{2, 1, 0}, 2, []string{"b.md"}); err != nil || len(near) != 0 {
		t.Errorf("of another file: %v, %v", near, err)
	}
}

func TestCountsAreThoseOfChunks(t *testing.T) {
	db := create(t, document("a.md", "rotate rotate keys", "lost keys"), document("b.md", "rotate logs"))
	ctx := context.Background()
	words, err := db.Words(ctx, []string{"rotate", "keys", "none", "=keys"})
	if err != nil || !slices.Equal(words, []int{2, 2, 0, 2}) {
		t.Error(words, err)
	}
	terms, err := db.Terms(ctx, []string{"rotate", "lost"})
	if err != nil || !slices.Equal(terms, []int{2, 1}) {
		t.Error(terms, err)
	}
	some, err := db.Vocabulary(ctx, "lo")
	if err != nil || !slices.Equal(some, []string{"logs", "lost"}) {
		t.Error(some, err)
	}
	s, err := db.Stats(ctx)
	if err != nil || s.Files != 2 || s.Chunks != 3 || s.Sections != 5 || s.Lengths != [3]uint64{3, 0, 7} {
		t.Error(s, err)
	}
}

// A document that comes again takes the place of what was there, in every table.
func TestPutReplaces(t *testing.T) {
	db := create(t, document("a.md", "rotate keys", "lost keys", "more keys"), document("b.md", "keep me"))
	put(t, db, document("a.md", "drain nodes"))
	if got := find(t, db, backend.Query{Any: oneWord("keys")}); len(got) != 0 {
		t.Errorf("still found: %q", got)
	}
	for query, want := range map[string]int{
		`SELECT count(*) FROM sources`:                                           2,
		`SELECT count(*) FROM sections`:                                          4,
		`SELECT count(*) FROM docent_chunks`:                                     2,
		`SELECT count(*) FROM sections_fts`:                                      2,
		`SELECT count(*) FROM section_embeddings`:                                2,
		`SELECT count(*) FROM "references"`:                                      4,
		`SELECT count(*) FROM sections_fts WHERE sections_fts MATCH 'keys'`:      0,
		`SELECT count(*) FROM sections_fts WHERE sections_fts MATCH 'drain'`:     1,
		`SELECT count(*) FROM docent_files WHERE file = 'a.md'`:                  1,
		`SELECT count(*) FROM "references" WHERE to_section_id = 'a.md#top'`:     1,
		`SELECT count(*) FROM sections WHERE parent_id IS NULL AND content = ''`: 2,
	} {
		var got int
		if err := db.sql.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %d, want %d (%v)", query, got, want, err)
		}
	}
	if err := db.Check(context.Background()); err != nil {
		t.Error(err)
	}
}

// What is not committed was never there.
func TestRollback(t *testing.T) {
	db := create(t, document("a.md", "rotate keys"))
	tx, err := db.Begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Put(document("a.md", "drain nodes")); err != nil {
		t.Fatal(err)
	}
	tx.Rollback()
	if got := find(t, db, backend.Query{Any: oneWord("keys")}); len(got) != 1 {
		t.Errorf("got %q", got)
	}
}

// Two documents cannot have the same section, and a section must have the parent
// it names: the file refuses what others could not read.
func TestForeignKeysHold(t *testing.T) {
	db := create(t, document("a.md", "rotate keys"))
	tx, err := db.Begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	other := document("b.md", "rotate keys")
	other.Chunks[0].ID = "a.md#s0"
	if err := tx.Put(other); err == nil || !strings.Contains(err.Error(), `section "a.md#s0"`) {
		t.Errorf("a section of another document: %v", err)
	}
	tx.Rollback()
	if tx, err = db.Begin(context.Background()); err != nil {
		t.Fatal(err)
	}
	orphan := document("c.md", "rotate keys")
	orphan.Parents = nil
	if err := tx.Put(orphan); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err == nil {
		t.Error("a section without its parent was committed")
	}
	tx.Rollback()
}

func TestOpenRefusesWhatIsNotOurs(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	text := filepath.Join(dir, "text.db")
	if err := os.WriteFile(text, []byte("# just a text, and long enough to be read as a page of one"), 0o600); err != nil {
		t.Fatal(err)
	}
	foreign, err := open(filepath.Join(dir, "foreign.db"), "rwc")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := foreign.sql.Exec(`CREATE TABLE meta (key, value); INSERT INTO meta VALUES ('format', 1)`); err != nil {
		t.Fatal(err)
	}
	_ = foreign.Close()
	newer := create(t)
	if _, err := newer.sql.Exec(`UPDATE meta SET value = 99 WHERE key = 'format'`); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file string
		want error
	}{
		{filepath.Join(dir, "none.db"), fs.ErrNotExist},
		{text, ErrForeign},
		{filepath.Join(dir, "foreign.db"), ErrForeign},
		{newer.file, ErrFormat},
	} {
		if db, err := Open(ctx, c.file); !errors.Is(err, c.want) {
			t.Errorf("open %s: %v, %v", filepath.Base(c.file), db, err)
		}
		if c.want == fs.ErrNotExist {
			continue
		}
		before, _ := os.ReadFile(c.file)
		if db, err := Create(ctx, c.file); !errors.Is(err, c.want) {
			t.Errorf("create %s: %v, %v", filepath.Base(c.file), db, err)
		}
		if after, _ := os.ReadFile(c.file); string(after) != string(before) {
			t.Errorf("%s was written to", filepath.Base(c.file))
		}
	}
}

// A file in a folder that nobody may write to can be read.
func TestOpenReadOnlyFolder(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("permissions do not bind this user")
	}
	db := create(t, document("a.md", "rotate keys"))
	_ = db.Close()
	dir := filepath.Dir(db.file)
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(dir, 0o700) }()
	ro, err := Open(context.Background(), db.file)
	if err != nil {
		t.Fatal(err)
	}
	defer ro.Close()
	if got := find(t, ro, backend.Query{Any: oneWord("keys")}); len(got) != 1 {
		t.Errorf("got %q", got)
	}
}

// Whatever the words are, the query is a valid one.
func TestAnyWordIsAValidQuery(t *testing.T) {
	db := create(t, document("a.md", "rotate keys"))
	r := rand.New(rand.NewPCG(3, 4))
	pieces := []string{`"`, `'`, "*", "^", ":", "(", ")", "NEAR", "AND", "OR", "NOT", "-", "+", "{", "}", ",", "=", "\x00", "\xff", "é", "使", " ", "a", "title", "%", "\\", ";", "--", "\n"}
	rounds := 5000
	if os.Getenv("DOCENT_TORTURE") != "" {
		rounds = 100_000
	}
	if testing.Short() {
		rounds = 1000
	}
	some := func() (s string) {
		for range r.IntN(6) {
			s += pieces[r.IntN(len(pieces))]
		}
		return s
	}
	for range rounds {
		q := backend.Query{K: 5, Any: []backend.Word{{Text: some(), Title: r.IntN(4) == 0, Terms: []string{some()}}}}
		if r.IntN(3) == 0 {
			q.Must = [][]backend.Word{{{Text: some()}, {Text: some(), Title: true}}}
		}
		if r.IntN(3) == 0 {
			q.Not = []string{some()}
		}
		if _, err := db.Candidates(context.Background(), q); err != nil {
			t.Fatalf("%q: %v", expression(q), err)
		}
	}
}

// One writes and others read, and nobody fails: each reader sees a document as it
// was or as it is.
func TestOneWriterManyReaders(t *testing.T) {
	db := create(t, document("a.md", "rotate keys", "drain rotate"))
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	stop := make(chan struct{})
	var wait sync.WaitGroup
	for range 3 {
		reader, err := Open(context.Background(), db.file)
		if err != nil {
			t.Fatal(err)
		}
		wait.Go(func() {
			defer reader.Close()
			for {
				select {
				case <-stop:
					return
				default:
				}
				found, err := reader.Candidates(context.Background(), backend.Query{Any: oneWord("rotate"), K: 10})
				if err != nil || len(found) != 2 {
					t.Errorf("%d found: %v", len(found), err)
					return
				}
			}
		})
	}
	for i := range rounds {
		put(t, db, document("a.md", fmt.Sprint("rotate v", i), fmt.Sprint("drain rotate v", i)))
	}
	close(stop)
	wait.Wait()
}
