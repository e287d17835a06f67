package watch

import (
	"errors"
	"runtime"
	"syscall"
	"unsafe"
)

// exchange makes two folders change places, atomically.
func exchange(a, b string) error {
	number := map[string]uintptr{"amd64": 316, "arm64": 276}[runtime.GOARCH]
	if number == 0 {
		return errors.New("number not known")
	}
	from, err := syscall.BytePtrFromString(a)
	if err != nil {
		return err
	}
	to, err := syscall.BytePtrFromString(b)
	if err != nil {
		return err
	}
	here := -100 // AT_FDCWD
	if _, _, errno := syscall.Syscall6(number, uintptr(here), uintptr(unsafe.Pointer(from)), uintptr(here), uintptr(unsafe.Pointer(to)), 2, 0); errno != 0 {
		return errno
	}
	return nil
}
