package docent_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/model/llm/llmtest"
	"github.com/docent-md/docent/internal/needs"
)

// A setUnderTest is a project with some documents, and its set of indexes.
type setUnderTest struct {
	*docent.IndexSet
	t   *testing.T
	dir string
}

func newSet(t *testing.T, files map[string]string, o docent.Options) *setUnderTest {
	t.Helper()
	for _, v := range []string{"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME"} {
		t.Setenv(v, t.TempDir())
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	s := &setUnderTest{t: t, dir: dir}
	s.reopen(o)
	return s
}

// reopen is what another program sees that opens the set, until the test ends.
func (s *setUnderTest) reopen(o docent.Options) {
	s.t.Helper()
	set, err := docent.ProjectIndexes(s.dir, docent.IndexSetOptions{Options: o})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = set.Close() })
	s.IndexSet = set
}

func (s *setUnderTest) make(name, folder string, o docent.MakeOptions) {
	s.t.Helper()
	if _, err := s.Make(s.t.Context(), name, "", filepath.Join(s.dir, folder), o); err != nil {
		s.t.Fatal(err)
	}
}

// A set of indexes comes with a clone, and so do links and indexes. None of them may
// lead to documents, or have something written, outside the project.
func TestSetsLeadNowhereElse(t *testing.T) {
	const entry = `[{"name": "evil", "description": "", "root": %q, "files": 1, "chunks": 1, "model": "builtin", "updated": "2026-01-01T00:00:00Z"}]`
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(outside, "secret.md"), "# Secret\n\nswordfish\n")
	for _, tt := range []struct {
		name, root string
		make       func(t *testing.T, dir string) error
	}{
		{"a folder above", "..", nil},
		{"an absolute one", outside, nil},
		{"a link", "docs/link", func(_ *testing.T, dir string) error { return os.Symlink(outside, filepath.Join(dir, "docs", "link")) }},
		{"the index of another folder", "docs/idx", func(t *testing.T, dir string) error {
			lib, err := docent.OpenDir(t.Context(), outside, filepath.Join(dir, "docs", "idx"), docent.Options{})
			if err != nil {
				return err
			}
			return lib.Close()
		}},
		{"a link as the place of the index", "docs", func(_ *testing.T, dir string) error {
			return os.Symlink(outside, filepath.Join(dir, ".docent", "indexes", "evil"))
		}},
		{"a link to nowhere as that", "docs", func(_ *testing.T, dir string) error {
			return os.Symlink(filepath.Join(outside, "new"), filepath.Join(dir, ".docent", "indexes", "evil"))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSet(t, map[string]string{"docs/a.md": "# A\n\nText.\n", ".docent/indexes/indexes.json": fmt.Sprintf(entry, tt.root)}, docent.Options{})
			if tt.make != nil {
				if err := tt.make(t, s.dir); err != nil {
					needs.Missing(t, "symbolic links", err.Error())
				}
			}
			if a, err := s.Search(t.Context(), "evil", answer.Query{Text: "swordfish"}); err == nil {
				t.Errorf("answered %d hits", len(a.Hits))
			}
			if _, err := s.Make(t.Context(), "evil", "", "", docent.MakeOptions{}); err == nil {
				t.Error("indexed as the list of indexes says")
			}
		})
	}
	if all, err := os.ReadDir(outside); err != nil || len(all) != 1 {
		t.Errorf("written outside: %v, %v", all, err)
	}
}

// The index of a project whose .docent is a link that leads elsewhere lies in the
// user's cache.
func TestIndexesAreNotWrittenElsewhere(t *testing.T) {
	s := newSet(t, map[string]string{"a.md": "# A\n\nText.\n", ".docent.json": "{}"}, docent.Options{})
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(s.dir, ".docent")); err != nil {
		needs.Missing(t, "symbolic links", err.Error())
	}
	lib, err := docent.Open(t.Context(), s.dir, docent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	if all, err := os.ReadDir(outside); err != nil || len(all) > 0 {
		t.Errorf("written outside: %v, %v", all, err)
	}
	if _, err := s.Make(t.Context(), "x", "", s.dir, docent.MakeOptions{}); err == nil || !strings.Contains(err.Error(), "leads out of the project") {
		t.Errorf("a named index: %v", err)
	}
}

