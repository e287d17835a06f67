package docent_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/model/llm/llmtest"
	"github.com/docent-md/docent/internal/model/training"
)

// What is meant is found by other words than those that stand there.
func TestMeaning(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"remove.md":  "# Remove a user\n\nDelete the account of a person who has left.\n",
		"install.md": "# Install\n\nDownload the program and put it on the path.\n",
		"colours.md": "# Colours\n\nRed, green and blue make all others. The user picks one.\n",
		"logs.md":    "# Logs\n\nErrors and warnings go to a file.\n",
	} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	lib := openIn(t, dir)
	if m := statusOf(t, lib).Model; m != "builtin" {
		t.Errorf("model %q", m)
	}
	near := ask(t, lib, answer.Query{Text: "erase members", Mode: answer.Semantic, Limit: 1})
	if len(near.Hits) != 1 || near.Hits[0].File != "remove.md" {
		t.Errorf("by meaning: %v", refs(near))
	}
	both := ask(t, lib, answer.Query{Text: "purge user", Limit: 1, Explain: true})
	if len(both.Hits) != 1 || both.Hits[0].File != "remove.md" || !strings.Contains(strings.Join(both.Hits[0].Explain, "\n"), "semantic 0.") {
		t.Errorf("by both: %v %v", refs(both), both.Hits)
	}
	if a := ask(t, lib, answer.Query{Text: "purge user", Mode: answer.Lexical, Explain: true}); strings.Contains(strings.Join(a.Hits[0].Explain, "\n"), "semantic") {
		t.Errorf("by words: %v", a.Hits[0].Explain)
	}
	// Words that stand nowhere are an honest miss still.
	if a := ask(t, lib, answer.Query{Text: "xyzzy"}); len(a.Hits) != 0 || a.Miss == nil {
		t.Errorf("nonsense: %v", refs(a))
	}
	// And what an answer must not have, it has not.
	for _, h := range ask(t, lib, answer.Query{Text: "user -colours", Limit: 10}).Hits {
		if strings.Contains(h.Body, "Colours") {
			t.Errorf("-colours: %s", h.Ref)
		}
	}
	for _, wrong := range []answer.Query{{Text: "x", Mode: "fuzzy"}, {Text: "x", Fusion: "magic"}} {
		if _, err := lib.Search(t.Context(), wrong); err == nil {
			t.Errorf("%+v was taken", wrong)
		}
	}
}

// Opening 500 documents took three times as long for vectors that grep and read never
// use. They come when something first needs them, and the answer is that of an index
// which had them from the beginning.
func TestVectorsComeWhenNeeded(t *testing.T) {
	folder, err := docent.OpenDir(t.Context(), "examples/harbour", filepath.Join(t.TempDir(), "index"), docent.Options{})
	t.Run("folder", func(t *testing.T) { testVectorsComeWhenNeeded(t, opened(t, folder, err)) })
	inMemory, err := docent.FromFS(t.Context(), os.DirFS("examples/harbour"))
	t.Run("memory", func(t *testing.T) { testVectorsComeWhenNeeded(t, opened(t, inMemory, err)) })
}

func testVectorsComeWhenNeeded(t *testing.T, lib *docent.Library) {
	later := func(when string) {
		if m := statusOf(t, lib).Model; m != "builtin, from the next search on" {
			t.Errorf("%s: model %q", when, m)
		}
	}
	later("opened")
	if _, err := lib.Grep(t.Context(), "key", answer.GrepOptions{}); err != nil {
		t.Fatal(err)
	}
	q := answer.Query{Text: "what happens to work that nobody could finish", Limit: 3}
	_ = ask(t, lib, answer.Query{Text: q.Text, Mode: answer.Lexical})
	later("searched by words")
	got := refs(ask(t, lib, q))
	if m := statusOf(t, lib).Model; m != "builtin" {
		t.Errorf("searched: model %q", m)
	}
	if want := refs(ask(t, openIn(t, "examples/harbour"), q)); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Documents from which nothing can be learnt, of however many sections, get the
// table as it ships.
func TestNothingToLearn(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"titles.md": strings.Repeat("# Title\n\n", 1000),
		"large.md":  "# Large\n\n" + strings.Repeat("The words of a file too large to learn from.\n", 12<<20/40),
	} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	lib := openIn(t, dir)
	if m := statusOf(t, lib).Model; m != "builtin" {
		t.Errorf("model %q", m)
	}
	if a := ask(t, lib, answer.Query{Text: "title", Limit: 1}); len(a.Hits) != 1 {
		t.Errorf("found %v", refs(a))
	}
}

// The order of the first hits does not depend on how many are asked for.
func TestOrderIsStable(t *testing.T) {
	lib := openIn(t, "examples/harbour")
	for _, q := range []string{"rotate a key", "worker lease", "jobs that fail", "move to another machine"} {
		long := refs(ask(t, lib, answer.Query{Text: q, Limit: 40}))
		for n := 1; n <= 10; n++ {
			if short := refs(ask(t, lib, answer.Query{Text: q, Limit: n})); strings.Join(short, " ") != strings.Join(long[:len(short)], " ") {
				t.Errorf("%q: the first %d are %v, of forty %v", q, n, short, long[:n])
			}
		}
	}
}

