package wholefile

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// RemoveDead removes what writers of a file left beside it that were killed: files called
// ".NAME.PROCESS.tmp" or ".NAME.PROCESS-ANYTHING.tmp", where there is no such process.
func RemoveDead(name string) {
	dir, base := filepath.Split(name)
	dir = filepath.Clean(dir)
	all, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range all {
		rest, ok := strings.CutPrefix(e.Name(), "."+base+".")
		rest, tmp := strings.CutSuffix(rest, ".tmp")
		number, _, _ := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(number)
		if ok && tmp && err == nil && e.Type().IsRegular() && !lives(pid) {
			_ = os.Remove(filepath.Join(dir, e.Name())) // what stays is litter, and no error
		}
	}
}

// lives reports whether there is a process of that number, or may be.
func lives(pid int) bool {
	if pid <= 0 {
		return true
	}
	p, err := os.FindProcess(pid) // which finds only those that are there on Windows, and any elsewhere
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	err = p.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}