// One index that cannot be opened takes no answer from the others.
func TestAllLeavesOutWhatCannotBeOpened(t *testing.T) {
	s := newSet(t, map[string]string{"a/a.md": "# A\n\nzebra\n", "b/b.md": "# B\n\nzebra\n"}, docent.Options{})
	s.make("a", "a", docent.MakeOptions{})
	s.make("b", "b", docent.MakeOptions{})
	if err := os.RemoveAll(filepath.Join(s.dir, "b")); err != nil {
		t.Fatal(err)
	}
	var notes []string
	s.reopen(docent.Options{Note: func(s string) { notes = append(notes, s) }})
	a, err := s.Search(t.Context(), docent.AllIndexes, answer.Query{Text: "zebra"})
	if err != nil || len(a.Hits) != 1 || a.Hits[0].Index != "a" || !strings.Contains(a.Freshness, "cannot be opened: b") || len(notes) != 1 {
		t.Fatalf("%+v, %v, %q", a, err, notes)
	}
	if _, err := s.Search(t.Context(), "a,b", answer.Query{Text: "zebra"}); !errors.Is(err, answer.ErrNoPath) {
		t.Errorf("by name: %v", err)
	}
	if err := os.RemoveAll(filepath.Join(s.dir, "a")); err != nil {
		t.Fatal(err)
	}
	s.reopen(docent.Options{})
	if _, err := s.Search(t.Context(), docent.AllIndexes, answer.Query{Text: "zebra"}); !errors.Is(err, answer.ErrNoPath) {
		t.Errorf("none left: %v", err)
	}
}

