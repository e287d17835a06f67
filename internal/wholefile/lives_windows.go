package wholefile

import (
	"errors"
	"syscall"
)

// lives reports whether there is a process of that number, or may be. Windows finds one
// that has ended as long as someone holds on to it.
func lives(pid int) bool {
	if pid <= 0 {
		return true
	}
	const invalidParameter = syscall.Errno(87) // what there is no process of
	h, err := syscall.OpenProcess(syscall.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return !errors.Is(err, invalidParameter)
	}
	defer func() { _ = syscall.CloseHandle(h) }()
	event, err := syscall.WaitForSingleObject(h, 0)
	return err != nil || event != syscall.WAIT_OBJECT_0
}
