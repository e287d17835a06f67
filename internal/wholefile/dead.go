package wholefile

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
