package graph_test

import (
	"fmt"
	"path"
	"runtime"
	"strings"
	"testing"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/text/markdown"
)

func TestCycles(t *testing.T) {
	w := newWorld(t, files("a.md=# A||[b](b.md) [a](a.md) [here](#a) [[a]]", "b.md=# B||[c](c.md)", "c.md=# C||[a](a.md#a)"))
	walk := w.walk()
	var got []string
	for _, e := range w.in(t, walk, "a.md") {
		got = append(got, e.From.Path+" "+w.show(e))
	}
	want := "a.md a.md|a.md a.md#a|a.md a.md|c.md a.md#a"
	if strings.Join(got, "|") != want {
		t.Errorf("references to a.md: %q, want %s", got, want)
	}
}

// A file that goes leaves its links dangling and nothing else behind; when it comes
// back they lead to it again.
func TestFilesThatVanish(t *testing.T) {
	w := newWorld(t, files("a.md=[b](b.md) [[b]] [b](x/b.md)", "b.md=# B||[a](a.md)", "x/b.md"))
	show := func() string {
		var out []string
		walk := w.walk()
		for _, e := range w.out(t, walk, "a.md") {
			out = append(out, w.show(e))
		}
		return fmt.Sprint(out, len(w.in(t, walk, "a.md")))
	}
	for _, step := range []struct {
		remove, add, want string
	}{
		{"", "", "[b.md b.md x/b.md] 1"},
		{"b.md", "", "[x/b.md loosely x/b.md x/b.md] 0"},
		{"x/b.md", "", "[missing b.md missing b missing x/b.md] 0"},
		{"", "b.md", "[b.md b.md missing x/b.md] 1"},
	} {
		if step.remove != "" {
			w = w.update(t, step.remove, "", true)
		}
		if step.add != "" {
			w = w.update(t, step.add, "# B\n\n[a](a.md)\n", false)
		}
		if got := show(); got != step.want {
			t.Errorf("without %q, with %q: %s, want %s", step.remove, step.add, got, step.want)
		}
	}
}

// A definition is written once and used by all links of a file. Each link had a copy of its
// target, and of the path made of it: a page of 10 MiB took 291 MiB.
func TestLinksShareALongTarget(t *testing.T) {
	const links = 20_000
	for _, target := range []string{"/" + strings.Repeat("u", 1000), strings.Repeat("u/", 300) + "u.png", "#" + strings.Repeat("u", 500), "/" + strings.Repeat("u", 2000)} {
		w := newWorld(t, map[string]string{"x.md": "[a]: " + target + "\n\n" + strings.Repeat("[a] ![a] ", links/2)})
		id, _ := w.find("x.md")
		walk := w.walk()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		edges, err := walk.Out(id)
		runtime.ReadMemStats(&after)
		if err != nil || len(edges) != links {
			t.Fatal(len(edges), err)
		}
		for i, e := range edges {
			if e.Target != edges[0].Target || e.State != edges[0].State || e.Path != edges[0].Path || e.Image != (i%2 == 1) || e.Line != 3 {
				t.Fatalf("link %d: %+v; the first: %+v", i, e, edges[0])
			}
		}
		if each := (after.TotalAlloc - before.TotalAlloc) / links; each > 500 {
			t.Errorf("%.10s of %d bytes: %d bytes a link", target, len(target), each)
		}
	}
}

func TestManyLinksInOneFile(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Many\n\n## 1.1 One\n\n")
	const n = 10_000
	for i := range n {
		fmt.Fprintf(&b, "[x](t.md#h%d) see section 1.1\n\n", i%100)
	}
	var target strings.Builder
	for i := range 100 {
		fmt.Fprintf(&target, "## H%d\n\n", i)
	}
	w := newWorld(t, map[string]string{"m.md": b.String(), "t.md": target.String()})
	walk := w.walk()
	out, in := w.out(t, walk, "m.md"), w.in(t, walk, "t.md")
	if len(out) != 2*n || len(in) != n {
		t.Fatalf("%d references out, %d in", len(out), len(in))
	}
	for i, e := range in {
		if e.State != graph.Found || e.To.Section != i%100+1 {
			t.Fatalf("reference %d: %+v", i, e)
		}
	}
	if got := len(w.in(t, walk, "m.md")); got != n {
		t.Errorf("%d references of the file to itself, want %d", got, n)
	}
}

