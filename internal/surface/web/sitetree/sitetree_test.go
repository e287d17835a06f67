package sitetree

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-md/docent/answer"
	"pgregory.net/rapid"
)

func treeOf(files ...string) *Tree {
	var list []answer.FileInfo
	for _, f := range files {
		file, title, _ := strings.Cut(f, "=")
		list = append(list, answer.FileInfo{File: file, Title: title})
	}
	return New(list, &Order{})
}

// drawn writes a tree a line a node.
func drawn(n *Node, depth int) string {
	b := &strings.Builder{}
	for _, k := range n.Kids {
		kind := k.Page
		if k.Folder {
			kind = fmt.Sprintf("%s (%d)", cmpOr(k.Page, "-"), k.Pages)
		}
		fmt.Fprintf(b, "%s%s: %s\n", strings.Repeat("  ", depth), k.Title, kind)
		b.WriteString(drawn(k, depth+1))
	}
	return b.String()
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func TestTree(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files []string
		want  string
	}{
		{"pages without titles are called after their files", []string{"b.md", "a.md"}, "a: a.md\nb: b.md\n"},
		{"an index page stands for its folder", []string{"guide/index.md=Guide", "guide/keys.md=`Keys`"}, "Guide: guide/index.md (2)\n  Keys: guide/keys.md\n"},
		{"so does a page of its name", []string{"Guide/Guide.md=All", "Guide/b.md=B"}, "All: Guide/Guide.md (2)\n  B: Guide/b.md\n"},
		{"index comes before README", []string{"a/README.md=R", "a/index.md=I"}, "I: a/index.md (2)\n  R: a/README.md\n"},
		{"a folder of one index page is a page", []string{"web/fetch/index.md=fetch()", "web/x.md=X"}, "web: - (2)\n  fetch(): web/fetch/index.md\n  X: web/x.md\n"},
		{"numbers are ordered as numbers", []string{"10-run.md", "9-set.md", "09-get.md"}, "09-get: 09-get.md\n9-set: 9-set.md\n10-run: 10-run.md\n"},
		{"the front page is no child of the root", []string{"README.md=Home", "a.md=A"}, "A: a.md\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := drawn(treeOf(tt.files...).Root, 0); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

func TestAroundAndFind(t *testing.T) {
	tree := treeOf("README.md=Home", "a/index.md=Part A", "a/two.md=Second key", "a/one.md=Key", "z.md=Keyboard")
	before, after := tree.Around("a/one.md")
	if before.Page != "a/index.md" || after.Page != "a/two.md" {
		t.Errorf("between %s and %s", before.Page, after.Page)
	}
	if before, _ := tree.Around("README.md"); before != nil {
		t.Errorf("%s is before the first", before.Page)
	}
	found, total := tree.Find(" KEY ", 2)
	if total != 3 || len(found) != 2 || found[0].Page != "a/one.md" || found[1].Page != "z.md" {
		t.Errorf("found %d: %v", total, found)
	}
	if _, total := tree.Find("key two", 9); total != 1 {
		t.Errorf("%d pages have both words", total)
	}
	if _, total := tree.Find("  ", 9); total != 0 {
		t.Errorf("no words find %d pages", total)
	}
	var chain []string
	for _, n := range tree.Page("a/one.md").Chain() {
		chain = append(chain, n.Path)
	}
	if !slices.Equal(chain, []string{"", "a", "a/one.md"}) {
		t.Errorf("chain %q", chain)
	}
}

// Every file is one page of the tree, and the way forward passes all of them once.
func TestEveryFileIsReached(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "index", "README", "10", "9"}), 1, 4)
		names := rapid.SliceOfNDistinct(parts, 1, 30, func(p []string) string { return strings.Join(p, "/") }).Draw(t, "names")
		var list []answer.FileInfo
		for _, n := range names {
			list = append(list, answer.FileInfo{File: strings.Join(n, "/") + ".md"})
		}
		tree := New(list, &Order{})
		if tree.Len() != len(list) || tree.Root.Pages != len(list) {
			t.Fatalf("%d pages, %d counted, of %d files", tree.Len(), tree.Root.Pages, len(list))
		}
		for _, f := range list {
			n := tree.Page(f.File)
			if n == nil || n.Page != f.File || n.Chain()[0] != tree.Root {
				t.Fatalf("%s is not in the tree", f.File)
			}
			if _, after := tree.Around(f.File); after != nil {
				if before, _ := tree.Around(after.Page); before != n {
					t.Fatalf("the way back from %s does not lead to %s", after.Page, f.File)
				}
			}
		}
	})
}

// Writers order pages by front matter, _category_.json and MkDocs' nav.
func TestOrder(t *testing.T) {
	files := []string{"docs/a.md", "docs/b.md", "docs/c.md", "docs/sub/d.md", "docs/sub/index.md=Sub", "docs/far/e.md"}
	for _, tt := range []struct {
		name   string
		fields []string // file, name, value
		files  fstest.MapFS
		want   string
	}{
		{"by name", nil, nil, "a b c far/e sub/index sub/d"},
		{"a field", []string{"docs/c.md weight 2", "docs/b.md weight 10", "docs/a.md weight ten"}, nil, "c b a far/e sub/index sub/d"},
		{"that of an index page is its folder's", []string{"docs/sub/index.md nav_order -1"}, nil, "sub/index sub/d a b c far/e"},
		{"the first of several counts", []string{"docs/a.md weight 1", "docs/a.md sidebar_position 3", "docs/b.md sidebar_position 2", "docs/b.md weight 9"}, nil, "b a c far/e sub/index sub/d"},
		{"a category", nil, fstest.MapFS{"docs/sub/_category_.json": {Data: []byte(`{"label": "The sub", "position": 1}`)}, "docs/far/_category_.json": {Data: []byte("{")}}, "sub/index sub/d a b c far/e"},
		{"nav", []string{"docs/a.md weight 1"}, fstest.MapFS{"mkdocs.yml": {Data: []byte("site_name: x\nnav:\n- Start: c.md\n- Sub:\n  - sub/d.md\n  - More: b.md\n- far/e.md\n- https://example.com\nplugins:\n  - x: !!python/name:y\n")}}, "c sub/index sub/d b far/e a"},
		{"nav of another folder", nil, fstest.MapFS{"mkdocs.yml": {Data: []byte("docs_dir: .\nnav:\n  - docs/b.md\n")}}, "b a c far/e sub/index sub/d"},
		{"no nav", nil, fstest.MapFS{"mkdocs.yml": {Data: []byte("nav: [\n")}}, "a b c far/e sub/index sub/d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := &Order{}
			for _, f := range tt.fields {
				x := strings.Fields(f)
				o.AddField(x[0], x[1], x[2])
			}
			o.AddFiles(tt.files, []string{"docs", "docs/sub", "docs/far"})
			var list []answer.FileInfo
			for _, f := range files {
				file, title, _ := strings.Cut(f, "=")
				list = append(list, answer.FileInfo{File: file, Title: title})
			}
			tree := New(list, o)
			var got []string
			for _, n := range tree.order {
				got = append(got, strings.TrimSuffix(strings.TrimPrefix(n.Page, "docs/"), ".md"))
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("%s, want %s", strings.Join(got, " "), tt.want)
			}
			if title := tree.Dir("docs/sub").Title; tt.name == "a category" && title != "The sub" {
				t.Errorf("the folder is called %s", title)
			}
		})
	}
}
