//go:build unix

package segment

import (
	"os"
	"syscall"

	"github.com/docent-md/docent/internal/syserr"
)

// A symbolic link in a cloned folder must not have us create a file elsewhere.
const lockFlags = os.O_CREATE | os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOFOLLOW

// openFile opens a file for reading. A pipe in its place does not block us for ever.
func openFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

func mapFile(f *os.File, size int) ([]byte, func() error, error) {
	mem, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return mem, func() error { return syscall.Munmap(mem) }, nil
}

// syncDir makes the names in a folder durable, where the file system has a way to.
func syncDir(root *os.Root) error {
	d, err := root.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if syserr.CannotSync(err) {
		return nil
	}
	return err
}
