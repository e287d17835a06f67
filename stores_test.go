package docent_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/store"
)

// A keeper is a way to keep documents.
type keeper struct {
	name string
	open func(t *testing.T, docs string) *docent.Library
}

// keepers are the ways that need nothing else. What the tests below show holds for
// each, and for a cluster (cluster_test.go).
var keepers = []keeper{
	{"index", func(t *testing.T, docs string) *docent.Library {
		lib, err := docent.OpenDir(context.Background(), docs, filepath.Join(t.TempDir(), "index"), docent.Options{})
		return opened(t, lib, err)
	}},
	{"database, indexed", func(t *testing.T, docs string) *docent.Library {
		file := filepath.Join(t.TempDir(), "docs.db")
		if _, err := store.IndexDB(context.Background(), file, nil, store.Options{Root: docs}); err != nil {
			t.Fatal(err)
		}
		lib, err := docent.OpenDB(context.Background(), file, docent.Options{})
		return opened(t, lib, err)
	}},
	{"database, exported", func(t *testing.T, docs string) *docent.Library {
		file := filepath.Join(t.TempDir(), "docs.db")
		lib, err := docent.OpenDir(context.Background(), docs, filepath.Join(t.TempDir(), "index"), docent.Options{})
		if _, err := opened(t, lib, err).Export(context.Background(), file); err != nil {
			t.Fatal(err)
		}
		lib, err = docent.OpenDB(context.Background(), file, docent.Options{})
		return opened(t, lib, err)
	}},
}

// ownDocs copies the documents of this repository.
func ownDocs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, pattern := range []string{"*.md", "docs/*.md", "design/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(dir, f), string(data))
		}
	}
	return dir
}

// Whatever keeps the chunks, a question has the same answer: the same hits with the
// same scores, records, corrections and arithmetic.
func TestKeepersAnswerAlike(t *testing.T) { answerAlike(t, keepers) }

func answerAlike(t *testing.T, keepers []keeper) {
	docs := ownDocs(t)
	questions := []answer.Query{
		{Text: "where does the index lie", RerankMS: 60_000}, // the one that the model in the program reads
		{Text: "exit codes", Limit: 10},
		{Text: "citation still holds", Limit: 10},
		{Text: "comparesion of scors"},
		{Text: "chunk", Limit: 20},
		{Text: "title:search json"},
		{Text: "index -search", Limit: 10},
		{Text: `"token budget"`},
		{Text: "path:docs/** record", Limit: 10},
		{Text: "search", File: "design/*", Limit: 10},
		{Text: "zzzyx"},
		{Text: ""},
		{Text: "the of"},
		{Text: "freshn"},
		{Text: "CHANGELOG.md"},
		{Text: "ARCHITECTURE"},
		{Text: "how are vectors made", Budget: 100_000},
		{Text: "ranking", Explain: true},
		{Text: "使用"},
	}
	want := map[string]string{}
	for i, k := range keepers {
		lib := k.open(t, docs)
		for _, q := range questions {
			for _, q.Mode = range []string{answer.Lexical, answer.Hybrid, answer.Semantic} {
				a := ask(t, lib, q)
				// The line about freshness differs, and with it what fits into a budget
				// beside the hits.
				a.Freshness, a.LeftOut, a.Unlisted = "", nil, 0
				text := asJSON(t, a) + asJSON(t, a.Records())
				id := fmt.Sprintf("%+v", q)
				if i == 0 {
					want[id] = text
				} else if text != want[id] {
					t.Errorf("%s: %+v:\ngot  %s\nwant %s", k.name, q, text, want[id])
				}
			}
		}
	}
}

// A section, its neighbours and its lines are the same too.
func TestKeepersReadAlike(t *testing.T) { readAlike(t, keepers) }

