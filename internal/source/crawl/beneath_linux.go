package crawl

import (
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"golang.org/x/sys/unix"
)

// Reading files on Linux by system calls. An os.Root opens every folder on the way to
// a file, and closes it again; openat2 goes the whole way at once, and is as safe: the
// system itself sees to it that nothing leads out of the tree. Where it fails, whatever
// the reason, the os.Root is asked and has the last word.

// A beneathFolder is a folder of a tree whose files are opened by one system call.
type beneathFolder struct {
	rootFolder          // the tree's
	top        *os.File // the tree's too
	path       string   // of this folder in the tree, "" or ending in "/"
}

// newTop returns the top of a tree.
func newTop(root *os.Root) folder {
	top, err := root.Open(".")
	if err != nil {
		return rootFolder{root}
	}
	return beneathFolder{rootFolder: rootFolder{root}, top: top}
}

func (f beneathFolder) sub(name string) (folder, error) {
	return beneathFolder{f.rootFolder, f.top, f.path + name + "/"}, nil
}

func (f beneathFolder) open(name string) (fs.File, error) {
	return f.rootFolder.open(f.path + name)
}

func (f beneathFolder) list(name string, visit func(item)) error {
	return f.rootFolder.list(f.path+name, visit)
}

func (f beneathFolder) stat(name string) (fs.FileInfo, error) {
	return f.rootFolder.stat(f.path + name)
}

func (f beneathFolder) lstat(name string) (fs.FileInfo, error) {
	return f.rootFolder.lstat(f.path + name)
}

func (f beneathFolder) Close() error {
	if f.path != "" {
		return nil // what it has is the tree's
	}
	f.top.Close()
	return f.rootFolder.Close()
}

// isRegular reports whether there is surely a regular file at path. It may look at what
// is outside of the tree, and so says nothing to anyone but who then opens the file.
func isRegular(f folder, path string) bool {
	b, ok := f.(beneathFolder)
	var st unix.Stat_t
	return ok && unix.Fstatat(int(b.top.Fd()), b.path+path, &st, unix.AT_SYMLINK_NOFOLLOW) == nil &&
		st.Mode&unix.S_IFMT == unix.S_IFREG
}

// openFile opens a file to be read; what it returns for a folder cannot list it.
func openFile(f folder, name string) (fs.File, error) {
	b, ok := f.(beneathFolder)
	if !ok {
		return f.open(name)
	}
	how := unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_NONBLOCK | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS,
	}
	fd, err := unix.Openat2(int(b.top.Fd()), b.path+name, &how)
	if err != nil {
		return f.open(name)
	}
	return rawFile{fd, name}, nil
}

// A rawFile is an open file. To make an os.File of it would take more system calls
// than to read it.
type rawFile struct {
	fd   int
	name string
}

func (f rawFile) Close() error { return unix.Close(f.fd) }

func (f rawFile) Read(p []byte) (int, error) {
	for {
		n, err := unix.Read(f.fd, p)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return 0, &fs.PathError{Op: "read", Path: f.name, Err: err}
		case n == 0 && len(p) > 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

func (f rawFile) Stat() (fs.FileInfo, error) {
	s := &rawInfo{name: path.Base(f.name)}
	err := error(unix.EINTR)
	for err == unix.EINTR {
		err = unix.Fstat(f.fd, &s.Stat_t)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: f.name, Err: err}
	}
	return s, nil
}

// A rawInfo is what the system knows of a file.
type rawInfo struct {
	unix.Stat_t
	name string
}

func (s *rawInfo) Name() string       { return s.name }
func (s *rawInfo) Size() int64        { return s.Stat_t.Size }
func (s *rawInfo) ModTime() time.Time { return time.Unix(s.Mtim.Unix()) }
func (s *rawInfo) IsDir() bool        { return s.Mode().IsDir() }
func (s *rawInfo) Sys() any           { return &s.Stat_t }

// Mode is the kind of file, without its permissions.
func (s *rawInfo) Mode() fs.FileMode { return modeOf(byte(s.Stat_t.Mode & unix.S_IFMT >> 12)) }
