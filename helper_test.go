package docent_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
)

// writeFile writes a file, and makes the folders that it lies in.
func writeFile(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// openAt opens a folder with an index in another, until the test ends. Vectors are there
// at once.
func openAt(t testing.TB, dir, index string, o docent.Options) *docent.Library {
	t.Helper()
	o.EagerVectors = true
	lib, err := docent.OpenDir(t.Context(), dir, index, o)
	return opened(t, lib, err)
}

// openIn is openAt with an index that nobody else uses.
func openIn(t testing.TB, dir string) *docent.Library {
	t.Helper()
	return openAt(t, dir, filepath.Join(t.TempDir(), "index"), docent.Options{})
}

// docsOf is a library of some documents in memory.
func docsOf(t testing.TB, files map[string]string) *docent.Library {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	lib, err := docent.FromFS(t.Context(), fsys)
	return opened(t, lib, err)
}

func opened(t testing.TB, lib *docent.Library, err error) *docent.Library {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lib.Close() })
	return lib
}

// ask asks by words and vectors. What the model in the program makes of it is asked for by RerankMS:
// its time is long enough then for any machine, so that the answer does not depend on how busy that is.
func ask(t testing.TB, lib *docent.Library, q answer.Query) *answer.Answer {
	t.Helper()
	if q.Rerank == "" && q.RerankMS == 0 {
		q.Rerank = answer.RerankOff
	}
	a, err := lib.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func statusOf(t testing.TB, lib *docent.Library) *answer.Status {
	t.Helper()
	s, err := lib.Status(t.Context(), answer.StatusOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func refs(a *answer.Answer) []string {
	var out []string
	for _, h := range a.Hits {
		out = append(out, h.Ref)
	}
	return out
}

// tokens prices a text as libraries do.
func tokens(t testing.TB, text string) int {
	t.Helper()
	count, err := corpus.Counter("")
	if err != nil {
		t.Fatal(err)
	}
	return count([]byte(text))
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
