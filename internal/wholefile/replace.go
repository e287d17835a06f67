package wholefile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/docent-md/docent/internal/syserr"
)

// Replace renames a file, in place of the one that has the new name. Windows does not
// replace a file that someone has mapped, such as a pack that is served, but renames it:
// the old file then goes aside under a name that RemoveDead removes once nobody has it.
func Replace(from, to string) error { return replacer{paths{}, syserr.InUse}.replace(from, to) }

// ReplaceIn is Replace for two names in a folder.
func ReplaceIn(root *os.Root, from, to string) error {
	return replacer{root, syserr.InUse}.replace(from, to)
}

// RenameIn renames a file or folder in a folder, and tries again while Windows does not let
// it because someone looks into it: a scanner for viruses, an editor. Nothing goes aside.
func RenameIn(root *os.Root, from, to string) error {
	return Patiently(func() error { return root.Rename(from, to) })
}

// names is what replacing needs of a folder. An *os.Root has it.
type names interface {
	Rename(from, to string) error
	Remove(name string) error
	Lstat(name string) (fs.FileInfo, error)
}

type paths struct{}

func (paths) Rename(from, to string) error           { return os.Rename(from, to) }
func (paths) Remove(name string) error               { return os.Remove(name) }
func (paths) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

type replacer struct {
	in    names
	inUse func(error) bool
}

func (r replacer) replace(from, to string) error {
	rename := func(from, to string) error {
		return patiently(r.inUse, func() error { return r.in.Rename(from, to) })
	}
	err := rename(from, to)
	if err == nil || !r.inUse(err) {
		return err
	}
	if info, there := r.in.Lstat(to); there != nil || !info.Mode().IsRegular() {
		return err // Windows says the same of a folder, which is not replaced
	}
	aside := asideName(r.in, to)
	if rename(to, aside) != nil {
		return err
	}
	if err := rename(from, to); err != nil {
		_ = rename(aside, to)
		return err
	}
	_ = r.in.Remove(aside) // which fails while it is mapped
	return nil
}

// asideName returns a name beside a file that nobody has, in the form of RemoveDead.
func asideName(in names, name string) string {
	for n := 1; ; n++ {
		aside := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%d-old%d.tmp", filepath.Base(name), os.Getpid(), n))
		if _, err := in.Lstat(aside); err != nil {
			return aside
		}
	}
}

// Patiently calls fn again for up to half a second while someone else has the file.
func Patiently(fn func() error) error { return patiently(syserr.InUse, fn) }

func patiently(inUse func(error) bool, fn func() error) error {
	err := fn()
	for wait := time.Millisecond; err != nil && inUse(err) && wait < 300*time.Millisecond; wait *= 2 {
		time.Sleep(wait)
		err = fn()
	}
	return err
}
