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
	err = f.Guard(func() error {
		for _, c := range b {
			sum += int(c)
		}
		return nil
	})
	var damaged *DamagedError
	if !errors.As(err, &damaged) || damaged.Part != "a" || damaged.File != path {
		t.Errorf("a fault in fn: %v", err)
	}
	if err := f.Guard(func() error { return os.ErrExist }); err != os.ErrExist {
		t.Errorf("an error of fn: %v", err)
	}
	other, err := Open(writeTemp(t, smallParts()))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a fault in one file was taken for damage to another")
			}
		}()
		_ = other.Guard(func() error { sum += int(b[0]); return nil })
	}()
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(error).Error(), "nil pointer") {
			t.Errorf("a mistake in fn must stay a panic, got %v", r)
		}
	}()
	_ = f.Guard(func() error {
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
