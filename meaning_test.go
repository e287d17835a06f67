package docent

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/model/llm/llmtest"
)

func openAt(t *testing.T, dir, index string, o Options) *Library {
	t.Helper()
	lib, err := OpenDir(context.Background(), dir, index, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lib.Close() })
	return lib
}

func ask(t *testing.T, lib *Library, q Query) *Answer {
	t.Helper()
	a, err := lib.Search(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// What is meant is found by other words than those that stand there.
func TestMeaning(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"remove.md":  "# Remove a user\n\nDelete the account of a person who has left.\n",
		"install.md": "# Install\n\nDownload the program and put it on the path.\n",
		"colours.md": "# Colours\n\nRed, green and blue make all others. The user picks one.\n",
		"logs.md":    "# Logs\n\nErrors and warnings go to a file.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lib := openAt(t, dir, filepath.Join(t.TempDir(), "index"), Options{})
	if m := lib.Status().Model; m != "builtin" {
		t.Errorf("model %q", m)
	}
	near := ask(t, lib, Query{Text: "erase members", Mode: Semantic, Limit: 1})
	if len(near.Hits) != 1 || near.Hits[0].File != "remove.md" {
		t.Errorf("by meaning: %v", refs(near))
	}
	both := ask(t, lib, Query{Text: "purge user", Limit: 1, Explain: true})
	if len(both.Hits) != 1 || both.Hits[0].File != "remove.md" || !strings.Contains(strings.Join(both.Hits[0].Explain, "\n"), "meaning 0.") {
		t.Errorf("by both: %v %v", refs(both), both.Hits)
	}
	if a := ask(t, lib, Query{Text: "purge user", Mode: Lexical, Explain: true}); strings.Contains(strings.Join(a.Hits[0].Explain, "\n"), "meaning") {
		t.Errorf("by words: %v", a.Hits[0].Explain)
	}
	// Words that stand nowhere are an honest miss still.
	if a := ask(t, lib, Query{Text: "xyzzy"}); len(a.Hits) != 0 || a.Miss == nil {
		t.Errorf("nonsense: %v", refs(a))
	}
	// And what an answer must not have, it has not.
	for _, h := range ask(t, lib, Query{Text: "user -colours", Limit: 10}).Hits {
		if strings.Contains(h.Body, "Colours") {
			t.Errorf("-colours: %s", h.Ref)
		}
	}
	for _, wrong := range []Query{{Text: "x", Mode: "fuzzy"}, {Text: "x", Fusion: "magic"}} {
		if _, err := lib.Search(context.Background(), wrong); err == nil {
			t.Errorf("%+v was taken", wrong)
		}
	}
}

// Documents from which nothing can be learnt, of however many sections, get the
// table as it ships.
func TestNothingToLearn(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"titles.md": strings.Repeat("# Title\n\n", 1000),
		"large.md":  "# Large\n\n" + strings.Repeat("The words of a file too large to learn from.\n", maxSample/40),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lib := openAt(t, dir, filepath.Join(t.TempDir(), "index"), Options{})
	if m := lib.Status().Model; m != "builtin" {
		t.Errorf("model %q", m)
	}
	if a := ask(t, lib, Query{Text: "title", Limit: 1}); len(a.Hits) != 1 {
		t.Errorf("found %v", refs(a))
	}
}

// The order of the first hits does not depend on how many are asked for.
func TestOrderIsStable(t *testing.T) {
	lib := openAt(t, "examples/harbour", filepath.Join(t.TempDir(), "index"), Options{})
	for _, q := range []string{"rotate a key", "worker lease", "jobs that fail", "move to another machine"} {
		long := refs(ask(t, lib, Query{Text: q, Limit: 40}))
		for n := 1; n <= 10; n++ {
			if short := refs(ask(t, lib, Query{Text: q, Limit: n})); strings.Join(short, " ") != strings.Join(long[:len(short)], " ") {
				t.Errorf("%q: the first %d are %v, of forty %v", q, n, short, long[:n])
			}
		}
	}
}

// A corpus that is large enough has the table adapted to it; two runs give the same
// bytes, and what is added later is embedded with the same table.
func TestAdapted(t *testing.T) {
	g := newGarden(t, 3, 160)
	index := filepath.Join(t.TempDir(), "index")
	lib := openAt(t, g.dir, index, Options{})
	if m := lib.Status().Model; m != "builtin, adapted" {
		t.Fatalf("model %q of %d sections", m, lib.Status().Sections)
	}
	var blobs [2][]byte
	for i := range blobs {
		parts, _, err := lib.corpus.buildBase(context.Background(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			if isMeaning(p.Name) {
				blobs[i] = append(blobs[i], p.Data...)
			}
		}
	}
	if !bytes.Equal(blobs[0], blobs[1]) {
		t.Error("two runs gave different vectors")
	}
	g.step()
	next := openAt(t, g.dir, index, Options{})
	a, err := lib.segs[0].meaning()
	if err != nil {
		t.Fatal(err)
	}
	b, err := next.segs[len(next.segs)-1].meaning()
	if err != nil || b == nil || a.model != b.model {
		t.Errorf("model %+v, then %+v, %v", a, b, err)
	}
	if got := ask(t, next, Query{Text: "rotate key", Limit: 5}); len(got.Hits) == 0 {
		t.Error("no answer after a change")
	}
	for range 60 {
		g.step()
	}
	last := openAt(t, g.dir, index, Options{})
	if len(last.segs) != 1 {
		t.Errorf("%d segments: a third of the files changed, and nothing was adapted anew", len(last.segs))
	}
}

// An index keeps the kind of model it was made with.
func TestModelIsKept(t *testing.T) {
	index := filepath.Join(t.TempDir(), "index")
	model := func(o Options) string {
		t.Helper()
		return openAt(t, "examples/harbour", index, o).Status().Model
	}
	if m := model(Options{Embed: "none"}); m != "none" {
		t.Errorf("none: %s", m)
	}
	if m := model(Options{}); m != "none" {
		t.Errorf("afterwards: %s", m)
	}
	if a := ask(t, openAt(t, "examples/harbour", index, Options{}), Query{Text: "rotate a key", Mode: Hybrid}); !strings.Contains(a.Note, "no vectors") || len(a.Hits) == 0 {
		t.Errorf("note %q", a.Note)
	}
	if m := model(Options{Embed: "builtin"}); m != "builtin" {
		t.Errorf("builtin: %s", m)
	}
	dir := t.TempDir()
	if _, err := Train(context.Background(), strings.NewReader(`{"query": "get rid of a key", "positive": "Revoking ends a key for good."}
{"query": "slow queue", "positive": "Jobs wait until a worker is free."}
`), dir, TrainOptions{}); err != nil {
		t.Fatal(err)
	}
	if m := model(Options{Model: dir}); m != "trained "+dir {
		t.Errorf("trained: %s", m)
	}
	if m := model(Options{}); m != "trained "+dir {
		t.Errorf("afterwards: %s", m)
	}
	for _, o := range []Options{{Embed: "magic"}, {Embed: "openai"}, {Model: t.TempDir()}, {Model: dir, Embed: "none"}} {
		if _, err := OpenDir(context.Background(), "examples/harbour", filepath.Join(t.TempDir(), "x"), o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

func remoteAt(t *testing.T, server *llmtest.Server, data string) func() (*Remote, error) {
	t.Helper()
	r, err := NewRemote(RemoteOptions{URL: server.URL, Key: llmtest.Key, Model: "words", Dir: data, Command: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return func() (*Remote, error) { return r, nil }
}

// An endpoint gives the vectors; when it cannot be asked, words will do, and the
// answer says so.
func TestRemote(t *testing.T) {
	server := llmtest.New(t)
	server.Dim = 64
	index, data := filepath.Join(t.TempDir(), "index"), t.TempDir()
	remote := remoteAt(t, server, data)
	lib := openAt(t, "examples/harbour", index, Options{Embed: "openai", Remote: remote})
	if m := lib.Status().Model; m != "openai words" {
		t.Errorf("model %q", m)
	}
	a := ask(t, lib, Query{Text: "rotate a key", Limit: 3, Explain: true})
	if a.Note != "" || len(a.Hits) != 3 || !strings.Contains(strings.Join(a.Hits[0].Explain, "\n"), "meaning") {
		t.Errorf("note %q, %v", a.Note, a.Hits[0].Explain)
	}
	// What was paid for is not paid for again, even by an index made anew.
	asked := len(server.Requests())
	again := openAt(t, "examples/harbour", filepath.Join(t.TempDir(), "other"), Options{Embed: "openai", Remote: remote})
	if n := len(server.Requests()); n != asked {
		t.Errorf("%d requests for texts that are known", n-asked)
	}
	_ = again
	server.Next(llmtest.Fault{Status: 401})
	if a := ask(t, lib, Query{Text: "what is a lease", Limit: 3}); !strings.HasPrefix(a.Note, "searched by words only: ") || len(a.Hits) == 0 || strings.Contains(a.Note, llmtest.Key) {
		t.Errorf("refused: note %q, %d hits", a.Note, len(a.Hits))
	}
	bare := openAt(t, "examples/harbour", index, Options{})
	if a := ask(t, bare, Query{Text: "rotate a key", Limit: 3}); !strings.Contains(a.Note, "no endpoint is set") || len(a.Hits) == 0 {
		t.Errorf("without settings: note %q", a.Note)
	}
}

// An endpoint that cannot be asked while the index is made is an error, and the old
// index stays.
func TestRemoteFails(t *testing.T) {
	server := llmtest.New(t)
	index := filepath.Join(t.TempDir(), "index")
	_ = openAt(t, "examples/harbour", index, Options{})
	server.Next(llmtest.Fault{Status: 401})
	if _, err := OpenDir(context.Background(), "examples/harbour", index, Options{Embed: "openai", Remote: remoteAt(t, server, "")}); err == nil || strings.Contains(err.Error(), llmtest.Key) {
		t.Errorf("error %v", err)
	}
	if m := openAt(t, "examples/harbour", index, Options{}).Status().Model; m != "builtin" {
		t.Errorf("model %q", m)
	}
}

// A pack is searched by words, or by meaning too when the vectors were kept.
func TestPackedVectors(t *testing.T) {
	lib := openAt(t, "examples/harbour", filepath.Join(t.TempDir(), "index"), Options{})
	for _, vectors := range []bool{false, true} {
		file := filepath.Join(t.TempDir(), "x.docent")
		if _, err := lib.Pack(context.Background(), file, PackOptions{Vectors: vectors}); err != nil {
			t.Fatal(err)
		}
		pack, err := Open(file)
		if err != nil {
			t.Fatal(err)
		}
		mode := Lexical
		if vectors {
			mode = Hybrid
		}
		got, want := ask(t, pack, Query{Text: "graceful stop", Limit: 5}), ask(t, lib, Query{Text: "graceful stop", Limit: 5, Mode: mode})
		if strings.Join(refs(got), " ") != strings.Join(refs(want), " ") {
			t.Errorf("vectors %v: %v, want %v", vectors, refs(got), refs(want))
		}
		raw, err := os.ReadFile(file)
		if err != nil || bytes.Contains(raw, []byte(lowPart)) != vectors {
			t.Errorf("vectors %v: half of them is there or missing, %v", vectors, err)
		}
		_ = pack.Close()
	}
}

// The rows of a trained model stay whole through changes and merges.
func TestTrainedModelSurvivesChanges(t *testing.T) {
	g := newGarden(t, 5, 30)
	index, dir := filepath.Join(t.TempDir(), "index"), t.TempDir()
	lines := `{"query": "get rid of a key", "positive": "Revoking ends a key for good."}
{"query": "slow queue", "positive": "Jobs wait until a worker is free."}
`
	if _, err := Train(context.Background(), strings.NewReader(lines), dir, TrainOptions{}); err != nil {
		t.Fatal(err)
	}
	_ = openAt(t, g.dir, index, Options{Model: dir})
	g.step()
	lib := openAt(t, g.dir, index, Options{})
	if len(lib.segs) < 2 {
		t.Fatalf("%d segments", len(lib.segs))
	}
	want, err := os.ReadFile(filepath.Join(dir, DeltaFile))
	if err != nil {
		t.Fatal(err)
	}
	parts, err := mergeSegs(lib.segs, lib.deadRows())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		if p.Name == deltaPart && bytes.Equal(p.Data, want) {
			return
		}
	}
	t.Error("the merged index has other rows than the model")
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
				putFile(t, filepath.Join(dir, fmt.Sprintf("f%d.md", i)), fmt.Sprintf(text, i))
			}
			lib := openAt(t, dir, filepath.Join(t.TempDir(), "index"), Options{})
			if a := ask(t, lib, Query{Text: "f7"}); lib.Status().Files != 400 {
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
		if err := os.WriteFile(filepath.Join(dir, name), []byte("# Stripes\n\n"+text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.md", "A zebra.")
	write("b.md", "A badger.")
	_ = openAt(t, dir, index, Options{Embed: "openai", Remote: remoteAt(t, server, "")})
	write("a.md", "A tiger.")
	var said []string
	o := Options{Note: func(s string) { said = append(said, s) }}
	lib, err := OpenDir(context.Background(), dir, index, o)
	if err != nil {
		t.Fatal(err)
	}
	k := NewKeeper(lib, o)
	defer k.Close()
	for _, text := range []string{"A tiger.", "A lion."} {
		write("a.md", text)
		err := k.With(context.Background(), func(l *Library) error {
			a, err := l.Search(context.Background(), Query{Text: text})
			if err != nil {
				return err
			}
			if len(a.Hits) == 0 || !strings.Contains(a.Hits[0].Body, text) {
				t.Errorf("found %v", refs(a))
			}
			if !strings.HasPrefix(a.Note, "searched by words only: ") || !strings.Contains(a.Note, "no endpoint is set") {
				t.Errorf("the answer says %q", a.Note)
			}
			if got := l.Status(); got.Index == "in memory" || got.Files != 2 || got.Freshness != "index fresh, but for the vectors of 1 file that changed" {
				t.Errorf("%+v", got)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if len(said) > 0 {
		t.Errorf("said %q, besides what answers say", said)
	}
	if _, err := k.Library().corpus.refreshed(context.Background(), o); err == nil {
		t.Error("an index without some vectors passes for one that is up to date")
	}
	back := openAt(t, dir, index, Options{Remote: remoteAt(t, server, "")})
	if s := back.Status(); s.Model != "openai words" || s.Freshness != "index fresh, 1 file refreshed" {
		t.Errorf("%+v", s)
	}
	if a := ask(t, back, Query{Text: "a lion"}); a.Note != "" || len(a.Hits) == 0 || !strings.Contains(a.Hits[0].Body, "A lion.") {
		t.Errorf("%q: found %v", a.Note, refs(a))
	}
}

// Another model at the endpoint makes the index anew by itself.
func TestAnotherRemoteModel(t *testing.T) {
	server := llmtest.New(t)
	index := filepath.Join(t.TempDir(), "index")
	_ = openAt(t, "examples/harbour", index, Options{Embed: "openai", Remote: remoteAt(t, server, "")})
	other, err := NewRemote(RemoteOptions{URL: server.URL, Key: llmtest.Key, Model: "others"})
	if err != nil {
		t.Fatal(err)
	}
	lib := openAt(t, "examples/harbour", index, Options{Remote: func() (*Remote, error) { return other, nil }})
	if m := lib.Status().Model; m != "openai others" {
		t.Errorf("model %q", m)
	}
}
