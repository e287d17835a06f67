//go:build !windows

package wholefile

import (
	"os"
	"syscall"

	"github.com/docent-md/docent/internal/syserr"
)

// lives reports whether there is a process of that number, or may be.
func lives(pid int) bool {
	if pid <= 0 {
		return true
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	return !syserr.NoProcess(p.Signal(syscall.Signal(0)))
}