func TestHostileTargets(t *testing.T) {
	long := strings.Repeat("a/", 500_000)
	for name, text := range map[string]string{
		"a megabyte of path":       "[x](" + long + ")",
		"a megabyte of way up":     "[x](" + strings.Repeat("../", 300_000) + "etc/passwd)",
		"a megabyte of image":      "![x](data:image/png;base64," + strings.Repeat("A", 1<<20) + ")",
		"a megabyte of anchor":     "[x](#" + strings.Repeat("a-", 500_000) + ")",
		"a megabyte of percent":    "[x](" + strings.Repeat("%2e%2e%2f", 100_000) + ")",
		"a megabyte of text":       "[" + strings.Repeat("x", 1<<20) + "](t.md)",
		"a megabyte of wiki":       "[[" + strings.Repeat("x/", 400) + "]]",
		"NULs":                     "[x](a\x00b.md) [[a\x00b]] [x](%00)",
		"bytes that are no text":   "[x](\xff\xfe.md) [[\xff]] [x](%ff%fe)",
		"absolute paths":           "[x](/etc/passwd) [x](C:\\windows\\x.md) [x](file:///etc/passwd)",
		"a deep list of sections":  "see sections " + strings.Repeat("1.1, ", 50_000) + "1.1\n\n## 1.1 A",
		"a forest of backticks":    strings.Repeat("` `` section 1.1 ``` ", 20_000),
		"words without numbers":    strings.Repeat("section ", 100_000),
		"open parentheses":         "## 1.1 A\n\n" + strings.Repeat("(1.1", 100_000),
		"attributes without a tag": strings.Repeat(" id=\" name=", 100_000),
		"terms without a list":     strings.Repeat("- : x\n", 20_000),
		"rules":                    strings.Repeat("r[x]\n", 100_000),
		"block ids":                strings.Repeat("x ^a\n", 100_000),
		"aliases":                  "---\naliases: [" + strings.Repeat("a, ", 10_000) + "b]\n---\n",
		"a heading of numbers":     "# " + strings.Repeat("1.", 100_000) + "1 X",
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"d/s.md": text, "t.md": "# T"})
			walk := w.walk()
			for _, e := range w.out(t, walk, "d/s.md") {
				within(t, e)
			}
			w.in(t, walk, "t.md")
			w.in(t, walk, "d/s.md")
		})
	}
}

// within checks that an edge stays in the corpus and is of bounded size.
func within(t fataler, e graph.Edge) {
	t.Helper()
	if len(e.Target) > graph.MaxTarget || len(e.Text) > graph.MaxTarget || len(e.Path) > 4*graph.MaxTarget {
		t.Fatalf("an edge of %d, %d and %d bytes", len(e.Target), len(e.Text), len(e.Path))
	}
	for _, p := range append(e.Files(), e.Path, e.To.Path) {
		if p != "" && (p[0] == '/' || path.Clean(p) != p || p == ".." || strings.HasPrefix(p, "../") || strings.ContainsRune(p, 0)) {
			t.Fatalf("%q leads to %q", e.Target, p)
		}
	}
}

