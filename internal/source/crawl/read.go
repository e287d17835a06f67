package crawl

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/docent-md/docent/doc"
)

// Exists reports whether there is a file or folder at path in the tree. A link
// counts as there without being followed.
func (t *Tree) Exists(path string) bool {
	if path == "" || badName(path) != "" || !fs.ValidPath(path) {
		return false
	}
	_, err := t.top.lstat(path)
	return err == nil
}

// Read reads the one file at path, with the checks that Walk makes but without
// the rules: what is asked for by name is not ignored. limit is the largest
// size in bytes, 0 meaning the constant MaxSize. An error about the file itself
// is a *[Skip].
func (t *Tree) Read(path string, limit int64) (File, error) {
	limit = cmp.Or(max(limit, 0), MaxSize)
	detail := badName(path)
	if detail == "" && (!fs.ValidPath(path) || path == ".") {
		detail = "not a path inside the tree"
	}
	if detail != "" {
		return File{}, &Skip{Path: printable(path), Reason: BadName, Detail: detail, err: fs.ErrInvalid}
	}
	// Opening a device can have effects of its own: look before.
	if !isRegular(t.top, path) {
		switch info, err := t.top.lstat(path); {
		case err != nil:
			return File{}, readError(path, err)
		case info.Mode().Type() == fs.ModeSymlink:
			return File{}, &Skip{Path: path, Reason: Symlink}
		case !info.Mode().IsRegular():
			return File{}, &Skip{Path: path, Reason: NotRegular}
		}
	}
	return readChecked(t.top, path, path, limit)
}

// readChecked reads the file name in f, which is at path in the tree.
func readChecked(f folder, name, path string, limit int64) (File, error) {
	info, data, err := readRegular(f, name, limit)
	switch {
	case err == errNotRegular:
		return File{}, &Skip{Path: path, Reason: NotRegular}
	case err != nil:
		return File{}, readError(path, err)
	}
	e := Entry{Path: path, Size: int64(len(data)), ModTime: info.ModTime()}
	if data == nil {
		e.Size = info.Size()
	}
	if skip := checkSize(e, limit); skip != nil {
		return File{}, skip
	}
	if skip := checkText(path, doc.EndLines(data)); skip != nil {
		return File{}, skip
	}
	return File{Entry: e, Data: data}, nil
}

// readError is failed as an error.
func readError(path string, err error) error {
	if s := failed(path, err); s != nil {
		return s
	}
	return fmt.Errorf("read %s: %w", path, err)
}

var errNotRegular = errors.New("not a regular file")

// readRegular reads a file, of one that has grown at most a byte beyond limit.
// The bytes are nil for a file that is larger from the outset.
func readRegular(f folder, name string, limit int64) (fs.FileInfo, []byte, error) {
	file, err := openFile(f, name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errNotRegular
	}
	if info.Size() > limit {
		return info, nil, nil
	}
	// One byte more than the file has: a read that does not fill it has met
	// the end, which saves asking again.
	data := make([]byte, info.Size()+1)
	n, err := io.ReadAtLeast(file, data, int(info.Size()))
	switch {
	case err == io.EOF, err == io.ErrUnexpectedEOF: // it has shrunk
		return info, data[:n], nil
	case err != nil:
		return nil, nil, err
	case n < len(data):
		return info, data[:n], nil
	}
	more, err := io.ReadAll(io.LimitReader(file, limit+1-int64(n)))
	return info, append(data, more...), err
}
