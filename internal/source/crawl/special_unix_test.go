//go:build unix

package crawl

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func inFolder(t *testing.T) (dir string, path func(string) string) {
	dir = t.TempDir()
	return dir, func(name string) string { return filepath.Join(dir, name) }
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Reading a FIFO or socket would wait for ever for somebody to write.
func TestFIFOsAndSocketsDoNotHang(t *testing.T) {
	dir, path := inFolder(t)
	files{"a.md": ""}.on(t, dir)
	must(t, syscall.Mkfifo(path("fifo.md"), 0o666))
	must(t, syscall.Mkfifo(path("fifo"), 0o666))
	must(t, syscall.Mkfifo(path(".gitignore"), 0o666))
	if l, err := net.Listen("unix", path("s.md")); err == nil {
		defer l.Close()
	} else {
		t.Log("no socket: ", err) // the path may be too long for one
	}
	found := list(t, dir, Options{})
	same(t, "files", paths(found), []string{"a.md"})
	got := strings.Join(skips(found), "\n")
	for _, want := range []string{"fifo.md: not a regular file", ".gitignore: ignore file not obeyed"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	tree, err := Open(dir)
	must(t, err)
	defer tree.Close()
	if _, err := tree.Read("fifo.md", 0); reason(err) != NotRegular {
		t.Errorf("read a FIFO: %v", err)
	}
	// What takes the place of a listed file or folder only now.
	if _, err := readChecked(tree.top, "fifo.md", "fifo.md", MaxSize); reason(err) != NotRegular {
		t.Errorf("a FIFO in place of a file: %v", err)
	}
	if err := tree.top.list("fifo", nil); err == nil {
		t.Error("listed a FIFO")
	}
	if f, err := tree.top.sub("fifo"); err == nil {
		if _, err := openFile(f, "a.md"); err == nil {
			t.Error("opened a FIFO as a folder")
		}
	}
	if _, err := Open(path("fifo")); err == nil {
		t.Error("opened a FIFO as a tree")
	}
}

func TestSymlinksAreNotFollowed(t *testing.T) {
	outside := t.TempDir()
	files{"secret.md": "canary\n", "folder/b.md": "canary\n"}.on(t, outside)
	dir, path := inFolder(t)
	files{"docs/a.md": "", "docs/x/": "", "c.txt": ""}.on(t, dir)
	for name, target := range map[string]string{
		"inside.md":       "docs/a.md",
		"outside.md":      filepath.Join(outside, "secret.md"),
		"up.md":           "../" + filepath.Base(outside) + "/secret.md",
		"dangling.md":     "nowhere.md",
		"loop.md":         "loop.md",
		"twin":            "docs",
		"docs/x/cycle":    "../..",
		"away":            filepath.Join(outside, "folder"),
		"gone":            "nowhere",
		"plain":           "c.txt",
		"node_modules":    "docs",
		"docs/.gitignore": "../c.txt",
	} {
		must(t, os.Symlink(target, path(name)))
	}
	found := list(t, dir, Options{})
	same(t, "files", paths(found), []string{"docs/a.md"})
	same(t, "skipped", skips(found), []string{
		"away: symbolic link", "dangling.md: symbolic link",
		"docs/.gitignore: ignore file not obeyed", "docs/x/cycle: symbolic link",
		"inside.md: symbolic link", "loop.md: symbolic link", "outside.md: symbolic link",
		"twin: symbolic link", "up.md: symbolic link",
	})
	tree, err := Open(dir)
	must(t, err)
	defer tree.Close()
	for _, name := range []string{"inside.md", "outside.md", "up.md", "loop.md", "dangling.md"} {
		if f, err := tree.Read(name, 0); reason(err) != Symlink {
			t.Errorf("read %s: %q, %v", name, f.Data, err)
		}
	}
	for _, name := range []string{"away/b.md", "../" + filepath.Base(outside) + "/secret.md", filepath.Join(outside, "secret.md")} {
		if f, err := tree.Read(name, 0); err == nil {
			t.Errorf("read %s, out of the tree: %q", name, f.Data)
		}
	}
	// A link that takes the place of a listed file only now stays inside.
	if f, err := readChecked(tree.top, "outside.md", "outside.md", MaxSize); err == nil {
		t.Errorf("led out of the tree: %q", f.Data)
	}
}

func TestTheTreeItselfMayBeASymlink(t *testing.T) {
	dir, path := inFolder(t)
	files{"repo/.git/HEAD": "ref\n", "repo/.gitignore": "b.md\n", "repo/docs/a.md": "", "repo/docs/b.md": ""}.on(t, dir)
	must(t, os.Symlink("repo/docs", path("link")))
	same(t, "files", paths(list(t, path("link"), Options{})), []string{"a.md"})
}

func TestUnreadableIsSkipped(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("nothing is unreadable to root; see TestFaults")
	}
	dir, path := inFolder(t)
	files{"a.md": "", "shut.md": "", "shut/b.md": "", "half/c.md": "", "rules/.gitignore": "*", "rules/d.md": ""}.on(t, dir)
	for name, mode := range map[string]os.FileMode{"shut.md": 0, "shut": 0, "half": 0o400, "rules/.gitignore": 0} {
		must(t, os.Chmod(path(name), mode))
		defer os.Chmod(path(name), 0o700)
	}
	tree, err := Open(dir)
	must(t, err)
	defer tree.Close()
	found, err := tree.Walk(t.Context(), Options{}, func(File) error { return nil })
	must(t, err)
	same(t, "files", paths(found), []string{"a.md", "rules/d.md"})
	same(t, "skipped", skips(found), []string{"half: unreadable", "rules/.gitignore: ignore file not obeyed", "shut: unreadable", "shut.md: unreadable"})
}

func TestNamesThatCannotBePrinted(t *testing.T) {
	dir, path := inFolder(t)
	names := []string{"new\nline.md", "esc\x1b[31m.md", "bad\xff.md", "nel\u0085.md", "folder\n/a.md", "fold\xfe/a.md"}
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(path(name)), 0o777); err != nil {
			t.Skip("this file system has no such names: ", err)
		}
		if err := os.WriteFile(path(name), []byte("text\n"), 0o666); err != nil {
			t.Skip("this file system has no such names: ", err)
		}
	}
	files{"quote\".md": "", "back\\slash.md": "", "bidi\u202e.md": "", "日本.md": "", "-n.md": "", " .md": ""}.on(t, dir)
	found := list(t, dir, Options{})
	same(t, "files", paths(found), []string{" .md", "-n.md", "back\\slash.md", "bidi\u202e.md", "quote\".md", "日本.md"})
	same(t, "skipped", skips(found), []string{
		`bad\xff.md: unusable name`, `esc\x1b[31m.md: unusable name`, `fold\xfe: unusable name`,
		`folder\n: unusable name`, `nel\u0085.md: unusable name`, `new\nline.md: unusable name`,
	})
	tree, err := Open(dir)
	must(t, err)
	defer tree.Close()
	for _, name := range names {
		if _, err := tree.Read(name, 0); reason(err) != BadName {
			t.Errorf("read %q: %v", name, err)
		}
	}
}
