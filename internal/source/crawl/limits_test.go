package crawl

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// deepTree makes folders below each other and a file in each, by way of a root:
// their whole names are too long for the system.
func deepTree(t *testing.T, names []string) string {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := root.Mkdir(name, 0o777); err != nil {
			t.Skip("this file system has no such names: ", err)
		}
		sub, err := root.OpenRoot(name)
		root.Close()
		if err != nil {
			t.Fatal(err)
		}
		root = sub
		if err := root.WriteFile("a.md", []byte("text\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	root.Close()
	// The cleaning up of a temporary folder knows no such depth everywhere.
	t.Cleanup(func() {
		if root, err := os.OpenRoot(dir); err == nil {
			root.RemoveAll(names[0])
			root.Close()
		}
	})
	return dir
}

func repeat(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

func TestDeepFolders(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  int
		skip  string
	}{
		{repeat("d", 200), 200, ""},
		{repeat("d", MaxDepth), MaxDepth, ""},
		{repeat("d", MaxDepth+10), MaxDepth, "too deep: more than 256 folders down"},
		{repeat(strings.Repeat("n", 200), 20), 20, ""}, // 4,024 bytes
		{repeat(strings.Repeat("n", 200), 24), 20, "too deep: a path of 4220 bytes"},
	} {
		t.Run(fmt.Sprintf("%d of %d bytes", len(tt.names), len(tt.names[0])), func(t *testing.T) {
			tree, err := Open(deepTree(t, tt.names))
			if err != nil {
				t.Fatal(err)
			}
			defer tree.Close()
			found, err := tree.Walk(t.Context(), Options{}, func(f File) error {
				_, err := tree.Read(f.Path, 0)
				return err
			})
			if err != nil || len(found.Files) != tt.want {
				t.Errorf("%d files, %v", len(found.Files), err)
			}
			if tt.skip == "" != (len(found.Skipped) == 0) {
				t.Errorf("skipped %+v", found.Skipped)
			}
			for _, s := range found.Skipped {
				if !strings.HasSuffix(s.Error(), tt.skip) {
					t.Errorf("skipped: %v", &s)
				}
			}
		})
	}
}

func TestWideFolder(t *testing.T) {
	f := files{}
	for i := range 3*batch + 1 {
		f[fmt.Sprintf("%d.md", i)] = ""
	}
	if found := f.list(t, Options{}); len(found.Files) != len(f) {
		t.Errorf("%d files of %d", len(found.Files), len(f))
	}
}

// An ignore file that is no such thing is reported and has no effect.
func TestHostileIgnoreFiles(t *testing.T) {
	for _, tt := range []struct{ name, text, detail string }{
		{"too large", "*.md\n" + strings.Repeat("#", maxIgnore), "over the limit of 1048576 bytes"},
		{"too many wildcards", strings.Repeat("*a*.md\n", maxWild/6+1), "its rules with wildcards and those above it take over 16384 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found := files{"x/.gitignore": tt.text, "x/a.md": "", "b.md": ""}.list(t, Options{})
			same(t, "files", paths(found), []string{"b.md", "x/a.md"})
			if len(found.Skipped) != 1 || found.Skipped[0].Path != "x/.gitignore" || found.Skipped[0].Reason != BadIgnore || found.Skipped[0].Detail != tt.detail {
				t.Errorf("skipped %+v", found.Skipped)
			}
		})
	}
	// Many small files together take no more than one large one may.
	f := files{}
	for i := range 60 {
		f[strings.Repeat("d/", i)+".gitignore"] = strings.Repeat("*q*\n", 1000)
		f[strings.Repeat("d/", i)+"a.md"] = ""
	}
	if found := f.list(t, Options{}); len(found.Files) != 60 || len(found.Skipped) != 60-maxWild/3000 {
		t.Errorf("%d files, %d ignore files not obeyed", len(found.Files), len(found.Skipped))
	}
	// As long as it likes, if it is plain.
	long := files{".gitignore": strings.Repeat("name\n/a/path\n*.ext\n", 50000) + "a.md\n", "a.md": "", "b.md": ""}
	found := long.list(t, Options{})
	same(t, "files", paths(found), []string{"b.md"})
	same(t, "skipped", skips(found), nil)
}

// Every folder that was opened must be closed again, not left to the garbage
// collector.
func TestNothingStaysOpen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counts open files by way of /proc")
	}
	dir := t.TempDir()
	for path := range manyFiles(300) {
		write(t, filepath.Join(dir, path), "text\n")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(entries)
	}
	list(t, dir, Options{}) // the runtime opens some of its own
	before := open()
	for range 5 {
		list(t, dir, Options{Workers: 8})
		tree, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tree.Walk(t.Context(), Options{Workers: 8}, func(File) error { return nil }); err != nil {
			t.Fatal(err)
		}
		tree.Close()
	}
	if after := open(); after != before {
		t.Errorf("%d files open before, %d after", before, after)
	}
}