// No document makes it panic, leave the corpus or contradict itself.
func FuzzDocument(f *testing.F) {
	for _, l := range someLinks {
		f.Add(l)
	}
	for _, h := range someHeads {
		f.Add(h)
	}
	f.Add(manual)
	f.Add("---\nslug: ../../x\naliases: [/../y, \"\", \"\\0\"]\npermalink: //z//\n---\n[x](/x) [[y]]")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		w := newWorld(t, map[string]string{"a/s.md": text, "a/one.md": "# One\n\n## Alpha\n", "two/index.md": text})
		walk := w.walk()
		landing := map[string]int{}
		for _, p := range w.paths() {
			for _, e := range w.out(t, walk, p) {
				within(t, e)
				if e.State == graph.Found || e.State == graph.NoAnchor {
					landing[e.To.Path]++
				}
				if e.State == graph.Found && e.To.Section >= 0 && e.To.Section >= len(w[0].docs[e.To.File.Row].Sections) {
					t.Fatalf("section %d of %s", e.To.Section, e.To.Path)
				}
			}
		}
		for _, p := range w.paths() {
			if n := len(w.in(t, walk, p)); n != landing[p] {
				t.Fatalf("%d references to %s, want %d", n, p, landing[p])
			}
		}
	})
}

// Damaged tables give an error or other answers, never a panic.
func FuzzTables(f *testing.F) {
	b := graph.NewBuilder()
	for _, p := range []string{"a.md", "b/index.md"} {
		d := markdown.Parse(p, []byte("---\naliases: [x]\n---\n# A\n\n[b](b/) [[a]] <a id=\"q\"></a> see section 1.1\n\n## 1.1 B\n"))
		if err := b.Add(graph.Extract(&d)); err != nil {
			f.Fatal(err)
		}
	}
	parts := map[string][]byte{}
	b.Parts(func(name string, data []byte) { parts[name] = data })
	f.Add(parts["graph-files"], parts["graph-records"], parts["graph-strings"], parts["graph-heap"], parts["graph-names"], parts["graph-targets"])
	f.Fuzz(func(_ *testing.T, files, records, strings, heap, names, targets []byte) {
		parts := map[string]memory{
			"graph-files": files, "graph-records": records, "graph-strings": strings,
			"graph-heap": heap, "graph-names": names, "graph-targets": targets,
		}
		r, err := graph.Open(func(name string) (blob.Blob, error) { return parts[name], nil })
		if err != nil || r.Files() > 100 {
			return
		}
		w := graph.Walk([]graph.Segment{{
			Reader:   r,
			Page:     func(row int) (string, string, error) { return fmt.Sprintf("p%d.md", row), "T", nil },
			Sections: func(int) ([]graph.Section, error) { return []graph.Section{{Title: "1.1 B", Anchor: "b"}}, nil },
		}})
		again := graph.NewBuilder()
		for row := range r.Files() {
			_, _ = w.Out(graph.ID{Row: row})
			_, _ = w.In(graph.ID{Row: row})
			_ = again.Copy(r, row)
		}
	})
}

// Where the file of an image may lie is within the corpus, and the likely place
// comes first.
func TestFiles(t *testing.T) {
	for _, tt := range []struct{ link, first, has string }{
		{"![x](img/x.png)", "a/b/img/x.png", "a/b/img/x.png"},
		{"![x](/img/x.png)", "img/x.png", "a/static/img/x.png"},
		{"![[x.png]]", "a/b/x.png", "attachments/x.png"},
	} {
		w := newWorld(t, files("a/b/s.md="+tt.link))
		e := w.out(t, w.walk(), "a/b/s.md")[0]
		got := e.Files()
		if e.State != graph.Asset || !e.Image || len(got) == 0 || got[0] != tt.first || !strings.Contains("|"+strings.Join(got, "|")+"|", "|"+tt.has+"|") {
			t.Errorf("%s: %v %q", tt.link, e.State, got)
		}
		within(t, e)
	}
}

func TestEmptyCorpus(t *testing.T) {
	w := newWorld(t, nil)
	if n := w[0].read.Files() + w[0].read.Links(); n != 0 {
		t.Errorf("%d files and links", n)
	}
	if got := graph.Extract(&doc.Document{Path: "a.md", Sections: []doc.Section{{}}}); len(got.Links) != 0 {
		t.Errorf("an empty document has links %v", got.Links)
	}
}