// An index keeps the kind of model it was made with.
func TestModelIsKept(t *testing.T) {
	index := filepath.Join(t.TempDir(), "index")
	model := func(o docent.Options) string {
		t.Helper()
		return statusOf(t, openAt(t, "examples/harbour", index, o)).Model
	}
	if m := model(docent.Options{Embed: "none"}); m != "none" {
		t.Errorf("none: %s", m)
	}
	if m := model(docent.Options{}); m != "none" {
		t.Errorf("afterwards: %s", m)
	}
	if a := ask(t, openAt(t, "examples/harbour", index, docent.Options{}), answer.Query{Text: "rotate a key", Mode: answer.Hybrid}); !strings.Contains(a.Note, "no vectors") || len(a.Hits) == 0 {
		t.Errorf("note %q", a.Note)
	}
	if m := model(docent.Options{Embed: "builtin"}); m != "builtin" {
		t.Errorf("builtin: %s", m)
	}
	dir := t.TempDir()
	if _, err := training.Train(t.Context(), strings.NewReader(`{"query": "get rid of a key", "positive": "Revoking ends a key for good."}
{"query": "slow queue", "positive": "Jobs wait until a worker is free."}
`), dir, training.TrainOptions{}); err != nil {
		t.Fatal(err)
	}
	if m := model(docent.Options{Model: dir}); m != "trained "+dir {
		t.Errorf("trained: %s", m)
	}
	if m := model(docent.Options{}); m != "trained "+dir {
		t.Errorf("afterwards: %s", m)
	}
	for _, o := range []docent.Options{{Embed: "magic"}, {Embed: "openai"}, {Model: t.TempDir()}, {Model: dir, Embed: "none"}} {
		if _, err := docent.OpenDir(t.Context(), "examples/harbour", filepath.Join(t.TempDir(), "x"), o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

// endpointAt is an endpoint at a server for tests.
func endpointAt(t *testing.T, server *llmtest.Server, model, data string) func() (*docent.Endpoint, error) {
	t.Helper()
	e, err := docent.NewEndpoint(docent.EndpointOptions{URL: server.URL, Key: llmtest.Key, Model: model, Dir: data, Command: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return func() (*docent.Endpoint, error) { return e, nil }
}

// An endpoint gives the vectors; when it cannot be asked, words will do, and the
// answer says so.
func TestRemote(t *testing.T) {
	server := llmtest.New(t)
	server.Dim = 64
	index, data := filepath.Join(t.TempDir(), "index"), t.TempDir()
	endpoint := endpointAt(t, server, "words", data)
	lib := openAt(t, "examples/harbour", index, docent.Options{Embed: "openai", Endpoint: endpoint})
	if m := statusOf(t, lib).Model; m != "openai words" {
		t.Errorf("model %q", m)
	}
	a := ask(t, lib, answer.Query{Text: "rotate a key", Limit: 3, Explain: true})
	if a.Note != "" || len(a.Hits) != 3 || !strings.Contains(strings.Join(a.Hits[0].Explain, "\n"), "semantic") {
		t.Errorf("note %q, %v", a.Note, a.Hits[0].Explain)
	}
	// What was paid for is not paid for again, even by an index made anew.
	asked := len(server.Requests())
	again := openAt(t, "examples/harbour", filepath.Join(t.TempDir(), "other"), docent.Options{Embed: "openai", Endpoint: endpoint})
	if n := len(server.Requests()); n != asked {
		t.Errorf("%d requests for texts that are known", n-asked)
	}
	_ = again
	server.Next(llmtest.Fault{Status: 401})
	if a := ask(t, lib, answer.Query{Text: "what is a lease", Limit: 3}); !strings.HasPrefix(a.Note, "searched by words only: ") || len(a.Hits) == 0 || strings.Contains(a.Note, llmtest.Key) {
		t.Errorf("refused: note %q, %d hits", a.Note, len(a.Hits))
	}
	bare := openAt(t, "examples/harbour", index, docent.Options{})
	if a := ask(t, bare, answer.Query{Text: "rotate a key", Limit: 3}); !strings.Contains(a.Note, "no endpoint is set") || len(a.Hits) == 0 {
		t.Errorf("without settings: note %q", a.Note)
	}
}

// An endpoint that cannot be asked while the index is made is an error, and the old
// index stays.
func TestRemoteFails(t *testing.T) {
	server := llmtest.New(t)
	index := filepath.Join(t.TempDir(), "index")
	_ = openAt(t, "examples/harbour", index, docent.Options{})
	server.Next(llmtest.Fault{Status: 401})
	if _, err := docent.OpenDir(t.Context(), "examples/harbour", index, docent.Options{Embed: "openai", Endpoint: endpointAt(t, server, "words", "")}); err == nil || strings.Contains(err.Error(), llmtest.Key) {
		t.Errorf("error %v", err)
	}
	if m := statusOf(t, openAt(t, "examples/harbour", index, docent.Options{})).Model; m != "builtin" {
		t.Errorf("model %q", m)
	}
}

// A pack is searched by words, or by meaning too when the vectors were kept.
func TestPackedVectors(t *testing.T) {
	lib := openIn(t, "examples/harbour")
	for _, vectors := range []bool{false, true} {
		file := filepath.Join(t.TempDir(), "x.docent")
		if _, err := lib.Pack(t.Context(), file, answer.PackOptions{Vectors: vectors}); err != nil {
			t.Fatal(err)
		}
		pack, err := docent.Open(t.Context(), file, docent.Options{})
		opened(t, pack, err)
		mode := answer.Lexical
		if vectors {
			mode = answer.Hybrid
		}
		got, want := ask(t, pack, answer.Query{Text: "graceful stop", Limit: 5}), ask(t, lib, answer.Query{Text: "graceful stop", Limit: 5, Mode: mode})
		if strings.Join(refs(got), " ") != strings.Join(refs(want), " ") {
			t.Errorf("vectors %v: %v, want %v", vectors, refs(got), refs(want))
		}
		raw, err := os.ReadFile(file)
		if err != nil || bytes.Contains(raw, []byte("vectors.low")) != vectors {
			t.Errorf("vectors %v: half of them is there or missing, %v", vectors, err)
		}
	}
}

// Documents that nothing can be learnt from are indexed all the same: headings
// without text, or words that the table does not know.
func TestNothingToLearnFrom(t *testing.T) {
	for name, text := range map[string]string{
		"headings": "# F%d\n",
		"unknown":  "# 頁%d\n\n設定ファイルを書く。\n",
		"digits":   "# %d\n\n%[1]d %[1]d %[1]d\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for i := range 400 {
				writeFile(t, filepath.Join(dir, fmt.Sprintf("f%d.md", i)), fmt.Sprintf(text, i))
			}
			lib := openIn(t, dir)
			if a := ask(t, lib, answer.Query{Text: "f7"}); statusOf(t, lib).Files != 400 {
				t.Errorf("%+v", a)
			}
		})
	}
}

// A file that changes while the endpoint cannot be asked is answered from all the
// same, by words alone; the others are not read again. When the endpoint answers
// again, so does meaning.
func TestChangesWithoutAnEndpoint(t *testing.T) {
	server := llmtest.New(t)
	dir, index := t.TempDir(), filepath.Join(t.TempDir(), "index")
	write := func(name, text string) {
		t.Helper()
		writeFile(t, filepath.Join(dir, name), "# Stripes\n\n"+text+"\n")
	}
	write("a.md", "A zebra.")
	write("b.md", "A badger.")
	_ = openAt(t, dir, index, docent.Options{Embed: "openai", Endpoint: endpointAt(t, server, "words", "")})
	write("a.md", "A tiger.")
	var said []string
	o := docent.Options{Note: func(s string) { said = append(said, s) }}
	lib := openAt(t, dir, index, o)
	for _, text := range []string{"A tiger.", "A lion."} {
		write("a.md", text)
		a := ask(t, lib, answer.Query{Text: text})
		if len(a.Hits) == 0 || !strings.Contains(a.Hits[0].Body, text) {
			t.Errorf("found %v", refs(a))
		}
		if !strings.HasPrefix(a.Note, "searched by words only: ") || !strings.Contains(a.Note, "no endpoint is set") {
			t.Errorf("the answer says %q", a.Note)
		}
		if got := statusOf(t, lib); got.Index == "in memory" || got.Files != 2 || got.Freshness != "index fresh, but for the vectors of 1 file that changed" {
			t.Errorf("%+v", got)
		}
	}
	if len(said) > 0 {
		t.Errorf("said %q, besides what answers say", said)
	}
	if _, err := refresh.Index(t.Context(), index, false, refresh.Options{}); err == nil {
		t.Error("an index without some vectors passes for one that is up to date")
	}
	back := openAt(t, dir, index, docent.Options{Endpoint: endpointAt(t, server, "words", "")})
	if s := statusOf(t, back); s.Model != "openai words" || s.Freshness != "index fresh, 1 file refreshed" {
		t.Errorf("%+v", s)
	}
	if a := ask(t, back, answer.Query{Text: "a lion"}); a.Note != "" || len(a.Hits) == 0 || !strings.Contains(a.Hits[0].Body, "A lion.") {
		t.Errorf("%q: found %v", a.Note, refs(a))
	}
}

// Another model at the endpoint rebuilds the index when that is asked for.
func TestAnotherRemoteModel(t *testing.T) {
	server := llmtest.New(t)
	index := filepath.Join(t.TempDir(), "index")
	_ = openAt(t, "examples/harbour", index, docent.Options{Embed: "openai", Endpoint: endpointAt(t, server, "words", "")})
	lib := openAt(t, "examples/harbour", index, docent.Options{Embed: "openai", Endpoint: endpointAt(t, server, "others", "")})
	if m := statusOf(t, lib).Model; m != "openai others" {
		t.Errorf("model %q", m)
	}
}
