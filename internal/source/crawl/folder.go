package crawl

import (
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/docent-md/docent/doc"
)

// A folder is one open folder of a tree. Names are relative to it and may have
// several elements, but short ones are the point: each element of a name costs
// an [os.Root] two system calls.
type folder interface {
	list(name string, visit func(item)) error // what may concern us, in no order
	sub(name string) (folder, error)
	open(name string) (fs.File, error) // never blocks
	stat(name string) (fs.FileInfo, error)
	lstat(name string) (fs.FileInfo, error)
	Close() error
}

// An item is an entry of a folder that may concern us. Folders can hold a
// million, and an fs.DirEntry takes four times the memory.
type item struct {
	name string
	kind fs.FileMode
	size int64 // of a regular file, as the others
	time time.Time
	err  error
}

// concerns reports whether an entry of that name and kind may concern us.
// What it says is remembered by Folders: change foldersMagic with it.
func concerns(name string, kind fs.FileMode) bool {
	return kind.IsDir() || kind == fs.ModeSymlink || doc.IsMarkdown(name) || name == ".gitignore" || name == ".git"
}

func visitEntries(entries []fs.DirEntry, visit func(item)) {
	for _, e := range entries {
		it := item{name: e.Name(), kind: e.Type()}
		if !concerns(it.name, it.kind) {
			continue
		}
		if it.kind.IsRegular() {
			if info, err := e.Info(); err != nil {
				it.err = err
			} else {
				it.size, it.time = info.Size(), info.ModTime()
			}
		}
		visit(it)
	}
}

// batch is how many entries of a folder are in memory at once.
const batch = 1024

// A rootFolder is on disk.
type rootFolder struct{ *os.Root }

func (f rootFolder) list(name string, visit func(item)) error {
	d, err := f.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return err
	}
	defer d.Close()
	for {
		entries, err := d.ReadDir(batch)
		visitEntries(entries, visit)
		// An os.File gives fewer than asked for at the end only. Asking once
		// more would cost a tree of small folders a tenth of the time.
		if err == io.EOF || err == nil && len(entries) < batch {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// sub opens name by way of its "." because OpenRoot alone would wait at a FIFO
// that took the folder's place; an inner element must be a folder at once.
func (f rootFolder) sub(name string) (folder, error) {
	root, err := f.OpenRoot(name + "/.")
	if err != nil {
		return nil, err
	}
	return rootFolder{root}, nil
}

func (f rootFolder) open(name string) (fs.File, error) {
	return f.OpenFile(name, os.O_RDONLY|nonblock, 0)
}
func (f rootFolder) stat(name string) (fs.FileInfo, error)  { return f.Stat(name) }
func (f rootFolder) lstat(name string) (fs.FileInfo, error) { return f.Lstat(name) }

// An fsFolder is in an fs.FS.
type fsFolder struct {
	fsys fs.FS
	path string
}

func (f fsFolder) list(name string, visit func(item)) error {
	entries, err := fs.ReadDir(f.fsys, path.Join(f.path, name))
	visitEntries(entries, visit)
	return err
}

func (f fsFolder) sub(name string) (folder, error) {
	return fsFolder{f.fsys, path.Join(f.path, name)}, nil
}

func (f fsFolder) open(name string) (fs.File, error) { return f.fsys.Open(path.Join(f.path, name)) }

func (f fsFolder) stat(name string) (fs.FileInfo, error) {
	return fs.Stat(f.fsys, path.Join(f.path, name))
}

func (f fsFolder) lstat(name string) (fs.FileInfo, error) {
	return fs.Lstat(f.fsys, path.Join(f.path, name))
}
func (f fsFolder) Close() error { return nil }
