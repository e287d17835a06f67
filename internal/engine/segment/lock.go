package segment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/docent-md/docent/internal/syserr"
)

// A Writer changes a store. There is at most one for a folder, among all
// processes. It is for one goroutine.
type Writer struct {
	dir    string
	folder folder
	lock   *flock.Flock
}

// Lock makes the folder dir if there is none and becomes its writer. While
// another process is that, it waits until ctx is done; the error is then
// ErrLocked and names the process where it is known. With a ctx that is done
// already it tries once.
func Lock(ctx context.Context, dir string) (*Writer, error) {
	fail := func(err error) (*Writer, error) { return nil, fmt.Errorf("lock index %s: %w", dir, err) }
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fail(err)
	}
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		w, err := tryLock(dir)
		if err != nil {
			return fail(err)
		}
		if w != nil {
			if err := w.prepare(); err != nil {
				_ = w.Close()
				return fail(err)
			}
			return w, nil
		}
		select {
		case <-ctx.Done():
			return fail(fmt.Errorf("%w%s: %w", ErrLocked, holder(dir), context.Cause(ctx)))
		case <-time.After(wait):
		}
	}
}

// tryLock returns nil when someone else has the lock.
func tryLock(dir string) (*Writer, error) {
	// flock saves us the three ways in which systems lock files.
	lock := flock.New(filepath.Join(dir, lockName), flock.SetFlag(lockFlags), flock.SetPermissions(0o644))
	if ok, err := lock.TryLock(); !ok {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		_ = lock.Unlock()
		return nil, err
	}
	w := &Writer{dir: dir, folder: folder{root: root}, lock: lock}
	if !w.holds() {
		// Someone removed the file, or the folder, between our opening and our
		// locking it: what we have locked guards nothing.
		_ = w.release()
		return nil, nil
	}
	return w, nil
}

// holds reports whether the file we have locked is the one others try to lock.
func (w *Writer) holds() bool {
	mine, err := w.lock.Stat()
	if err != nil {
		return false
	}
	theirs, err := w.folder.root.Lstat(lockName)
	return err == nil && theirs.Mode().IsRegular() && os.SameFile(mine, theirs)
}

// prepare clears away what writers that died have left, and leaves our mark. A
// folder in which that is impossible is found here, before the caller spends time
// on what it cannot commit.
func (w *Writer) prepare() error {
	m, err := w.manifest()
	switch {
	case err == nil:
		w.sweep(m)
	case isMissing(err):
		w.sweep(&manifest{})
	}
	// Where the manifest cannot be read, nothing tells litter from index: the next
	// commit will.
	if err := w.mark(); err != nil {
		return err
	}
	if err := w.ensure(ignoreName, "# made by docent: an index is never committed\n*\n"); err != nil {
		return err
	}
	return w.ensure(cacheName, cacheTag)
}

// mark writes our number down for others to name. A mark that cannot be replaced stays,
// as on Windows while someone reads it: the lock is what counts.
func (w *Writer) mark() error {
	removeErr := w.folder.root.Remove(pidName)
	h, err := w.folder.root.OpenFile(pidName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case err == nil:
		_, _ = fmt.Fprintln(h, os.Getpid())
		return h.Close()
	case removeErr == nil || isMissing(removeErr):
		return err
	case syserr.Unwritable(removeErr) && !syserr.InUse(removeErr):
		return removeErr
	}
	return nil
}

// ensure makes the file if it is not there. It never leaves half of it.
func (w *Writer) ensure(name, content string) error {
	if _, err := w.folder.root.Lstat(name); err == nil {
		return nil
	}
	temp := name + tempSuffix
	_ = w.folder.root.Remove(temp)
	err := w.folder.create(temp, func(out io.Writer) error {
		_, err := io.WriteString(out, content)
		return err
	})
	if err == nil {
		err = w.folder.rename(temp, name)
	}
	if err != nil {
		_ = w.folder.root.Remove(temp)
	}
	return err
}

// Close lets others write. It does not matter to those who read.
func (w *Writer) Close() error {
	_ = w.folder.root.Remove(pidName)
	return w.release()
}

// RemoveAll deletes the store and its lock, and closes w. Windows removes no file that is open, so that the lock goes last
// there, once it is released: it stays where another writer has it by then.
func (w *Writer) RemoveAll() error {
	err := os.RemoveAll(w.dir)
	_ = w.Close()
	if !syserr.InUse(err) {
		return err
	}
	if os.Remove(filepath.Join(w.dir, lockName)) != nil || os.Remove(w.dir) != nil {
		return err
	}
	return nil
}

func (w *Writer) release() error {
	return errors.Join(w.lock.Unlock(), w.folder.root.Close())
}

// holder says who has the lock, if that is known: " (process 123)".
func holder(dir string) string {
	b, err := os.ReadFile(filepath.Join(dir, pidName))
	if err != nil {
		return ""
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" (process %d)", pid)
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
