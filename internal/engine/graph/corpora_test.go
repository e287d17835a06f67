package graph_test

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/needs"
)

// sharedFile opens a file of the shared folder beside the checkout, or skips the test.
func sharedFile(t testing.TB, name string) io.Reader {
	t.Helper()
	f, err := os.Open(needs.Shared(t, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// archive reads the Markdown of a corpus, without the folder it is packed in.
func archive(t testing.TB, name string) map[string]string {
	t.Helper()
	out := map[string]string{}
	r := tar.NewReader(sharedFile(t, "corpora/"+name+".tar.gz"))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg || !doc.IsMarkdown(h.Name) {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimPrefix(path.Clean(h.Name), name+"/")] = string(text)
	}
}

// evalSet reads the files of an evaluation set.
func evalSet(t testing.TB, name string) map[string]string {
	t.Helper()
	out := map[string]string{}
	d := json.NewDecoder(sharedFile(t, "eval/"+name+"/files.jsonl.gz"))
	for {
		var f struct {
			ID   string `json:"_id"`
			Text string `json:"text"`
		}
		err := d.Decode(&f)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out[f.ID] = f.Text
	}
}

// pageOf finds the file that a path of a site means the obvious way: by trying
// what it may be called.
func pageOf(corpus map[string]string, roots []string, from, target string) string {
	target, _, _ = strings.Cut(target, "#")
	target, _, _ = strings.Cut(target, "?")
	target = strings.ReplaceAll(target, "%20", " ")
	if target == "" {
		return from
	}
	dirs := []string{path.Dir(from)}
	if target[0] == '/' {
		dirs = roots
	}
	for _, dir := range dirs {
		p := strings.TrimSuffix(path.Join(dir, target), "/")
		bare := strings.TrimSuffix(p, ".html")
		for _, q := range []string{p, bare + ".md", bare + ".mdx", p + "/index.md", p + "/_index.md", p + "/README.md"} {
			if _, ok := corpus[q]; ok {
				return q
			}
		}
	}
	return ""
}

// Of the links of real documentation that point to a page that exists, 99 in 100
// must lead to it. What does not is listed with its reason.
func TestLinksOfRealDocumentation(t *testing.T) {
	for _, tt := range []struct {
		name  string
		roots []string
	}{
		{"k8s", []string{"content/en", "."}},
		{"rust", []string{"."}},
		{"vue", []string{"src", "."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			corpus := evalSet(t, tt.name)
			w := newWorld(t, corpus)
			walk := w.walk()
			pointing, right := 0, 0
			states := map[graph.State]int{}
			for _, p := range w.paths() {
				for _, e := range w.out(t, walk, p) {
					states[e.State]++
					if e.Kind != graph.Inline && e.Kind != graph.Reference || e.State == graph.External {
						continue
					}
					want := pageOf(corpus, tt.roots, p, e.Target)
					if want == "" {
						continue
					}
					pointing++
					if e.To.Path == want {
						right++
						continue
					}
					t.Logf("%s:%d %s leads to %q (%v), want %s", p, e.Line, e.Target, e.To.Path, e.State, want)
				}
			}
			t.Logf("%d of %d links to pages that exist lead there; all references: %v", right, pointing, states)
			if pointing < 100 || right*100 < pointing*99 {
				t.Errorf("only %d of %d", right, pointing)
			}
		})
	}
}

func TestWikiLinksOfRealNotes(t *testing.T) {
	corpus := archive(t, "obsidian-help")
	names := map[string]bool{}
	w := newWorld(t, corpus)
	for i := range w[0].docs {
		d := &w[0].docs[i]
		names[strings.ToLower(strings.TrimSuffix(path.Base(d.Path), ".md"))] = true
		for _, a := range d.Aliases {
			names[strings.ToLower(a)] = true
		}
	}
	walk := w.walk()
	pointing, right := 0, 0
	for _, p := range w.paths() {
		for _, e := range w.out(t, walk, p) {
			if e.Kind != graph.Wiki {
				continue
			}
			name, _, _ := strings.Cut(e.Target, "#")
			name = strings.ToLower(strings.TrimSuffix(name, ".md"))
			if name != "" && !names[name] && !names[path.Base(name)] {
				continue
			}
			pointing++
			if e.State == graph.Found {
				right++
			} else {
				t.Logf("%s:%d [[%s]]: %v", p, e.Line, e.Target, e.State)
			}
		}
	}
	t.Logf("%d of %d wiki links to notes that exist lead there, anchors included", right, pointing)
	if pointing < 1000 || right*100 < pointing*99 {
		t.Errorf("only %d of %d", right, pointing)
	}
}

// Of MDN's macros and addresses, those whose slug some page has must lead to
// it; the corpus is a part of MDN, so many have none.
func TestSlugsOfMDN(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 36 MB")
	}
	corpus := archive(t, "mdn-reference")
	for p := range corpus {
		if strings.HasPrefix(p, "api/") && p > "api/d" { // a third of it is enough
			delete(corpus, p)
		}
	}
	w := newWorld(t, corpus)
	slugs := map[string]string{}
	for i := range w[0].docs {
		slugs[strings.ToLower(w[0].docs[i].Slug)] = w[0].docs[i].Path
	}
	walk := w.walk()
	pointing, right := 0, 0
	states := map[string]int{}
	for _, p := range w.paths() {
		for _, e := range w.out(t, walk, p) {
			states[e.Kind.String()+" "+e.State.String()]++
			want := ""
			if e.Kind == graph.Macro {
				name, arg, _ := strings.Cut(e.Target, `("`)
				if strings.EqualFold(name, "domxref") && e.Text == strings.TrimSuffix(arg, `")`) {
					want = slugs["web/api/"+strings.ToLower(strings.NewReplacer("()", "", ".", "/", " ", "_").Replace(e.Text))]
				}
			} else if slug, ok := strings.CutPrefix(e.Target, "/en-US/docs/"); ok {
				slug, _, _ = strings.Cut(slug, "#")
				want = slugs[strings.ToLower(slug)]
			}
			if want == "" {
				continue
			}
			pointing++
			if e.To.Path == want {
				right++
			} else if pointing-right < 20 {
				t.Logf("%s:%d %s leads to %q, want %s", p, e.Line, e.Target, e.To.Path, want)
			}
		}
	}
	t.Logf("%d of %d; all references: %v", right, pointing, states)
	if pointing < 5_000 || right*1000 < pointing*999 {
		t.Errorf("only %d of %d", right, pointing)
	}
}

// BenchmarkMDN measures extraction, resolving everything, and the backlinks of a
// page that a thousand others refer to.
func BenchmarkMDN(b *testing.B) {
	w := newWorld(b, archive(b, "mdn-reference"))
	size := 0
	for i := range w[0].docs {
		size += len(w[0].docs[i].Source)
	}
	tables := 0
	for _, p := range w[0].parts {
		tables += len(p)
	}
	b.Run("extract", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for i := range w[0].docs {
				graph.Extract(&w[0].docs[i])
			}
		}
		b.ReportMetric(100*float64(tables)/float64(size), "table-%")
	})
	b.Run("out of all", func(b *testing.B) {
		for b.Loop() {
			walk := w.walk()
			for row := range w[0].docs {
				if _, err := walk.Out(graph.ID{Row: row}); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	id, _ := w.find("api/domexception/index.md")
	b.Run("in", func(b *testing.B) {
		for b.Loop() {
			if _, err := w.walk().In(id); err != nil {
				b.Fatal(err)
			}
		}
	})
}