func readAlike(t *testing.T, keepers []keeper) {
	docs := ownDocs(t)
	var want []string
	for i, k := range keepers {
		lib := k.open(t, docs)
		ctx := context.Background()
		var got []string
		add := func(v any, err error) {
			if err != nil {
				got = append(got, "error: "+err.Error())
				return
			}
			got = append(got, asJSON(t, v))
		}
		for _, ref := range []string{"ARCHITECTURE.md", "ARCHITECTURE.md#how-does-a-folder-become-an-index", "docs/output.md#nope", "nope.md"} {
			v, err := lib.Section(ctx, ref, answer.SectionOptions{Around: true})
			if err == nil {
				v.References, v.Backlinks = nil, nil
			}
			add(v, err)
			r, err := lib.Read(ctx, ref, answer.ReadOptions{Limit: 5})
			add(r, err)
		}
		r, err := lib.Read(ctx, "README.md:3-9", answer.ReadOptions{})
		add(r, err)
		o, err := lib.Outline(ctx, "README.md", 0)
		add(o, err)
		o, err = lib.Outline(ctx, "docs", 0)
		for i := range o.Files { // are priced by chunks there, by sections here
			o.Files[i].Tokens, o.Total.Tokens = 0, 0
		}
		add(o, err)
		f, err := lib.Files(ctx, "design/")
		add(f, err)
		info, err := lib.Info(ctx, "README.md")
		add(info, err)
		if i == 0 {
			want = got
			continue
		}
		for j := range got {
			if got[j] != want[j] {
				t.Errorf("%s, %d:\ngot  %s\nwant %s", k.name, j, got[j], want[j])
			}
		}
	}
}

// Any text is a question, to a database as to an index.
func TestDatabaseTakesAnyQuestion(t *testing.T) {
	file := filepath.Join(t.TempDir(), "docs.db")
	if _, err := store.IndexDB(context.Background(), file, nil, store.Options{Root: ownDocs(t)}); err != nil {
		t.Fatal(err)
	}
	lib, err := docent.OpenDB(context.Background(), file, docent.Options{})
	opened(t, lib, err)
	r := rand.New(rand.NewPCG(7, 8))
	pieces := append(strings.Fields(`" ' * ^ : ( ) NEAR AND OR NOT - + { } , = % \ ; -- title: path: path:** -index index chunk search serch`), " ", " ", "\x00", "\xff", "é", "使用", "\n", "\u200b")
	rounds := 300
	if os.Getenv("DOCENT_TORTURE") != "" {
		rounds = 10_000
	}
	if testing.Short() {
		rounds = 50
	}
	for i := range rounds {
		text := ""
		if i == 0 {
			text = `path:a\ index` // was once the end of the program
		}
		for range r.IntN(8) {
			text += pieces[r.IntN(len(pieces))]
		}
		q := answer.Query{Text: text, Limit: 1 + r.IntN(5)}
		if i%30 != 0 { // the model in the program takes far longer than all the rest
			q.Rerank = answer.RerankOff
		}
		if _, err := lib.Search(context.Background(), q); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	}
	cases.Tried(t, "P7", rounds)
}

