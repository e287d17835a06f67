package crawl

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
)

// A faultFS fails where fail says so. op is "open", "stat" (of an open file),
// "read", "list" or "info" (of a folder's entry).
type faultFS struct {
	fstest.MapFS
	fail func(op, path string) error
}

func (f faultFS) Open(path string) (fs.File, error) {
	if err := f.fail("open", path); err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	file, err := f.MapFS.Open(path)
	return faultFile{file, f, path}, err
}

func (f faultFS) ReadDir(path string) ([]fs.DirEntry, error) {
	if err := f.fail("list", path); err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: path, Err: err}
	}
	entries, err := f.MapFS.ReadDir(path)
	for i, e := range entries {
		entries[i] = faultEntry{e, f, strings.TrimPrefix(path+"/"+e.Name(), "./")}
	}
	return entries, err
}

type faultFile struct {
	fs.File
	fsys faultFS
	path string
}

func (f faultFile) Stat() (fs.FileInfo, error) {
	if err := f.fsys.fail("stat", f.path); err != nil {
		return nil, err
	}
	return f.File.Stat()
}

func (f faultFile) Read(b []byte) (int, error) {
	if err := f.fsys.fail("read", f.path); err != nil {
		return 0, err
	}
	return f.File.Read(b)
}

type faultEntry struct {
	fs.DirEntry
	fsys faultFS
	path string
}

func (e faultEntry) Info() (fs.FileInfo, error) {
	if err := e.fsys.fail("info", e.path); err != nil {
		return nil, err
	}
	return e.DirEntry.Info()
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name     string
		op, path string
		err      error
		files    string // expected
		skipped  string
		fatal    bool
	}{
		{"a folder that may not be listed", "list", "d", fs.ErrPermission, "a.md c.md", "d: unreadable", false},
		{"a folder that vanished", "list", "d", fs.ErrNotExist, "a.md c.md", "d: vanished", false},
		{"a file that may not be opened", "open", "c.md", fs.ErrPermission, "a.md d/b.md", "c.md: unreadable", false},
		{"a file that vanished before it was opened", "open", "c.md", fs.ErrNotExist, "a.md d/b.md", "c.md: vanished", false},
		{"a file that vanished before we knew its size", "info", "c.md", fs.ErrNotExist, "a.md d/b.md", "c.md: vanished", false},
		{"a file that cannot be asked its size", "stat", "d/b.md", syscall.EIO, "a.md c.md", "d/b.md: unreadable", false},
		{"a file that breaks off", "read", "c.md", syscall.EIO, "a.md d/b.md", "c.md: unreadable", false},
		{"a .gitignore that may not be opened", "open", "d/.gitignore", fs.ErrPermission, "a.md c.md d/b.md d/x.md", "d/.gitignore: ignore file not obeyed", false},
		{"the tree itself", "list", ".", fs.ErrPermission, "", "", true},
		{"no more file descriptors for folders", "list", "d", syscall.EMFILE, "", "", true},
		{"no more file descriptors for files", "open", "c.md", syscall.EMFILE, "", "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := fstest.MapFS{}
			for path, text := range (files{"a.md": "", "c.md": "", "d/b.md": "", "d/x.md": "", "d/.gitignore": "x.md\n"}) {
				m[path] = &fstest.MapFile{Data: []byte(text + "text\n"), Mode: 0o666}
			}
			m["d/.gitignore"].Data = []byte("x.md\n")
			tree := FromFS(faultFS{m, func(op, path string) error {
				if op == tt.op && path == tt.path {
					return tt.err
				}
				return nil
			}})
			found, err := tree.Walk(t.Context(), Options{}, func(File) error { return nil })
			if tt.fatal {
				if !errors.Is(err, tt.err) {
					t.Errorf("got %v, want %v", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			same(t, "files", paths(found), strings.Fields(tt.files))
			same(t, "skipped", skips(found), []string{tt.skipped})
			if !errors.Is(&found.Skipped[0], tt.err) && found.Skipped[0].Reason != BadIgnore {
				t.Errorf("%v does not lead to %v", &found.Skipped[0], tt.err)
			}
		})
	}
}

// A sizedFS lies about the size of files, as one does that is being written to.
type sizedFS struct {
	fstest.MapFS
	size int64
}

type sizedFile struct {
	fs.File
	size int64
}

type sizedInfo struct {
	fs.FileInfo
	size int64
}

func (f sizedFS) Open(path string) (fs.File, error) {
	file, err := f.MapFS.Open(path)
	return sizedFile{file, f.size}, err
}

func (f sizedFile) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	return sizedInfo{info, f.size}, err
}

func (i sizedInfo) Size() int64 { return i.size }

func TestFilesThatChangeWhileTheyAreRead(t *testing.T) {
	for _, tt := range []struct {
		name       string
		text       string
		said, most int64
		want       Reason
	}{
		{"grown by a byte", "123456", 5, 100, 0},
		{"grown a lot", strings.Repeat("x", 5000), 5, 5000, 0},
		{"grown beyond the limit", strings.Repeat("x", 5001), 5, 5000, TooLarge},
		{"shrunk", "123", 5, 100, 0},
		{"emptied", "", 5, 100, Empty},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree := FromFS(sizedFS{fstest.MapFS{"x.md": {Data: []byte(tt.text), Mode: 0o666}}, tt.said})
			f, err := tree.Read("x.md", tt.most)
			if reason(err) != tt.want || tt.want == 0 && (err != nil || string(f.Data) != tt.text || f.Size != int64(len(tt.text))) {
				t.Errorf("got %d bytes, %v", len(f.Data), err)
			}
		})
	}
}
