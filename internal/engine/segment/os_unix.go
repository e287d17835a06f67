//go:build unix

package segment

import (
	"errors"
	"os"
	"syscall"
)

const (
	// A pipe in place of a file must not block us for ever.
	openFlags = syscall.O_NONBLOCK
	// Nor must a symbolic link in a cloned folder have us create a file elsewhere.
	lockFlags = os.O_CREATE | os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOFOLLOW
)

func mapFile(f *os.File, size int) ([]byte, func() error, error) {
	mem, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return mem, func() error { return syscall.Munmap(mem) }, nil
}

// syncDir makes the names in a folder durable. Some file systems have no way to,
// and say so; they are believed to be as durable as they can be.
func syncDir(root *os.Root) error {
	d, err := root.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}

// transient reports whether trying again in a moment may help.
func transient(error) bool { return false }
