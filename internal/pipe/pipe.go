// Package pipe tells a reader that went away from a write that failed.
package pipe

import (
	"errors"
	"io"
	"os"
	"runtime"
	"syscall"
)

// What Windows reports where others report EPIPE.
const (
	errorBrokenPipe syscall.Errno = 109
	errorNoData     syscall.Errno = 232
)

// Closed reports whether a write failed because nobody reads any more: "docent
// ... | head", or an MCP client that has gone away. That is how a reader says
// that it has enough, and no failure of ours.
func Closed(err error) bool {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, os.ErrClosed) {
		return true
	}
	return runtime.GOOS == "windows" && (errors.Is(err, errorBrokenPipe) || errors.Is(err, errorNoData))
}
