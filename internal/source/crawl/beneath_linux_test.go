package crawl

import (
	"io"
	"os"
	"testing"
)

// Opening by one system call must lead where the os.Root leads, and nowhere else.
func TestFilesAreOpenedAsByTheRoot(t *testing.T) {
	outside := t.TempDir()
	files{"a.md": "outside\n"}.on(t, outside)
	dir, path := inFolder(t)
	files{"a.md": "top\n", "d/e/a.md": "deep\n"}.on(t, dir)
	must(t, os.Symlink(outside, path("absolute")))
	must(t, os.Symlink("../../..", path("d/e/up")))
	must(t, os.Symlink("d/e", path("inside")))
	must(t, os.Symlink("d/e/a.md", path("link.md")))
	root, err := os.OpenRoot(dir)
	must(t, err)
	top := newTop(root)
	defer top.Close()
	below, err := top.sub("d")
	must(t, err)
	read := func(f folder, name string, open func(folder, string) (io.ReadCloser, error)) string {
		file, err := open(f, name)
		if err != nil {
			return "error"
		}
		defer file.Close()
		data, err := io.ReadAll(file)
		if err != nil {
			return "error"
		}
		return string(data)
	}
	native := func(f folder, name string) (io.ReadCloser, error) { return openFile(f, name) }
	plain := func(f folder, name string) (io.ReadCloser, error) { return f.open(name) }
	for name, want := range map[string]string{
		"a.md": "top\n", "d/e/a.md": "deep\n", "inside/a.md": "deep\n", "link.md": "deep\n",
		"absolute/a.md": "error", "d/e/up/a.md": "error", "../a.md": "error", "d": "error", "none.md": "error",
	} {
		got, root := read(top, name, native), read(top, name, plain)
		if got != want || got != root {
			t.Errorf("%s: %q, by the root %q, want %q", name, got, root, want)
		}
	}
	if got := read(below, "e/a.md", native); got != "deep\n" {
		t.Errorf("from a folder below: %q", got)
	}
	if _, ok := top.(beneathFolder); !ok {
		t.Error("the top of a tree is no folder of the fast kind")
	}
	if isRegular(top, "link.md") || isRegular(top, "d") || isRegular(top, "none.md") || !isRegular(below, "e/a.md") {
		t.Error("a link, a folder or nothing was taken for a regular file, or a file was not")
	}
}
