package segment

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

const (
	openFlags = 0
	lockFlags = os.O_CREATE | os.O_RDONLY
)

func mapFile(f *os.File, size int) ([]byte, func() error, error) {
	h, err := syscall.CreateFileMapping(syscall.Handle(f.Fd()), nil, syscall.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return nil, nil, err
	}
	defer syscall.CloseHandle(h)
	// Asking for the size instead of "all" makes a file that has shrunk fail here.
	addr, err := syscall.MapViewOfFile(h, syscall.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		return nil, nil, err
	}
	// The address is the system's, not the collector's; vet cannot know that.
	mem := unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), size)
	return mem, func() error { return syscall.UnmapViewOfFile(addr) }, nil
}

// syncDir does nothing: Windows offers no way to flush a folder, and journals
// the names in it.
func syncDir(*os.Root) error { return nil }

// transient reports whether trying again in a moment may help: Windows refuses
// to replace a file that someone has open, and to open one being replaced.
func transient(err error) bool {
	const sharingViolation, lockViolation = syscall.Errno(32), syscall.Errno(33)
	return errors.Is(err, sharingViolation) || errors.Is(err, lockViolation) ||
		errors.Is(err, syscall.ERROR_ACCESS_DENIED)
}
