package graph_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/graph"
)

// The corpora of these tests have few names, so that files meet, win over each
// other and take each other's place.
var (
	someDirs  = []string{"", "a/", "a/b/", "docs/", "content/en/docs/", "content/de/docs/", "docs/a/b/c/"}
	someBases = []string{"index.md", "README.md", "_index.md", "one.md", "two.md", "One.mdx", "my page.md", "my-page.md", "01-one.md", "ch04-00-x.md"}
	someHeads = []string{
		"# Title", "# One", "## Alpha", "## Alpha", "### Beta", "## 1.1 Gamma", "## 2.3 Delta", "## Chapter 4: Big",
		"## Appendix B: Last", "## Set {#chosen}", "r[rule.one]", "text ^blk", "<a id=\"here\"></a>", "- `term`\n  - : words",
	}
	someFronts = []string{
		"", "", "", "title: One", "title: Two words", "slug: /one", "slug: Web/API/One", "slug: two",
		"aliases: [Other, two]", "aliases: [/old/one/]", "permalink: /docs/one/",
	}
	someLinks = []string{
		"[x](one.md)", "[x](two)", "[x](../one.md)", "[x](a/b/one)", "[x](b/)", "[x](.)", "[x](..)", "[x](../../../..)",
		"[x](/docs/one)", "[x](/one/)", "[x](/en/docs/two)", "[x](/docs/a/b/c/one)", "[x](/)", "[x](my%20page.md#alpha)",
		"[x](one.md#alpha-1)", "[x](one.md#beta)", "[x](one.md#chosen)", "[x](two.md#here)", "[x](#alpha)", "[x](#nope)",
		"[[one]]", "[[One]]", "[[two#Alpha]]", "[[a/b/one]]", "[[b/one]]", "[[Other]]", "[[two words]]", "[[README]]", "[[a/README]]", "[x](/docs/index.md)", "[x](b/README.md)", "[[docs]]", "[[my page#^blk]]",
		"{{domxref(\"One\")}}", "[x](/en-US/docs/Web/API/One#term)", "[x]({{< ref \"one\" >}})", "[x][r]\n\n[r]: rule.one",
		"see section 1.1", "see section 2.3", "chapter 4", "Appendix B", "(1.1)", "[x](https://example.com)", "![x](x.png)",
	}
)

func someText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		if f := rapid.SampledFrom(someFronts).Draw(t, "front"); f != "" {
			b.WriteString("---\n" + f + "\n---\n\n")
		}
		for range rapid.IntRange(0, 4).Draw(t, "sections") {
			b.WriteString(rapid.SampledFrom(someHeads).Draw(t, "head") + "\n\n")
			for range rapid.IntRange(0, 4).Draw(t, "links") {
				b.WriteString(rapid.SampledFrom(someLinks).Draw(t, "link") + "\n\n")
			}
		}
		return b.String()
	})
}

func somePath() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom(someDirs).Draw(t, "dir") + rapid.SampledFrom(someBases).Draw(t, "base")
	})
}

// A said is an edge without what tells segments apart.
type said struct {
	Link     graph.Link
	State    graph.State
	From, To graph.Place
	Loose    bool
	Anchor   string
	Path     string
}

func say(edges []graph.Edge) []said {
	out := make([]said, len(edges))
	for i, e := range edges {
		e.From.File, e.To.File = graph.ID{}, graph.ID{}
		out[i] = said{e.Link, e.State, e.From, e.To, e.Loose, e.Anchor, e.Path}
	}
	return out
}

// update puts a file into the world as a segment of its own, or takes it out.
func (w world) update(t fataler, path, text string, remove bool) world {
	t.Helper()
	if id, ok := w.find(path); ok {
		w[id.Segment].dead[id.Row] = true
	}
	if remove {
		return w
	}
	return append(w, newSegment(t, map[string]string{path: text}))
}

// merge makes one segment of those from first on.
func (w world) merge(t fataler, first int) world {
	t.Helper()
	type at struct {
		seg *segment
		row int
	}
	var rows []at
	for _, s := range w[first:] {
		for row := range s.docs {
			if !s.dead[row] {
				rows = append(rows, at{s, row})
			}
		}
	}
	slices.SortFunc(rows, func(a, b at) int { return cmp.Compare(a.seg.docs[a.row].Path, b.seg.docs[b.row].Path) })
	b := graph.NewBuilder()
	var docs []doc.Document
	for _, r := range rows {
		if err := b.Copy(r.seg.read, r.row); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, r.seg.docs[r.row])
	}
	return append(w[:first:first], finish(t, b, docs))
}

