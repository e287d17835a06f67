package fetch

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange makes two names in a folder change places, atomically. It reports
// false where this system or file system cannot.
func exchange(root *os.Root, a, b string) (bool, error) {
	dir, err := root.Open(".")
	if err != nil {
		return false, err
	}
	defer dir.Close()
	at := int(dir.Fd())
	switch err := unix.Renameat2(at, a, at, b, unix.RENAME_EXCHANGE); err {
	case nil:
		return true, nil
	case unix.ENOSYS, unix.EINVAL, unix.EPERM, unix.EOPNOTSUPP:
		return false, nil
	default:
		return false, &os.LinkError{Op: "exchange", Old: a, New: b, Err: err}
	}
}

// flushAll flushes the whole file system below a folder: one wait instead of one
// a file. It reports false where this system cannot.
func flushAll(root *os.Root) (bool, error) {
	dir, err := root.Open(".")
	if err != nil {
		return false, err
	}
	defer dir.Close()
	switch err := unix.Syncfs(int(dir.Fd())); err {
	case nil:
		return true, nil
	case unix.ENOSYS:
		return false, nil
	default:
		return false, err
	}
}

// syncFolder makes the names in a folder durable. Some file systems have no way
// to, and say so.
func syncFolder(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	err = dir.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	return err
}
