package syserr

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestNumbers(t *testing.T) {
	at := func(op string, n syscall.Errno) error { return &fs.PathError{Op: op, Path: "x", Err: n} }
	for _, tt := range []struct {
		name string
		on   numbers
		err  error
		want string // full, exhausted, inUse, unwritable
	}{
		{"full disk", unix, at("write", syscall.ENOSPC), "full unwritable"},
		{"quota", unix, at("write", syscall.EDQUOT), "full unwritable"},
		{"read-only disk", unix, at("open", syscall.EROFS), "unwritable"},
		{"not a folder", unix, at("open", syscall.ENOTDIR), "unwritable"},
		{"no more files", unix, at("open", syscall.EMFILE), "exhausted"},
		{"not there", unix, at("open", syscall.ENOENT), ""},
		{"full disk", windows, at("write", 112), "full unwritable"},
		{"full disk, by handle", windows, at("write", 39), "full unwritable"},
		{"quota", windows, at("write", 1295), "full unwritable"},
		{"write-protected disk", windows, at("open", 19), "unwritable"},
		{"folder that is not there yet", windows, at("open", 3), ""},
		{"folder through a file", windows, at("mkdir", 3), "unwritable"},
		{"no more files", windows, at("open", 4), "exhausted"},
		{"no more memory", windows, at("open", 1455), "exhausted"},
		{"open elsewhere", windows, at("rename", 32), "inUse"},
		{"mapped elsewhere", windows, at("rename", 1224), "inUse"},
		{"full disk as Go names it", windows, at("write", syscall.ENOSPC), "full unwritable"},
		{"no error", windows, nil, ""},
		{"any other", windows, errors.New("other"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, c := range []struct {
				name string
				is   bool
			}{
				{"full", isOneOf(tt.err, tt.on.full)},
				{"exhausted", isOneOf(tt.err, tt.on.exhausted)},
				{"inUse", isOneOf(tt.err, tt.on.inUse)},
				{"unwritable", tt.on.unwritable(tt.err)},
			} {
				if c.is {
					got += " " + c.name
				}
			}
			if got != "" {
				got = got[1:]
			}
			if got != tt.want {
				t.Errorf("%v is %q, want %q", tt.err, got, tt.want)
			}
		})
	}
}

// The system itself: a folder that is not there yet can be made, one below a file cannot.
func TestUnwritableHere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Open(filepath.Join(dir, "not", "there", "yet")); err == nil || Unwritable(err) {
		t.Errorf("a folder that is not there yet: %v is taken for unwritable", err)
	}
	if err := os.MkdirAll(filepath.Join(file, "below"), 0o755); !Unwritable(err) {
		t.Errorf("a folder below a file: %v is not taken for unwritable", err)
	}
}
