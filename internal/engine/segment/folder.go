package segment

import (
	"io"
	"os"

	"github.com/docent-md/docent/internal/wholefile"
)

// folder does to a folder what a writer needs done. It holds on to the folder
// itself, not to its path, and cannot be led out of it by a symbolic link.
type folder struct {
	root *os.Root

	// step, when set, is told of each operation before it happens; an error makes
	// the operation fail. Tests use it to fail, or to die, at each of them in turn.
	step func(op, name string) error
}

func (f folder) at(op, name string) error {
	if f.step == nil {
		return nil
	}
	if err := f.step(op, name); err != nil {
		return &os.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

// create makes a new file and returns when its bytes are on the disk. After an
// error there is no such file.
func (f folder) create(name string, write func(io.Writer) error) (err error) {
	if err := f.at("create", name); err != nil {
		return err
	}
	h, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = h.Close()
			_ = f.root.Remove(name)
		}
	}()
	var w io.Writer = h
	if f.step != nil {
		w = steppedWriter{f, h, name}
	}
	if err := write(w); err != nil {
		return err
	}
	if err := f.at("sync", name); err != nil {
		return err
	}
	if err := h.Sync(); err != nil {
		return err
	}
	return h.Close()
}

// steppedWriter writes half before it fails, as a full disk does.
type steppedWriter struct {
	f    folder
	w    io.Writer
	name string
}

func (s steppedWriter) Write(b []byte) (int, error) {
	half := len(b) / 2
	n, err := s.w.Write(b[:half])
	if err == nil {
		err = s.f.at("write", s.name)
	}
	if err != nil {
		return n, err
	}
	m, err := s.w.Write(b[half:])
	return n + m, err
}

// rename gives a file a new name, in place of the file that had it.
func (f folder) rename(from, to string) error {
	if err := f.at("rename", to); err != nil {
		return err
	}
	return wholefile.ReplaceIn(f.root, from, to)
}

// remove removes a file. It is no error if that does not work, only litter:
// Windows keeps a file that a reader has mapped.
func (f folder) remove(name string) {
	if f.at("remove", name) == nil {
		_ = f.root.Remove(name)
	}
}

// sync makes the names in the folder durable.
func (f folder) sync() error {
	if err := f.at("sync", "."); err != nil {
		return err
	}
	return syncDir(f.root)
}

func (f folder) names() ([]string, error) {
	d, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}