// However a corpus came to be what it is, it answers like one made afresh.
func TestEditsEqualRebuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := rapid.MapOfN(somePath(), someText(), 1, 8).Draw(t, "corpus")
		w := newWorld(t, now)
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			paths := slices.Sorted(maps.Keys(now))
			switch rapid.SampledFrom([]string{"add", "change", "rename", "remove", "merge"}).Draw(t, "step") {
			case "add":
				p, text := somePath().Draw(t, "path"), someText().Draw(t, "text")
				now[p] = text
				w = w.update(t, p, text, false)
			case "change":
				if len(paths) > 0 {
					p, text := rapid.SampledFrom(paths).Draw(t, "path"), someText().Draw(t, "text")
					now[p] = text
					w = w.update(t, p, text, false)
				}
			case "rename":
				if len(paths) > 0 {
					from, to := rapid.SampledFrom(paths).Draw(t, "from"), somePath().Draw(t, "to")
					text := now[from]
					delete(now, from)
					now[to] = text
					w = w.update(t, from, "", true).update(t, to, text, false)
				}
			case "remove":
				if len(paths) > 0 {
					p := rapid.SampledFrom(paths).Draw(t, "path")
					delete(now, p)
					w = w.update(t, p, "", true)
				}
			case "merge":
				w = w.merge(t, rapid.IntRange(0, len(w)-1).Draw(t, "first"))
			}
			equalToFresh(t, w, now)
		}
		// Merging gives the bytes of a fresh build.
		fresh, merged := newSegment(t, now), w.merge(t, 0)[0]
		for name := range fresh.parts {
			if !bytes.Equal(fresh.parts[name], merged.parts[name]) {
				t.Fatalf("%s differs after merging", name)
			}
		}
	})
}

func equalToFresh(t *rapid.T, w world, now map[string]string) {
	fresh := newWorld(t, now)
	if !slices.Equal(w.paths(), fresh.paths()) {
		t.Fatalf("the test lost a file: %q, want %q", w.paths(), fresh.paths())
	}
	a, b := w.walk(), fresh.walk()
	landing := map[string][]said{}
	for _, p := range fresh.paths() {
		got, want := say(w.out(t, a, p)), say(fresh.out(t, b, p))
		if !slices.Equal(got, want) {
			t.Fatalf("references of %s: %+v\nwant %+v", p, got, want)
		}
		for _, e := range want {
			if e.State == graph.Found || e.State == graph.NoAnchor {
				landing[e.To.Path] = append(landing[e.To.Path], e)
			}
		}
	}
	for _, p := range fresh.paths() {
		// A Walker that has seen nothing finds them too.
		got := say(w.in(t, w.walk(), p))
		if !slices.Equal(got, landing[p]) {
			t.Fatalf("references to %s: %+v\nwant %+v", p, got, landing[p])
		}
		if got := say(fresh.in(t, b, p)); !slices.Equal(got, landing[p]) {
			t.Fatalf("references to %s in a fresh corpus: %+v\nwant %+v", p, got, landing[p])
		}
	}
}

// Looking names up finds what looking at every file finds.
func TestKeysFindWhatLookingFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := 8
		if rapid.Bool().Draw(t, "many") {
			most = 60
		}
		now := rapid.MapOfN(somePath(), someText(), 1, most).Draw(t, "corpus")
		w := newWorld(t, now)
		walk := w.walk()
		for _, p := range w.paths() {
			for _, e := range w.out(t, walk, p) {
				slow, err := walk.ResolveSlowly(e.From.File, e.Link)
				if err != nil {
					t.Fatal(err)
				}
				want := ""
				if slow != nil {
					want = slow.Path
				}
				if e.To.Path != want {
					t.Fatalf("%s in %s leads to %q; looking at all files it is %q", e.Target, p, e.To.Path, want)
				}
			}
		}
	})
}

// Of a name that most folders have, the nearest is found, though not by looking at
// all of them.
func TestNearestOfMany(t *testing.T) {
	corpus := map[string]string{}
	for i := range 12 {
		for j := range 12 {
			corpus[fmt.Sprintf("p%02d/q%02d/README.md", i, j)] = "# R\n\n[[README]] [[index]] [x](/README.md) [x](../../README.md)\n"
		}
		corpus[fmt.Sprintf("p%02d/src/one.md", i)] = "[[README]]\n"
	}
	for i := range 40 {
		corpus[fmt.Sprintf("v%02d/docs/a/b/c.md", i)] = fmt.Sprintf("[x](/v%02d/docs/a/b/c) [x](/docs/a/b/c) [[v%02d/docs/a/b/C]] [x](/x/docs/a/b/c)\n", (i+7)%40, i)
	}
	corpus["README.md"] = "[[README]]\n"
	w := newWorld(t, corpus)
	walk := w.walk()
	for _, p := range w.paths() {
		for _, e := range w.out(t, walk, p) {
			slow, err := walk.ResolveSlowly(e.From.File, e.Link)
			if err != nil {
				t.Fatal(err)
			}
			if slow != nil && slow.Path != e.To.Path || slow == nil && e.State != graph.Missing {
				t.Fatalf("%s in %s leads to %q, want %v", e.Target, p, e.To.Path, slow)
			}
		}
	}
	if got := w.show(w.out(t, walk, "p03/src/one.md")[0]); got != "p03/q00/README.md" {
		t.Errorf("the nearest is %s", got)
	}
}
