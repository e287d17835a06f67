// Package syserr says what an error of the system means, on every system. It is the only
// package that compares error numbers to decide what a user is told: Windows has numbers
// of its own for most of them, and gives some that others have another meaning.
//
//	                  Unix                    Windows
//	the disk is full  ENOSPC, EDQUOT          39, 112, 1295
//	read-only         EROFS                   19 (write-protected)
//	out of something  EMFILE, ENFILE, ENOMEM  4, 8, 14, 1450, 1455
//	someone has it    none                    5 (access denied), 32, 33, 1224 (mapped)
//	reader has gone   EPIPE                   109, 232
//	not a folder      ENOTDIR                 3, which is also what a folder that is not there yet gives
package syserr

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"syscall"
)

// numbers are the errors of one kind of system, by what they mean.
type numbers struct {
	full, readOnly, exhausted, inUse, readerGone []syscall.Errno

	// notFolder says that a part of a path is a file. Where missing is set, it may as well
	// say that a part is not there yet, unless it was making a folder that failed.
	notFolder syscall.Errno
	missing   bool
}

var unix = numbers{
	full:       []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT},
	readOnly:   []syscall.Errno{syscall.EROFS},
	exhausted:  []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM},
	readerGone: []syscall.Errno{syscall.EPIPE},
	notFolder:  syscall.ENOTDIR,
}

// windows has the names of Unix too: Go makes up numbers for them there, and libraries use these.
var windows = numbers{
	full:       append([]syscall.Errno{39, 112, 1295}, unix.full...),
	readOnly:   append([]syscall.Errno{19}, unix.readOnly...),
	exhausted:  append([]syscall.Errno{4, 8, 14, 1450, 1455}, unix.exhausted...),
	inUse:      []syscall.Errno{5, 32, 33, 1224},
	readerGone: append([]syscall.Errno{109, 232}, unix.readerGone...),
	notFolder:  3,
	missing:    true,
}

var here = system(runtime.GOOS)

func system(goos string) numbers {
	if goos == "windows" {
		return windows
	}
	return unix
}

// Full reports whether a disk is full, or the user's part of it.
func Full(err error) bool { return isOneOf(err, here.full) }

// Exhausted reports whether the system has run out of files, handles or memory to give.
// Such an error says nothing about the file that it was met at.
func Exhausted(err error) bool { return isOneOf(err, here.exhausted) }

// InUse reports whether trying again in a moment may help: Windows refuses to replace or
// to remove a file that someone has open, and to open one that is being replaced.
func InUse(err error) bool { return isOneOf(err, here.inUse) }

// Unwritable reports whether there is no place for files where they should be: they may
// not be written, the disk is full or read-only, or a folder of the path is a file. A
// folder that is not there yet is none of these.
func Unwritable(err error) bool { return here.unwritable(err) }

func (n numbers) unwritable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || isOneOf(err, n.readOnly) || isOneOf(err, n.full) || n.throughFile(err)
}

func (n numbers) throughFile(err error) bool {
	if !errors.Is(err, n.notFolder) {
		return false
	}
	var at *fs.PathError
	return !n.missing || errors.As(err, &at) && at.Op == "mkdir"
}

// NoProcess reports whether there is no process of the number that was asked for.
func NoProcess(err error) bool {
	return errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH)
}

// CannotSync reports whether a file system has no way to flush a folder. It is believed
// to be as durable as it can be. macOS says ENOTTY for some network volumes.
func CannotSync(err error) bool {
	return isOneOf(err, []syscall.Errno{syscall.EINVAL, syscall.ENOTSUP, syscall.ENOTTY})
}

// ReaderGone reports whether a write failed because nobody reads any more: "docent ... |
// head", or an MCP client that has gone away. That is how a reader says that it has
// enough, and no failure of ours.
func ReaderGone(err error) bool {
	return isOneOf(err, here.readerGone) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, os.ErrClosed)
}

func isOneOf(err error, list []syscall.Errno) bool {
	return slices.ContainsFunc(list, func(e syscall.Errno) bool { return errors.Is(err, e) })
}