// All are the named indexes and the project's own documents, whose Refs have no
// name before them. What a named index holds of these is found once.
func TestAllAsksTheProjectToo(t *testing.T) {
	s := newSet(t, map[string]string{
		".docent.json": `{"paths": ["docs"]}`, "docs/own.md": "# Own\n\nzebra\n", "docs/api/a.md": "# A\n\nzebra\n", "lib/b.md": "# B\n\nzebra\n",
	}, docent.Options{})
	s.make("api", "docs/api", docent.MakeOptions{})
	s.make("lib", "lib", docent.MakeOptions{})
	a, err := s.Search(t.Context(), docent.AllIndexes, answer.Query{Text: "zebra", Limit: 10, References: true})
	if err != nil {
		t.Fatal(err)
	}
	got := refs(a)
	slices.Sort(got)
	if want := []string{"api:a.md#a:1-3", "docs/own.md#own:1-3", "lib:b.md#b:1-3"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if a.Freshness != "4 files in api, lib, this project" {
		t.Errorf("freshness %q", a.Freshness)
	}
	if a, err := s.Search(t.Context(), "api,lib", answer.Query{Text: "zebra"}); err != nil || len(a.Hits) != 2 {
		t.Errorf("by name: %v, %v", refs(a), err)
	}
}

// A folder with named indexes is not indexed as a whole because those are asked.
func TestAllOfAFolderWithoutAConfig(t *testing.T) {
	s := newSet(t, map[string]string{"docs/a.md": "# A\n\nzebra\n", "other.md": "# O\n\nzebra\n"}, docent.Options{})
	s.make("a", "docs", docent.MakeOptions{})
	ask := func() []string {
		a, err := s.Search(t.Context(), docent.AllIndexes, answer.Query{Text: "zebra"})
		if err != nil {
			t.Fatal(err)
		}
		return refs(a)
	}
	if got := ask(); len(got) != 1 {
		t.Errorf("found %q", got)
	}
	lib, err := docent.Open(t.Context(), s.dir, docent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_ = lib.Close()
	if got := ask(); len(got) != 2 {
		t.Errorf("once it is indexed: found %q", got)
	}
}

// Answers from several indexes are widened along links, each within its own, and
// put in order by a model.
func TestUnionExpandsAndReranks(t *testing.T) {
	s := newSet(t, map[string]string{
		"a/a.md": "# A\n\nA zebra, see [more](more.md).\n", "a/more.md": "# More\n\nStripes.\n",
		"b/b.md": "# B\n\nA zebra, see [more](more.md).\n", "b/more.md": "# Other\n\nHooves.\n",
	}, docent.Options{})
	s.make("a", "a", docent.MakeOptions{})
	s.make("b", "b", docent.MakeOptions{})
	a, err := s.Search(t.Context(), "a,b", answer.Query{Text: "zebra", Limit: 2, Expand: 1, Mode: answer.Lexical})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := refs(a), []string{"a:a.md#a:1-3", "b:b.md#b:1-3", "a:more.md#more:1-3", "b:more.md#other:1-3"}; !slices.Equal(got, want) {
		t.Fatalf("found %q, want %q", got, want)
	}
	if v := a.Hits[3].Via; v == nil || v.From != "b:b.md#b:3-3" || a.Hits[3].Index != "b" {
		t.Errorf("via %+v in %q", v, a.Hits[3].Index)
	}
	if _, err := s.Search(t.Context(), "a,b", answer.Query{Text: "zebra", Expand: 9}); err == nil {
		t.Error("nine links were followed")
	}

	if _, err := s.Search(t.Context(), "a,b", answer.Query{Text: "zebra", Rerank: answer.RerankClaude}); !errors.Is(err, docent.ErrNoAssistant) {
		t.Errorf("without a model: %v", err)
	}
	server := llmtest.New(t)
	model, err := docent.NewAssistant(docent.AssistantOptions{Key: llmtest.Key, URL: server.URL, Within: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	server.Rank = func(_ string, cands []llmtest.Candidate) []int { return []int{len(cands), 2} } // the last is one that b links to
	s.reopen(docent.Options{Assistant: model})
	if a, err = s.Search(t.Context(), "a,b", answer.Query{Text: "zebra", Rerank: answer.RerankClaude, Mode: answer.Lexical}); err != nil {
		t.Fatal(err)
	}
	if got, want := refs(a), []string{"b:more.md#other:1-3", "b:b.md#b:1-3", "a:a.md#a:1-3"}; !slices.Equal(got, want) || !strings.HasPrefix(a.Note, "reranked by ") {
		t.Errorf("found %q, want %q; %q", got, want, a.Note)
	}
	// Files that changed since are read anew.
	writeFile(t, filepath.Join(s.dir, "b", "more.md"), "# Other\n\nHooves and tails.\n")
	s.reopen(docent.Options{Assistant: model, NoRefresh: true})
	if a, err = s.Search(t.Context(), "a,b", answer.Query{Text: "zebra", Limit: 2, Expand: 1}); err != nil || !strings.Contains(a.Hits[3].Body, "tails") {
		t.Errorf("%+v, %v", a, err)
	}
}

// A damaged index is made anew when that shows, wherever the damage lies.
func TestDamagedNamedIndexesAreMended(t *testing.T) {
	files := map[string]string{}
	for i := range 20 {
		files[fmt.Sprintf("b/%d.md", i)] = fmt.Sprintf("# Page %d\n\nA zebra, and %s.\n", i, strings.Repeat("other words ", i))
	}
	for i := range 6 {
		files[fmt.Sprintf("a%d/a.md", i)] = "# A\n\nzebra\n"
	}
	s := newSet(t, files, docent.Options{})
	s.make("b", "b", docent.MakeOptions{})
	for i := range 6 {
		s.make(fmt.Sprintf("a%d", i), fmt.Sprintf("a%d", i), docent.MakeOptions{})
	}
	for share := range 10 {
		for _, names := range []string{docent.AllIndexes, "a1,b"} {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			hurt(t, filepath.Join(s.dir, ".docent", "indexes", "b"), share, 9)
			s.reopen(docent.Options{})
			a, err := s.Search(t.Context(), names, answer.Query{Text: "zebra page", Limit: 20})
			if err != nil || len(a.Hits) == 0 || a.Hits[0].Index != "b" {
				t.Fatalf("%s, damaged at %d tenths: %v", names, share, err)
			}
		}
	}
}

// Damage that shows while the index is compared with the files, before anything is
// asked, has it made anew too.
func TestDamageFoundWhileOpening(t *testing.T) {
	files := map[string]string{".docent.json": "{}"}
	for i := range 20 {
		files[fmt.Sprintf("b/%d.md", i)] = fmt.Sprintf("# Page %d\n\nA zebra, and %s.\n", i, strings.Repeat("other words ", i))
	}
	s := newSet(t, files, docent.Options{})
	for share := range 30 {
		lib, err := docent.Open(t.Context(), s.dir, docent.Options{})
		if err != nil {
			t.Fatalf("damaged at %d of 30: %v", share, err)
		}
		_ = lib.Close()
		hurt(t, filepath.Join(s.dir, ".docent"), share, 29)
		if share%2 == 0 { // the command index finds it, else the next question
			if _, err := refresh.Index(t.Context(), s.dir, false, refresh.Options{}); err != nil {
				t.Fatalf("index, damaged at %d of 30: %v", share, err)
			}
		}
	}
}

// hurt damages the one segment in a folder, after a share of it.
func hurt(t *testing.T, dir string, share, of int) {
	t.Helper()
	segs, err := filepath.Glob(filepath.Join(dir, "*.seg"))
	if err != nil || len(segs) != 1 {
		t.Fatal(segs, err)
	}
	raw, err := os.ReadFile(segs[0])
	if err != nil {
		t.Fatal(err)
	}
	for i := range 64 {
		raw[(len(raw)-64)*share/of+i] ^= 0x5a
	}
	if err := os.WriteFile(segs[0], raw, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Which Refs begin with the name of an index.
func TestSplitRef(t *testing.T) {
	s := newSet(t, map[string]string{"a/a.md": "# A\n"}, docent.Options{})
	s.make("v1.2", "a", docent.MakeOptions{})
	for _, tt := range []struct{ ref, name, rest string }{
		{"v1.2:guide/a.md#x:3-4@0123abcd", "v1.2", "guide/a.md#x:3-4@0123abcd"},
		{"v1.2:", "v1.2", ""},
		{"v1.2:a.md::Heading", "v1.2", "a.md::Heading"},
		{"v1.3:a.md", "", "v1.3:a.md"},
		{"nope:a.md", "nope", "a.md"}, // so that one is told which there are
		{"a.md:15-48", "", "a.md:15-48"},
		{"README:15-48", "", "README:15-48"},
		{"guide/a.md::Note: a.md", "", "guide/a.md::Note: a.md"},
		{"Note: read a.md", "", "Note: read a.md"},
		{"Note: how it works", "", "Note: how it works"},
		{`C:\docs\a.md`, "", `C:\docs\a.md`},
		{"C:/docs/a.md", "", "C:/docs/a.md"},
		{"../x:a.md", "", "../x:a.md"},
	} {
		name, rest, ok := s.SplitRef(tt.ref)
		if name != tt.name || rest != tt.rest || ok != (tt.name != "") {
			t.Errorf("%s: %q, %q, %v", tt.ref, name, rest, ok)
		}
	}
}

// What is said of an index is how it stands to its documents now.
func TestInspect(t *testing.T) {
	s := newSet(t, map[string]string{"a/a.md": "# A\n", "a/b.md": "# B\n"}, docent.Options{})
	s.make("a", "a", docent.MakeOptions{})
	store := filepath.Join(s.dir, ".docent", "indexes", "a")
	for _, tt := range []struct {
		name string
		do   func() error
		want string
	}{
		{"made", func() error { return nil }, "fresh"},
		{"a file more", func() error { return os.WriteFile(filepath.Join(s.dir, "a", "c.md"), []byte("# C\n"), 0o644) }, "1 file changed since"},
		{"a file less", func() error { return os.Remove(filepath.Join(s.dir, "a", "c.md")) }, "fresh"},
		{"damaged", func() error { hurt(t, store, 0, 1); return nil }, "rebuilt when it is next asked"},
		{"gone", func() error { return os.RemoveAll(store) }, "rebuilt when it is next asked"},
		{"without documents", func() error { return os.RemoveAll(filepath.Join(s.dir, "a")) }, "its folder is gone"},
	} {
		if err := tt.do(); err != nil {
			t.Fatal(err)
		}
		all, err := s.List()
		if err != nil {
			t.Fatal(err)
		}
		if n := s.Inspect(t.Context(), all[0]); n.Freshness != tt.want || n.Files != 2 {
			t.Errorf("%s: %q, %d files, want %q", tt.name, n.Freshness, n.Files, tt.want)
		}
	}
}

// What hits refer to is found in the index of each.
func TestUnionRefers(t *testing.T) {
	s := newSet(t, map[string]string{
		"a/a.md": "# A\n\nA zebra, see [the other](b.md).\n", "a/b.md": "# B\n\nText.\n",
		"c/x.md": "# X\n\nAnother zebra, see [next](y.md#y).\n", "c/y.md": "# Y\n\nText.\n",
	}, docent.Options{})
	s.make("one", "a", docent.MakeOptions{})
	s.make("two", "c", docent.MakeOptions{})
	a, err := s.Search(t.Context(), docent.AllIndexes, answer.Query{Text: "zebra", References: true})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, h := range a.Hits {
		for _, r := range h.References {
			got[h.Ref] = *r.SectionID + " from " + r.From
		}
	}
	want := map[string]string{"one:a.md#a:1-3": "one:b.md from one:a.md#a:3-3", "two:x.md#x:1-3": "two:y.md from two:x.md#x:3-3"}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Indexes with and without vectors are searched together by words, however the
// question says.
func TestUnionOfUnlikeIndexes(t *testing.T) {
	s := newSet(t, map[string]string{"a/a.md": "# A\n\nA zebra.\n", "b/b.md": "# B\n\nA zebra.\n"}, docent.Options{})
	s.make("with", "a", docent.MakeOptions{})
	s.make("without", "b", docent.MakeOptions{Options: docent.Options{Embed: "none"}})
	for _, names := range []string{docent.AllIndexes, "with,without", "without"} {
		for _, mode := range []string{"", answer.Lexical, answer.Hybrid, answer.Semantic} {
			a, err := s.Search(t.Context(), names, answer.Query{Text: "zebra", Mode: mode})
			if err != nil || len(a.Hits) != 1+strings.Count(names, ",")+strings.Count(names, docent.AllIndexes) {
				t.Errorf("%s, %q: %v, %v", names, mode, a, err)
				continue
			}
			if told := strings.HasPrefix(a.Note, "searched by words only"); told != (mode == answer.Hybrid || mode == answer.Semantic) {
				t.Errorf("%s, %q: note %q", names, mode, a.Note)
			}
		}
	}
}

// Windows overlap; what a file costs does not depend on how it was cut.
func TestWindowsCountTokensOnce(t *testing.T) {
	text := "# Stripes\n\n" + strings.Repeat("A zebra has stripes, and no two zebras have the same.\n\n", 300)
	s := newSet(t, map[string]string{"docs/a.md": text}, docent.Options{})
	s.make("w", "docs", docent.MakeOptions{Windows: true})
	lib, err := s.Library("w")
	if err != nil {
		t.Fatal(err)
	}
	stats, err := lib.Stats(t.Context())
	if want := tokens(t, text); err != nil || stats.Chunks < 10 || stats.Tokens != want {
		t.Errorf("%+v, %v; want %d tokens", stats, err, want)
	}
}
