package segment

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"
)

// mountSmall mounts a file system of that many KiB, or skips the test.
func mountSmall(t *testing.T, kib int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dk", kib)); err != nil {
		t.Skipf("cannot mount a small file system: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// On a disk of any small size a store grows until the disk is full. Then there
// is a clear error, the last generation serves, nothing is left over, and a
// commit that fits still works.
func TestFullDisk(t *testing.T) {
	for kib := 16; kib <= 200; kib += 8 {
		dir := mountSmall(t, kib)
		n, err := 0, error(nil)
		for err == nil {
			if err = advance(t.Context(), dir, nil); err == nil {
				n++
			}
			if n > 500 {
				t.Fatalf("%d KiB are never full", kib)
			}
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("%d KiB: %v", kib, err)
		}
		wantLedger(t, dir, n)
		if n == 0 {
			continue // not even the first fitted
		}
		noLitter(t, dir)
	}
}

func TestReadOnlyFileSystem(t *testing.T) {
	dir := mountSmall(t, 1024)
	mustAdvance(t, dir, 3)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip(err)
	}
	wantLedger(t, dir, 3)
	if _, err := Lock(context.Background(), dir); !errors.Is(err, syscall.EROFS) {
		t.Errorf("Lock: %v", err)
	}
	wantLedger(t, dir, 3)
}
