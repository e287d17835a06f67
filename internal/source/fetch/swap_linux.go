package fetch

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// exchange makes two names in a folder change places, atomically. It reports
// false where this system or file system cannot.
func exchange(root *os.Root, a, b string) (bool, error) {
	number := map[string]uintptr{"amd64": 316, "arm64": 276, "riscv64": 276, "loong64": 276, "386": 353, "arm": 382}[runtime.GOARCH]
	if number == 0 {
		return false, nil
	}
	dir, err := root.Open(".")
	if err != nil {
		return false, err
	}
	defer dir.Close()
	from, err := syscall.BytePtrFromString(a)
	if err != nil {
		return false, err
	}
	to, err := syscall.BytePtrFromString(b)
	if err != nil {
		return false, err
	}
	const renameExchange = 2
	_, _, errno := syscall.Syscall6(number, dir.Fd(), uintptr(unsafe.Pointer(from)), dir.Fd(), uintptr(unsafe.Pointer(to)), renameExchange, 0)
	runtime.KeepAlive(dir)
	switch errno {
	case 0:
		return true, nil
	case syscall.ENOSYS, syscall.EINVAL, syscall.EPERM, syscall.EOPNOTSUPP:
		return false, nil
	}
	return false, &os.LinkError{Op: "exchange", Old: a, New: b, Err: errno}
}

// flushAll flushes the whole file system below a folder: one wait instead of one
// a file. It reports false where this system cannot.
func flushAll(root *os.Root) (bool, error) {
	number := map[string]uintptr{"amd64": 306, "arm64": 267, "riscv64": 267, "loong64": 267}[runtime.GOARCH]
	if number == 0 {
		return false, nil
	}
	dir, err := root.Open(".")
	if err != nil {
		return false, err
	}
	defer dir.Close()
	_, _, errno := syscall.Syscall(number, dir.Fd(), 0, 0)
	runtime.KeepAlive(dir)
	switch errno {
	case 0:
		return true, nil
	case syscall.ENOSYS:
		return false, nil
	}
	return false, errno
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
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}
