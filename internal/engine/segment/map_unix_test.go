//go:build unix

package segment

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/fault"
)

func writeTemp(t *testing.T, parts []Part) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.seg")
	if err := WriteFile(path, parts); err != nil {
		t.Fatal(err)
	}
	return path
}

// A mapped file that someone cuts short in place faults when touched. That must
// not end the program.
func TestFileCutShortWhileOpen(t *testing.T) {
	for _, size := range []int64{0, 100, 20000, 3 * 8192} {
		path := writeTemp(t, []Part{{Name: "a", Data: noise(1, 50*pageSize)}})
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if f.base == 0 {
			t.Skip("files are not mapped here")
		}
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		blob, _ := f.Part("a")
		if _, err := blob.Bytes(blob.Len()-10, 10); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut to %d: Bytes: %v", size, err)
		}
		if err := f.Verify(); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut to %d: Verify: %v", size, err)
		}
	}
}

// Whoever cuts a file short, writes to it or puts another in its place is noticed; a file
// that is removed stays what it was.
func TestIntact(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"cut short":  func(path string) error { return os.Truncate(path, 100) },
		"touched":    func(path string) error { return os.Chtimes(path, time.Time{}, time.Unix(1, 0)) },
		"another":    func(path string) error { return os.Rename(writeTemp(t, []Part{{Name: "a", Data: noise(1, 99)}}), path) },
		"removed":    os.Remove,
		"left alone": func(string) error { return nil },
	} {
		path := writeTemp(t, []Part{{Name: "a", Data: noise(1, 99)}})
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		replaced := name != "removed" && name != "left alone"
		if err := f.Intact(); errors.Is(err, ErrReplaced) != replaced {
			t.Errorf("%s: %v", name, err)
		}
		_ = f.Close()
	}
}

func TestGuard(t *testing.T) {
	path := writeTemp(t, []Part{{Name: "a", Data: noise(1, 50*pageSize)}})
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.base == 0 {
		t.Skip("files are not mapped here")
	}
	blob, _ := f.Part("a")
	b, err := blob.Bytes(0, blob.Len())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	sum := 0
	err = Guard(func() error {
		for _, c := range b {
			sum += int(c)
		}
		return nil
	})
	var damaged *DamagedError
	if !errors.As(err, &damaged) || damaged.Part != "a" || damaged.File != path {
		t.Errorf("a fault in fn: %v", err)
	}
	if err := Guard(func() error { return os.ErrExist }); err != os.ErrExist {
		t.Errorf("an error of fn: %v", err)
	}
	err = Guard(func() error {
		var group fault.Group
		group.Go(func() { sum += int(b[0]) })
		group.Wait()
		return nil
	})
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("a fault in a goroutine of fn: %v", err)
	}
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(error).Error(), "nil pointer") {
			t.Errorf("a mistake in fn must stay a panic, got %v", r)
		}
	}()
	_ = Guard(func() error {
		var none *File
		none.src.size++
		return nil
	})
}

// With positional reads a file cut short is an error of the read.
func TestFileCutShortWithoutMapping(t *testing.T) {
	path := writeTemp(t, []Part{{Name: "a", Data: noise(1, 50*pageSize)}})
	f, err := open(path, noMapping)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Truncate(path, 5000); err != nil {
		t.Fatal(err)
	}
	blob, _ := f.Part("a")
	if _, err := blob.Bytes(0, 10); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
	if err := f.Verify(); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
}

func TestPipesDoNotBlock(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, manifestName)
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Skip(err)
	}
	if _, err := Open(path); !errors.Is(err, ErrForeign) {
		t.Errorf("Open: %v", err)
	}
	if _, err := OpenStore(dir); !errors.Is(err, ErrForeign) {
		t.Errorf("OpenStore: %v", err)
	}
}

// A cloned repository may hold a folder of ours with symbolic links in it.
func TestLinksDoNotLeadOutside(t *testing.T) {
	outside := t.TempDir()
	target := filepath.Join(outside, "precious")
	if err := os.WriteFile(target, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		manifestName, manifestName + tempSuffix, pidName, "00000001-0.seg",
		ignoreName, ignoreName + tempSuffix, cacheName + tempSuffix,
	} {
		dir := t.TempDir()
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
		if err := advance(context.Background(), dir, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if b, _ := os.ReadFile(target); string(b) != "precious" {
			t.Fatalf("%s: wrote through the link", name)
		}
		if got, err := openLedger(dir); got != 1 || err != nil {
			t.Errorf("%s: %d %v", name, got, err)
		}
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(outside, "new"), filepath.Join(dir, lockName)); err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(context.Background(), dir); err == nil {
		t.Error("locked through a link")
	}
	if names := list(t, outside); len(names) != 1 {
		t.Errorf("made outside: %v", names)
	}
}
