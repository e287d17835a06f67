package crawl

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// special makes a folder with an entry of each kind, and many files.
func special(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	f := files{"d/a.md": "some text", "d/sub/b.md": "", "d/.gitignore": "x\n", "d/empty/": "", "d/picture.png": ""}
	for i := range 1500 {
		f[fmt.Sprintf("d/a-rather-long-name-so-that-one-read-is-not-enough-%04d.md", i)] = ""
	}
	f.on(t, dir)
	for name, to := range map[string]string{"link.md": "a.md", "away": "/", "broken": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(dir, "d", name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.Mkfifo(filepath.Join(dir, "d", "fifo.md"), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

func items(t *testing.T, f folder, name string) []item {
	t.Helper()
	var out []item
	if err := f.list(name, func(it item) {
		if it.kind&^(fs.ModeDir|fs.ModeSymlink) != 0 {
			it.kind = fs.ModeIrregular // more is not asked
		}
		out = append(out, it)
	}); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(out, func(a, b item) int { return cmp.Compare(a.name, b.name) })
	return out
}

// Listing by system calls must give what the os.Root gives.
func TestNativeFoldersListTheSame(t *testing.T) {
	root, err := os.OpenRoot(special(t))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	plain := rootFolder{root}
	native := nativeFolder(newTop(root), nil)
	for _, name := range []string{".", "d"} {
		got, want := items(t, native, name), items(t, plain, name)
		if len(got) != len(want) {
			t.Fatalf("%s: %d entries, want %d", name, len(got), len(want))
		}
		for i := range got {
			if !got[i].time.Equal(want[i].time) {
				t.Errorf("%s: time %v, want %v", got[i].name, got[i].time, want[i].time)
			}
			got[i].time = want[i].time
			if got[i] != want[i] {
				t.Errorf("%+v, want %+v", got[i], want[i])
			}
		}
	}
	sub, err := native.sub("d")
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if got := items(t, sub, "sub"); len(got) != 1 || got[0].name != "b.md" {
		t.Errorf("by way of the folder above: %+v", got)
	}
	for _, name := range []string{"away", "link.md", "fifo.md", "broken", "a.md", "none"} {
		if err := sub.list(name, func(item) {}); err == nil {
			t.Errorf("%s was listed", name)
		}
		if f, err := sub.sub(name); err == nil {
			f.Close()
			t.Errorf("%s was opened as a folder", name)
		}
	}
}

// Some file systems do not say what an entry is.
func TestNativeEntriesOfUnknownKind(t *testing.T) {
	dir, err := os.Open(filepath.Join(special(t), "d"))
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	for name, want := range map[string]fs.FileMode{
		"a.md": 0, "sub": fs.ModeDir, "link.md": fs.ModeSymlink, "fifo.md": fs.ModeIrregular, "away": fs.ModeSymlink, "none.md": 0,
	} {
		seen := false
		visitNative(int(dir.Fd()), name, name, unix.DT_UNKNOWN, func(it item) {
			seen = true
			if it.kind != want || it.name != name || (it.err != nil) != (name == "none.md") {
				t.Errorf("%s: %+v", name, it)
			}
		})
		if !seen {
			t.Errorf("%s was passed over", name)
		}
	}
	visitNative(int(dir.Fd()), "picture.png", "picture.png", unix.DT_UNKNOWN, func(it item) { t.Errorf("%+v concerns nobody", it) })
}

// Whatever the system hands over, taking it apart stays within it.
func TestDirentOfNonsense(t *testing.T) {
	for _, data := range [][]byte{nil, {1}, make([]byte, 19), slices.Repeat([]byte{255}, 40)} {
		if _, _, size := dirent(data); size != 0 {
			t.Errorf("%v is an entry of %d bytes", data, size)
		}
	}
}
