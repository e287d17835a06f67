package segment

import (
	"os"
	"path/filepath"
	"syscall"
	"unsafe"
)

const lockFlags = os.O_CREATE | os.O_RDONLY

// openFile opens a file for reading. Through a root, others may replace and remove it meanwhile; through its path they
// may not.
func openFile(path string) (*os.File, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Open(filepath.Base(path))
}

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