// What changed is written, what has gone is removed, what others brought stays.
func TestDatabaseFollowsTheFiles(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	t.Chdir(dir)
	writeFile(t, "docs/a.md", "# Apples\n\nRed apples. See [pears](b.md).\n")
	writeFile(t, "docs/b.md", "# Pears\n\nGreen pears.\n")
	writeFile(t, "c.md", "# Cherries\n\nDark cherries.\n")
	index := func(want string, paths ...string) {
		t.Helper()
		r, err := store.IndexDB(ctx, "x.db", paths, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%d written, %d removed, %d files", r.Written, r.Removed, r.Files); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
	found := func(text string) string {
		t.Helper()
		lib, err := docent.OpenDB(ctx, "x.db", docent.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer lib.Close()
		a, err := lib.Search(ctx, answer.Query{Text: text, Limit: 1, Mode: answer.Lexical, References: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Hits) == 0 {
			return ""
		}
		return a.Hits[0].File
	}
	index("2 written, 0 removed, 2 files", "docs")
	index("0 written, 0 removed, 2 files", "docs")
	index("1 written, 0 removed, 3 files", "c.md")
	writeFile(t, "docs/b.md", "# Plums\n\nBlue plums.\n")
	index("2 written, 0 removed, 3 files", "docs") // what a.md links to has another title
	if found("plums") != "docs/b.md" || found("pears") != "docs/a.md" || found("cherries") != "c.md" {
		t.Error(found("plums"), found("pears"), found("cherries"))
	}
	if err := os.Remove("docs/b.md"); err != nil {
		t.Fatal(err)
	}
	index("1 written, 1 removed, 2 files", "docs")
	if f := found("plums"); f != "" {
		t.Error("still found in", f)
	}
	if _, err := store.IndexDB(ctx, "x.db", []string{"docs"}, store.Options{Options: refresh.Options{Embed: "none"}}); err == nil {
		t.Error("vectors of two kinds were mixed")
	}
}

// A document with a link that leads nowhere is written again when it leads somewhere,
// and not before.
func TestDatabaseFollowsTheLinks(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	t.Chdir(dir)
	writeFile(t, "docs/a.md", "# Apples\n\nSee [pears](b.md), [pears](b.md) and [plums](c.md).\n")
	for _, step := range []struct {
		add  string
		want int
	}{{"x.md", 2}, {"y.md", 1}, {"b.md", 2}, {"z.md", 1}, {"c.md", 2}} {
		writeFile(t, "docs/"+step.add, "# More\n\nText.\n")
		r, err := store.IndexDB(ctx, "x.db", []string{"docs"}, store.Options{})
		if err != nil || r.Written != step.want {
			t.Errorf("%s came: %d written, want %d: %v", step.add, r.Written, step.want, err)
		}
	}
}

// References of documents that have not changed follow what they lead to: after each
// step a database says of every section what one that is made anew says.
func TestDatabaseReferencesAreThoseOfNow(t *testing.T) {
	referencesOfNow(t, func(ctx context.Context, name string, o store.Options) error {
		_, err := store.IndexDB(ctx, name+".db", []string{"docs"}, o)
		return err
	}, func(ctx context.Context, name string) (*docent.Library, error) {
		return docent.OpenDB(ctx, name+".db", docent.Options{})
	})
}

func referencesOfNow(t *testing.T, index func(ctx context.Context, name string, o store.Options) error, open func(ctx context.Context, name string) (*docent.Library, error)) {
	ctx, dir := context.Background(), t.TempDir()
	t.Chdir(dir)
	section := func(name, ref string) string {
		t.Helper()
		lib, err := open(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		defer lib.Close()
		v, err := lib.Section(ctx, ref, answer.SectionOptions{Around: true})
		if err != nil {
			t.Fatal(err)
		}
		return asJSON(t, v.References) + asJSON(t, v.Backlinks)
	}
	for _, step := range []struct {
		name   string
		files  map[string]string // "" for one that goes
		names  string            // what the references of a.md name
		silent string            // and do not name
	}{
		{"to begin with", map[string]string{
			"a.md": "# Apples\n\nSee [pears](b.md#pears) and [plums](c.md).\n",
			"b.md": "# Fruit\n\nMuch of it.\n\n## Pears\n\nGreen, long and sweet.\n",
			"c.md": "# Plums\n\nNot [apples](a.md) at all.\n",
		}, "Pears: Green, long and sweet.", "missing"},
		{"what a section says changes", map[string]string{"b.md": "# Fruit\n\n## Pears\n\nYellow, if you wait.\n"}, "Pears: Yellow, if you wait.", "Green"},
		{"a section goes", map[string]string{"b.md": "# Fruit\n\n## Quinces\n\nHard and sour ones.\n"}, "missing", "Yellow"},
		{"and comes back", map[string]string{"b.md": "# Fruit\n\n## Pears\n\nGreen as they were.\n"}, "Pears: Green as they were.", "missing"},
		{"a file goes", map[string]string{"c.md": ""}, "missing", "Plums"},
		{"a file is renamed", map[string]string{"b.md": "", "d.md": "# Fruit\n\n## Pears\n\nGreen as they were.\n"}, "missing", "Green"},
	} {
		for name, text := range step.files {
			if text != "" {
				writeFile(t, "docs/"+name, text)
			} else if err := os.Remove("docs/" + name); err != nil {
				t.Fatal(err)
			}
		}
		for name, full := range map[string]bool{"old": false, "new": true} {
			if err := index(ctx, name, store.Options{Full: full}); err != nil {
				t.Fatal(err)
			}
		}
		files, err := filepath.Glob("docs/*.md")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if got, want := section("old", filepath.ToSlash(f)), section("new", filepath.ToSlash(f)); got != want {
				t.Errorf("%s: %s:\ngot  %s\nwant %s", step.name, f, got, want)
			}
		}
		got := section("old", "docs/a.md")
		if !strings.Contains(got, step.names) || strings.Contains(got, step.silent) {
			t.Errorf("%s: want %q and not %q: %s", step.name, step.names, step.silent, got)
		}
	}
}

// A library that is open sees what is written to its database.
func TestOpenDatabaseSeesWhatIsWritten(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	t.Chdir(dir)
	writeFile(t, "a.md", "# Apples\n\nRed apples.\n")
	if _, err := store.IndexDB(ctx, "x.db", []string{"a.md"}, store.Options{}); err != nil {
		t.Fatal(err)
	}
	lib, err := docent.OpenDB(ctx, "x.db", docent.Options{})
	opened(t, lib, err)
	for _, fruit := range []string{"apples", "pears", "plums"} {
		writeFile(t, "a.md", "# Fruit\n\nSome "+fruit+".\n")
		if _, err := store.IndexDB(ctx, "x.db", []string{"a.md"}, store.Options{}); err != nil {
			t.Fatal(err)
		}
		a, err := lib.Search(ctx, answer.Query{Text: fruit, Mode: answer.Lexical})
		if err != nil || len(a.Hits) != 1 || !strings.Contains(a.Hits[0].Body, fruit) {
			t.Fatalf("%s: %+v, %v", fruit, a, err)
		}
	}
}

// Records of "docent chunks" make a database that answers; a line that is wrong is
// named, and nothing is written.
func TestIndexRecords(t *testing.T) {
	ctx, file := context.Background(), filepath.Join(t.TempDir(), "x.db")
	good := `{"section_id":"a.md#apples","parent_id":null,"title":"Apples","path":"Apples","content":"# Apples\n\nRed apples.\n","source":{"id":"a.md","name":"Apples","file":"a.md","lines":[1,3]}}
{"section_id":"a.md#red-1","parent_id":"a.md#red","title":"Red","path":"Apples → Red","content":"Part one.\n","source":{"file":"a.md","lines":[4,9]}}

{"section_id":"pears","title":"Pears","content":"Green pears.","source":{"id":"b.md","lines":[1,1]}}`
	r, err := store.IndexRecords(ctx, file, strings.NewReader(good), store.Options{})
	if err != nil || r.Files != 2 || r.Chunks != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	record := func(edit string) string {
		old, new, _ := strings.Cut(edit, " => ")
		return "\n" + strings.Replace(`{"section_id":"c","title":"T","content":"text","source":{"file":"c.md","lines":[1,2]}}`, old, new, 1)
	}
	for _, c := range []struct{ name, input, want string }{
		{"not JSON", "\nnope", "line 2: not a record"},
		{"cut short", record(`"lines":[1,2]}} => "lines":[1`), "line 2: not a record"},
		{"another type", record(`"text" => 7`), "line 2: not a record"},
		{"no id", record(`"section_id":"c", => `), "line 2: section_id is missing"},
		{"no content", record(`"content":"text", => `), "line 2: content is missing"},
		{"no file", record(`"file":"c.md", => `), "line 2: source.file is missing"},
		{"no lines", record(`[1,2] => [0,2]`), "line 2: source.lines is [0 2]"},
		{"lines backwards", record(`[1,2] => [3,2]`), "line 2: source.lines is [3 2]"},
		{"not UTF-8", record("text => te\xffxt"), "line 2: not UTF-8"},
		{"an id twice", record("") + record(""), `line 3: section_id "c" is in line 2 already`},
		{"its own parent", record(`"title" => "parent_id":"c","title"`), "line 2: parent_id is the section's own"},
		{"a circle", record(`"title" => "parent_id":"d","title"`) + record(`"c","title" => "d","parent_id":"c","title"`), "lead back to it"},
		{"a section that another document has", record(`"section_id":"c" => "section_id":"pears"`), `section "pears"`},
		{"nothing", "\n\n", store.ErrNoRecords.Error()},
	} {
		_, err := store.IndexRecords(ctx, file, strings.NewReader(c.input), store.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	lib, err := docent.OpenDB(ctx, file, docent.Options{})
	opened(t, lib, err)
	list, err := lib.Files(ctx, "")
	if err != nil || !slices.Equal(list.Paths(), []string{"a.md", "b.md"}) {
		t.Errorf("%+v, %v", list, err)
	}
	a, err := lib.Search(ctx, answer.Query{Text: "apples", Limit: 1})
	if err != nil || len(a.Hits) != 1 || a.Hits[0].Body != "# Apples\n\nRed apples.\n" || a.Records()[0].SectionID != "a.md#apples" {
		t.Errorf("%+v, %v", a, err)
	}
}

// What needs all documents at hand says so.
func TestDatabaseSaysWhatItCannot(t *testing.T) {
	file := filepath.Join(t.TempDir(), "docs.db")
	docs := t.TempDir()
	writeFile(t, filepath.Join(docs, "a.md"), "# Apples\n\nRed apples.\n")
	if _, err := store.IndexDB(context.Background(), file, nil, store.Options{Root: docs}); err != nil {
		t.Fatal(err)
	}
	lib, err := docent.OpenDB(context.Background(), file, docent.Options{})
	opened(t, lib, err)
	if _, err := lib.Search(context.Background(), answer.Query{Text: "x", Expand: 1}); !errors.Is(err, docent.ErrUnsupported) {
		t.Error(err)
	}
	if _, err := lib.Export(context.Background(), file); !errors.Is(err, docent.ErrUnsupported) {
		t.Error(err)
	}
}
