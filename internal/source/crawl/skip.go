package crawl

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-md/docent/internal/syserr"
)

// A Skip is a file or folder that was left out, and why. As an error it is what
// [Tree.Read] returns.
type Skip struct {
	Path   string // relative to the tree; bytes that cannot be printed are escaped as Go does
	Reason Reason
	Detail string // more about the reason; may be empty
	Size   int64  // of the file, where it is known
	err    error  // what the system said; may be nil
}

// Reason says why something was left out.
type Reason uint8

// The reasons.
const (
	TooLarge   Reason = iota + 1 // over the size limit
	Empty                        // no bytes in it
	Binary                       // holds a NUL byte
	NotUTF8                      // text in another encoding
	Symlink                      // a symbolic link
	NotRegular                   // a FIFO, socket, device or folder where a file should be
	BadName                      // a name that is not UTF-8 or holds control characters, or leads out of the tree
	TooDeep                      // below more than MaxDepth folders, or a path over 4,096 bytes
	Unreadable                   // the system refused
	Vanished                     // gone between finding and reading it
	BadIgnore                    // a .gitignore that could not be obeyed
	// Of files that rules leave out; reported with Options.Explain only.
	Hidden    // in a hidden folder
	ByDefault // in another folder of DefaultIgnore
	ByConfig  // by Options.Ignore
	ByGit     // by a .gitignore
)

var reasonNames = [...]string{
	TooLarge: "too large", Empty: "empty", Binary: "binary", NotUTF8: "not UTF-8", Symlink: "symbolic link",
	NotRegular: "not a regular file", BadName: "unusable name", TooDeep: "too deep", Unreadable: "unreadable",
	Vanished: "vanished", BadIgnore: "ignore file not obeyed",
	Hidden: "in hidden folders", ByDefault: "in folders left out by default", ByConfig: "ignored by the config", ByGit: "ignored by git",
}

// IsRule reports whether a file was left out by a rule, not for what it is.
func (r Reason) IsRule() bool { return r >= Hidden }

func (r Reason) String() string {
	if int(r) < len(reasonNames) && r > 0 {
		return reasonNames[r]
	}
	return "unknown"
}

// Error says what was left out and why, on one line.
func (s *Skip) Error() string {
	if s.Detail == "" {
		return fmt.Sprintf("%s: %s", s.Path, s.Reason)
	}
	return fmt.Sprintf("%s: %s: %s", s.Path, s.Reason, s.Detail)
}

// Unwrap returns what the system said, so that errors.Is(err, fs.ErrNotExist)
// holds for a file that vanished.
func (s *Skip) Unwrap() error { return s.err }

// badName says what keeps a path from being printed on a line and typed back;
// empty if nothing does.
func badName(path string) string {
	if !utf8.ValidString(path) {
		return "not UTF-8"
	}
	if strings.ContainsFunc(path, unicode.IsControl) {
		return "holds a control character"
	}
	return ""
}

// printable returns path as Skip.Path promises it.
func printable(path string) string {
	if badName(path) == "" {
		return path
	}
	quoted := strconv.Quote(path)
	return quoted[1 : len(quoted)-1]
}

// failed turns a system's error about path into a Skip. It is nil for an error
// that says nothing about path but that we have run out of something: to go on
// would silently leave out the rest.
func failed(path string, err error) *Skip {
	switch {
	case syserr.Exhausted(err):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return &Skip{Path: printable(path), Reason: Vanished, err: err}
	}
	return &Skip{Path: printable(path), Reason: Unreadable, Detail: cause(err).Error(), err: err}
}
