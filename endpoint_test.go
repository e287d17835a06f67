package docent_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/model/llm/llmtest"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/store"
)

// down has a server fail from now on.
func down(server *llmtest.Server) {
	server.Next(slices.Repeat([]llmtest.Fault{{Status: http.StatusUnauthorized}}, 1000)...)
}

// everythingByWords asks what needs no vectors, and for the note of a search.
func everythingByWords(t *testing.T, lib *docent.Library) (note string) {
	t.Helper()
	if g, err := lib.Grep(t.Context(), "rotate", answer.GrepOptions{}); err != nil || g.Empty() {
		t.Errorf("grep: %v", err)
	}
	if _, err := lib.Read(t.Context(), "guide/keys.md:1-2", answer.ReadOptions{}); err != nil {
		t.Errorf("read: %v", err)
	}
	if a := ask(t, lib, answer.Query{Text: "rotate a key", Mode: answer.Lexical}); len(a.Hits) == 0 || a.Note != "" {
		t.Errorf("by words: %d hits, note %q", len(a.Hits), a.Note)
	}
	a := ask(t, lib, answer.Query{Text: "rotate a key"})
	if len(a.Hits) == 0 {
		t.Error("a search found nothing")
	}
	return a.Note
}

// With another model set, or the same at another address, and the endpoint down, nothing
// worked in a folder, not even grep; with the endpoint up, a search embedded everything
// again. Words always answer, a line says how to go on, and a search asks for nothing.
func TestAnotherModelIsSet(t *testing.T) {
	server := llmtest.New(t)
	index, data := filepath.Join(t.TempDir(), "index"), t.TempDir()
	openAt(t, "examples/harbour", index, docent.Options{Embed: "openai", Endpoint: endpointAt(t, server, "words", data)})
	for _, up := range []bool{true, false} {
		if !up {
			down(server)
		}
		before := len(server.Requests())
		lib := openAt(t, "examples/harbour", index, docent.Options{Endpoint: endpointAt(t, server, "other", data)})
		if note := everythingByWords(t, lib); !strings.Contains(note, "vectors of words, and those set now are of other: docent index --embed openai rebuilds it") {
			t.Errorf("up %v: note %q", up, note)
		}
		if n := len(server.Requests()) - before; n != 0 {
			t.Errorf("up %v: %d requests", up, n)
		}
	}
}

// A search that has to rebuild an index, because the config cuts documents differently
// now, asks the endpoint for nothing that is not paid for: the index has no vectors until
// the user has it get them.
func TestRebuiltBySearch(t *testing.T) {
	server := llmtest.New(t)
	dir, data := t.TempDir(), t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("examples/harbour")); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, config.Name), `{}`)
	endpoint := endpointAt(t, server, "words", data)
	if _, err := docent.Index(t.Context(), dir, true, docent.Options{Embed: "openai", Endpoint: endpoint}); err != nil {
		t.Fatal(err)
	}
	for _, now := range []struct {
		name, tokens string
		o            docent.Options
	}{
		{"the endpoint is down", "300", docent.Options{Endpoint: endpoint}},
		{"no endpoint is set", "200", docent.Options{}},
		{"another model is set", "150", docent.Options{Endpoint: endpointAt(t, server, "other", data)}},
	} {
		t.Run(now.name, func(t *testing.T) {
			down(server)
			writeFile(t, filepath.Join(dir, config.Name), `{"chunkMaxTokens": `+now.tokens+`}`)
			lib, err := docent.Open(t.Context(), dir, now.o)
			if note := everythingByWords(t, opened(t, lib, err)); !strings.Contains(note, "docent index") {
				t.Errorf("note %q", note)
			}
		})
	}
	if _, err := docent.Index(t.Context(), dir, false, docent.Options{Endpoint: endpoint}); err == nil || !strings.Contains(err.Error(), "index not refreshed: embed: ") {
		t.Errorf("docent index with the endpoint down: %v", err)
	}
	well := llmtest.New(t)
	r, err := docent.Index(t.Context(), dir, false, docent.Options{Endpoint: endpointAt(t, well, "words", data)})
	if err != nil || r.Files == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	lib, err := docent.Open(t.Context(), dir, docent.Options{Endpoint: endpointAt(t, well, "words", data)})
	if note := everythingByWords(t, opened(t, lib, err)); note != "" {
		t.Errorf("with its vectors again: note %q", note)
	}
}

// Indexing by name, like docent index, says that an endpoint failed: an index without the
// vectors of what changed must not pass for one that has them.
func TestNamedIndexWithoutEndpoint(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	server := llmtest.New(t)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "api", "a.md"), "# A\n\nAbout keys.\n")
	set, err := docent.ProjectIndexes(dir, docent.IndexSetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	make := func(o docent.Options) error {
		o.Endpoint = endpointAt(t, server, "words", "")
		_, err := set.Make(t.Context(), "api", "", filepath.Join(dir, "api"), docent.MakeOptions{Options: o})
		return err
	}
	if err := make(docent.Options{Embed: "openai"}); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "api", "b.md"), "# B\n\nAbout doors.\n")
	down(server)
	if err := make(docent.Options{}); err == nil || !strings.Contains(err.Error(), "access denied") {
		t.Errorf("error %v", err)
	}
}

// A vector of another size than the database has broke its question for good. It is
// answered by words, and by both when the endpoint is well again.
func TestWrongSizeOverDatabase(t *testing.T) {
	server := llmtest.New(t)
	file, data := filepath.Join(t.TempDir(), "x.db"), t.TempDir()
	endpoint := endpointAt(t, server, "words", data)
	remote := func() (embedding.Endpoint, error) { return endpoint() }
	o := store.Options{Root: "examples/harbour", Options: refresh.Options{Embed: "openai", Endpoint: remote, EmbedAll: true}}
	if _, err := store.IndexDB(t.Context(), file, []string{"examples/harbour"}, o); err != nil {
		t.Fatal(err)
	}
	lib, err := docent.OpenDB(t.Context(), file, docent.Options{Endpoint: endpoint})
	opened(t, lib, err)
	server.Next(llmtest.Fault{Dim: 5})
	for _, want := range []string{"5 where 8 were expected", ""} {
		a := ask(t, lib, answer.Query{Text: "rotate a key"})
		if len(a.Hits) == 0 || !strings.Contains(a.Note, want) || want == "" && a.Note != "" {
			t.Errorf("%d hits, note %q, want %q", len(a.Hits), a.Note, want)
		}
	}
}
