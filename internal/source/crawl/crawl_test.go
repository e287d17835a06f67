package crawl

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// files maps paths to contents. "" stands for some text, and a path that ends
// in "/" for a folder.
type files map[string]string

func (f files) text(path string) string {
	if f[path] == "" {
		return "text\n"
	}
	return f[path]
}

func (f files) on(t testing.TB, dir string) {
	t.Helper()
	for path := range f {
		full := filepath.Join(dir, filepath.FromSlash(path))
		if strings.HasSuffix(path, "/") {
			if err := os.MkdirAll(full, 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		write(t, full, f.text(path))
	}
}

// list lists what f is on disk, and makes sure that it is the same as a tree in
// memory.
func (f files) list(t *testing.T, o Options) Listing {
	t.Helper()
	dir := t.TempDir()
	f.on(t, dir)
	found := list(t, dir, o)
	m := fstest.MapFS{}
	for path := range f {
		if !strings.HasSuffix(path, "/") {
			m[path] = &fstest.MapFile{Data: []byte(f.text(path)), Mode: 0o666}
		}
	}
	inMemory, err := FromFS(m).List(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := paths(found), paths(inMemory); !slices.Equal(a, b) {
		t.Errorf("on disk %q, in memory %q", a, b)
	}
	return found
}

func list(t testing.TB, dir string, o Options) Listing {
	t.Helper()
	tree, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	found, err := tree.List(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func paths(l Listing) []string {
	var out []string
	for _, e := range l.Files {
		out = append(out, e.Path)
	}
	return out
}

// skips gives "path: reason" for each.
func skips(l Listing) []string {
	var out []string
	for _, s := range l.Skipped {
		out = append(out, s.Path+": "+s.Reason.String())
	}
	return out
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

func TestList(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files files
		o     Options
		want  []string
	}{
		{
			"four endings in any case are Markdown",
			files{"a.md": "", "b.markdown": "", "c.mdown": "", "d.mdx": "", "E.MD": "", "f.txt": "", "g.md.bak": "", "md": "", ".md": ""},
			Options{},
			[]string{"E.MD", "a.md", "b.markdown", "c.mdown", "d.mdx"},
		},
		{
			"order is that of the paths as strings",
			files{"a/b.md": "", "a-b.md": "", "a0.md": "", "a.md": "", "B.md": "", "a/b/c.md": "", "a/b-c.md": "", "é.md": "", "a b.md": ""},
			Options{},
			[]string{"B.md", "a b.md", "a-b.md", "a.md", "a/b-c.md", "a/b.md", "a/b/c.md", "a0.md", "é.md"},
		},
		{
			"folders of generated and foreign text are not entered",
			files{"a.md": "", "node_modules/a.md": "", "x/node_modules/a.md": "", "_build/a.md": "", "dist/a.md": "", "vendor/a.md": "", "distribution/a.md": ""},
			Options{},
			[]string{"a.md", "distribution/a.md"},
		},
		{
			"hidden folders are skipped, hidden files are not",
			files{".github/a.md": "", ".a.md": "", "x/.cache/a.md": ""},
			Options{},
			[]string{".a.md"},
		},
		{
			"the user's rules bring folders back",
			files{"dist/a.md": "", ".github/a.md": "", "vendor/a.md": ""},
			Options{Ignore: []string{"!dist/", "!.github/"}},
			[]string{".github/a.md", "dist/a.md"},
		},
		{
			"the user's rules win over .gitignore",
			files{".gitignore": "out/\n!keep.md\n", "out/a.md": "", "keep.md": "", "b.md": ""},
			Options{Ignore: []string{"!out/", "keep.md"}},
			[]string{"b.md", "out/a.md"},
		},
		{
			".gitignore cannot bring back a hidden folder",
			files{".gitignore": "*\n!*/\n!*.md\n", "a.md": "", "node_modules/a.md": "", ".cache/a.md": ""},
			Options{},
			[]string{"a.md"},
		},
		{
			".git is not entered whatever the rules",
			files{".git/a.md": "", "x/.git/a.md": "", "x/b.md": ""},
			Options{Ignore: []string{"!.*/", "!.git"}},
			[]string{"x/b.md"},
		},
		{
			"the deepest .gitignore wins",
			files{".gitignore": "*.md\n", "a.md": "", "x/.gitignore": "!a.md\n", "x/a.md": "", "x/b.md": "", "x/y/a.md": "", "x/z/.gitignore": "a.md\n", "x/z/a.md": ""},
			Options{},
			[]string{"x/a.md", "x/y/a.md"},
		},
		{
			"nothing comes back from an ignored folder",
			files{".gitignore": "x/\n!x/a.md\n", "x/a.md": "", "x/.gitignore": "!*\n", "b.md": ""},
			Options{},
			[]string{"b.md"},
		},
		{
			"a repository inside starts afresh",
			files{".gitignore": "*.md\n!keep.md\n", "keep.md": "", "sub/.git/HEAD": "ref\n", "sub/.git/info/exclude": "b.md\n", "sub/a.md": "", "sub/b.md": "", "sub/x/c.md": "", "mod/.git": "gitdir: ../x\n", "mod/d.md": ""},
			Options{},
			[]string{"keep.md", "mod/d.md", "sub/a.md", "sub/x/c.md"},
		},
		{
			"an ignored repository inside is not entered",
			files{".gitignore": "sub/\n", "sub/.git/HEAD": "ref\n", "sub/a.md": "", "b.md": ""},
			Options{},
			[]string{"b.md"},
		},
		{
			".git/info/exclude is obeyed, below .gitignore",
			files{".git/info/exclude": "a.md\nb.md\n", ".gitignore": "!b.md\n", "a.md": "", "b.md": ""},
			Options{},
			[]string{"b.md"},
		},
		{
			"folders may have Markdown names",
			files{"a.md/b.md": "", "a.md/c.txt": ""},
			Options{},
			[]string{"a.md/b.md"},
		},
		{
			"what was named is read where the rules leave it out, and nothing beside it",
			files{
				".gitignore": "ref/\n*.tmp.md\n", "a.md": "", "ref/x.md": "", "ref/one/b.md": "", "ref/one/c.tmp.md": "", "ref/one/deep/d.md": "",
				"ref/one/dist/e.md": "", "ref/two/f.md": "", "vendor/docs/g.md": "", "vendor/h.md": "", "ref/lone.md": "", ".hidden/i.md": "",
			},
			Options{Named: []string{"ref/one", "vendor/docs", "ref/lone.md", "nowhere/at/all"}},
			[]string{"a.md", "ref/lone.md", "ref/one/b.md", "ref/one/c.tmp.md", "ref/one/deep/d.md", "vendor/docs/g.md"},
		},
		{
			"what was named and is not left out is read by the rules as ever",
			files{".gitignore": "*.tmp.md\n", "ref/one/b.md": "", "ref/one/c.tmp.md": "", "ref/one/d.md": ""},
			Options{Named: []string{"ref/one", ".git"}, Ignore: []string{"d.md"}},
			[]string{"ref/one/b.md"},
		},
		{
			"a page called vendor is none of a package manager", // MDN has two
			files{
				"a/index.md": "", "a/vendor/index.md": "", "a/vendor/x.png": "", "b/index.md": "", "b/vendor/c.md": "", "b/vendor/modules.txt": "",
				"c/vendor/d.md": "", "e.md": "", "vendor/f.md": "", "g/index.md": "", "g/vendor/github.com/h.md": "",
			},
			Options{},
			[]string{"a/index.md", "a/vendor/index.md", "b/index.md", "e.md", "g/index.md"},
		},
		{"an empty tree is no error", files{"x/y/": ""}, Options{}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			same(t, "files", paths(tt.files.list(t, tt.o)), tt.want)
		})
	}
}

func TestListCountsAndExplainsWhatRulesLeaveOut(t *testing.T) {
	f := files{
		".gitignore": "# drafts\n*.draft.md\n", "a.md": "", "b.draft.md": "", "node_modules/x.md": "", "node_modules/y/z.md": "",
		"node_modules/y/z.js": "", "old/c.md": "", ".hidden/d.md": "", ".git/e.md": "",
	}
	found := f.list(t, Options{Ignore: []string{"x", "/old/"}, Explain: true})
	if found.Ignored < 4 {
		t.Errorf("%d left out, want 4", found.Ignored)
	}
	same(t, "files", paths(found), []string{"a.md"})
	var got []string
	for _, s := range found.Skipped {
		got = append(got, s.Error())
	}
	same(t, "explained", got, []string{
		".hidden/d.md: in hidden folders",
		"b.draft.md: ignored by git: .gitignore:2: *.draft.md",
		"node_modules/x.md: in folders left out by default: node_modules/",
		"node_modules/y/z.md: in folders left out by default: node_modules/",
		"old/c.md: ignored by the config: /old/",
	})
	if found = f.list(t, Options{}); len(found.Skipped) > 0 {
		t.Errorf("unasked: %q", skips(found))
	}
}

func TestRulesOfTheRepositoryAroundTheTree(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files files
		root  string
		want  []string
	}{
		{
			"all .gitignore files up to the repository's root hold",
			files{".git/HEAD": "ref\n", ".gitignore": "a.md\n/x/y/b.md\n", "x/.gitignore": "y/c.md\n!a.md\n", "x/y/a.md": "", "x/y/b.md": "", "x/y/c.md": "", "x/y/d.md": ""},
			"x/y",
			[]string{"a.md", "d.md"},
		},
		{
			"so does .git/info/exclude",
			files{".git/info/exclude": "a.md\n", "x/a.md": "", "x/b.md": ""},
			"x",
			[]string{"b.md"},
		},
		{
			"none above it do",
			files{".gitignore": "*.md\n", "repo/.git/HEAD": "ref\n", "repo/x/a.md": ""},
			"repo/x",
			[]string{"a.md"},
		},
		{
			"and without a repository, none outside the tree",
			files{".gitignore": "*.md\n", "x/a.md": ""},
			"x",
			[]string{"a.md"},
		},
		{
			"a tree that is ignored as a whole was asked for by name",
			files{".git/HEAD": "ref\n", ".gitignore": "build\n*.draft.md\n", "build/docs/a.md": "", "build/docs/b.draft.md": "", "build/docs/.gitignore": "c.md\n", "build/docs/c.md": ""},
			"build/docs",
			[]string{"a.md", "b.draft.md"},
		},
		{
			"as in a home folder under version control with everything ignored",
			files{".git/HEAD": "ref\n", ".gitignore": "*\n", "notes/a.md": ""},
			"notes",
			[]string{"a.md"},
		},
		{
			"a linked working tree is a repository too",
			files{".gitignore": "*.md\n", "tree/.git": "gitdir: /elsewhere\n", "tree/.gitignore": "b.md\n", "tree/x/a.md": "", "tree/x/b.md": ""},
			"tree/x",
			[]string{"a.md"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			tt.files.on(t, dir)
			same(t, "files", paths(list(t, filepath.Join(dir, tt.root), Options{})), tt.want)
		})
	}
}

func TestListSkipsBySize(t *testing.T) {
	dir := t.TempDir()
	files{"a.md": "12345", "b.md": "123456"}.on(t, dir)
	write(t, filepath.Join(dir, "empty.md"), "")
	if err := os.WriteFile(filepath.Join(dir, "big.md"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "big.md"), MaxSize+1); err != nil {
		t.Fatal(err)
	}
	found := list(t, dir, Options{})
	same(t, "files", paths(found), []string{"a.md", "b.md"})
	same(t, "skipped", skips(found), []string{"big.md: too large", "empty.md: empty"})
	if s := found.Skipped[0]; s.Size != MaxSize+1 || s.Error() != "big.md: too large: 10485761 bytes, over the limit of 10485760" {
		t.Errorf("%+v: %v", s, s.Error())
	}
	found = list(t, dir, Options{MaxSize: 5})
	same(t, "files within 5 bytes", paths(found), []string{"a.md"})
}

func TestEntriesTellSizeAndTime(t *testing.T) {
	dir := t.TempDir()
	files{"x/a.md": "12345"}.on(t, dir)
	info, err := os.Stat(filepath.Join(dir, "x", "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := Entry{Path: "x/a.md", Size: 5, ModTime: info.ModTime()}
	if got := list(t, dir, Options{}).Files; len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	files{"a.md": ""}.on(t, dir)
	if _, err := Open(filepath.Join(dir, "nope")); !errors.Is(err, fs.ErrNotExist) || strings.Count(err.Error(), "nope") != 1 {
		t.Errorf("missing: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "a.md")); !errors.Is(err, ErrNotFolder) {
		t.Errorf("a file: %v", err)
	}
}

func TestListStopsWhenAsked(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	tree, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if _, err := tree.List(ctx, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestReasonsHaveNames(t *testing.T) {
	for r := TooLarge; r <= ByGit; r++ {
		if r.String() == "" || r.String() == "unknown" {
			t.Errorf("reason %d has no name", r)
		}
	}
	if Reason(0).String() != "unknown" || Reason(200).String() != "unknown" {
		t.Error("what is no reason has a name")
	}
}

// Many workers and one must find the same, in the same order.
func TestWorkersDoNotMatter(t *testing.T) {
	dir := t.TempDir()
	f := files{}
	for i := range 300 {
		f[strings.Repeat("d/", i%9)+string(rune('a'+i%26))+"/"+string(rune('a'+i/26))+".md"] = ""
	}
	f.on(t, dir)
	want := paths(list(t, dir, Options{Workers: 1}))
	if len(want) != len(f) || !slices.IsSorted(want) {
		t.Fatalf("%d files of %d, sorted %v", len(want), len(f), slices.IsSorted(want))
	}
	for range 20 {
		same(t, "with workers", paths(list(t, dir, Options{Workers: 8})), want)
	}
	runtime.GC() // closes what a worker forgot, if it did; the race detector looks on
}
