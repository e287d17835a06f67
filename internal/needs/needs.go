// Package needs skips tests that lack a tool or data which is not part of the
// project. All of them say what they lack in the same words, which "make test" sums
// up at its end: a machine without any of it passes too, and should say so.
package needs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Prefix begins the message of every test skipped here; what is needed follows, up
// to the next colon.
const Prefix = "needs "

// Tool returns the path of a program, or skips the test.
func Tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip(Prefix + name)
	}
	return path
}

// Shared returns the path of a file or folder in the shared folder, or skips the
// test. That folder is named by DOCENT_SHARED, or lies beside the checkout.
func Shared(t testing.TB, elem ...string) string {
	t.Helper()
	name := filepath.Join(elem...)
	path := filepath.Join(sharedFolder(t), name)
	if _, err := os.Stat(path); err != nil {
		t.Skip(Prefix + "the shared folder: no " + filepath.ToSlash(name))
	}
	return path
}

func sharedFolder(t testing.TB) string {
	if dir := os.Getenv("DOCENT_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(mod), "module github.com/docent-md/docent\n") {
			return filepath.Join(filepath.Dir(dir), "shared")
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("not in a checkout of docent")
		}
	}
}

// Time skips a test that tries many things one after another in short runs: those are the
// race detector's, which has nothing to see in it.
func Time(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip(Prefix + "time: nothing in it runs at once, so that short runs leave it out")
	}
}

// Missing skips the test for want of something that is not there, or cannot be used,
// and says why.
func Missing(t testing.TB, what, why string) {
	t.Helper()
	t.Skip(Prefix + what + ": " + strings.TrimSpace(why))
}

// Link makes a symbolic link, or skips the test where none can be made.
func Link(t testing.TB, to, name string) {
	t.Helper()
	if err := link(to, name); err != nil {
		Missing(t, "symbolic links", err.Error())
	}
}

// LinksIn returns why no symbolic link can be made in a folder, or nil.
func LinksIn(dir string) error { return link("nowhere", filepath.Join(dir, "link")) }

// link looks at what it made: wine says that it makes links, and makes none.
func link(to, name string) error {
	if err := os.Symlink(to, name); err != nil {
		return err
	}
	info, err := os.Lstat(name)
	if err == nil && info.Mode()&os.ModeSymlink == 0 {
		err = fmt.Errorf("%s is no link once it is made", name)
	}
	return err
}

// Programs skips a test that starts this program again where an emulator runs it, such as qemu: the system starts no
// programs for another processor.
func Programs(t testing.TB) {
	t.Helper()
	if err := startsItself(); errors.Is(err, syscall.ENOEXEC) {
		Missing(t, "a system for this processor", err.Error())
	}
}

var startsItself = sync.OnceValue(func() error { return exec.Command(os.Args[0], "-test.run=^$").Run() })
