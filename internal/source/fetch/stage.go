package fetch

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/docent-md/docent/internal/wholefile"
	"github.com/gofrs/flock"
)

// How a folder is replaced.
//
// Everything is made in ".react.docent-new" next to "react"; being hidden, it is
// not indexed meanwhile. Then, on Linux, the two change places in one step that
// the system makes atomic, so that at every moment there is a whole "react", and
// the old one is removed. Elsewhere "react" becomes ".react.docent-old" and the
// new one "react": between these two renames there is none, and who dies there
// leaves both next to the place.
//
// The next run, or Recover, looks first: where "react" is missing and
// ".react.docent-old" is there, it is put back; what else is left is removed. A
// lock in the user's cache folder keeps two runs apart, so that what one finds is
// never what another works on. The system frees it when a process dies.
//
// Files are flushed to the disk before they change places, as a process that
// dies loses nothing but a machine that does might.
const (
	newEnding = ".docent-new"
	oldEnding = ".docent-old"
	treeName  = "tree" // in the new folder: what is to change places
	lockWait  = 30 * time.Second
)

type stage struct {
	opt      Options
	lock     *flock.Flock
	root     *os.Root // the folder that the destination is in
	dest     string   // its name there
	made     []string // folders made on the way to root, the deepest first, relative to Options.Root
	fresh    *os.Root // the new folder
	tree     *os.Root
	manifest manifest
	whole    bool              // every file of the manifest is there as it was written
	have     map[string]string // hash of each of them that is there
	done     bool
}

func (s *stage) newName() string { return "." + s.dest + newEnding }
func (s *stage) oldName() string { return "." + s.dest + oldEnding }

func (s *stage) step(name string) {
	if s.opt.step != nil {
		s.opt.step(name)
	}
}

// Recover brings back a folder that a run which died left half replaced, and
// removes what it left. It does nothing while another run is at work there.
func Recover(root, dest string) error {
	s := &stage{opt: Options{Root: root, Dest: dest}, dest: path.Base(dest)}
	project, err := os.OpenRoot(root)
	if err != nil {
		return fmt.Errorf("recover %s: %w", dest, cause(err))
	}
	defer project.Close()
	parent, err := project.OpenRoot(path.Dir(dest))
	if err != nil {
		return nil // nothing was ever begun
	}
	defer parent.Close()
	s.root = parent
	if !s.leftovers() {
		return nil
	}
	if s.lock, err = lockOf(root, dest); err != nil {
		return fmt.Errorf("recover %s: lock: %w", dest, cause(err))
	}
	if ok, err := s.lock.TryLock(); err != nil || !ok {
		return nil
	}
	defer func() { _ = s.lock.Unlock() }()
	if err := s.recover(); err != nil {
		return fmt.Errorf("recover %s: %w", dest, cause(err))
	}
	return nil
}

// openStage locks the destination, clears away what a run that died left, and
// looks at what is there.
func openStage(ctx context.Context, o Options) (*stage, error) {
	dest := path.Clean(filepath.ToSlash(o.Dest))
	if !filepath.IsLocal(filepath.FromSlash(dest)) || dest == "." {
		return nil, fmt.Errorf("%q is no folder inside the project", o.Dest)
	}
	s := &stage{opt: o, dest: path.Base(dest)}
	var err error
	if s.lock, err = lockOf(o.Root, dest); err != nil {
		return nil, fmt.Errorf("lock: %w", cause(err))
	}
	if err := waitFor(ctx, s.lock); err != nil {
		return nil, fmt.Errorf("%s: %w", dest, err)
	}
	s.root, err = s.parent(path.Dir(dest))
	if err == nil {
		err = s.recover()
	}
	if err == nil {
		err = s.look(dest)
	}
	if err != nil {
		_ = s.close()
		if _, ok := errors.AsType[*StrangerError](err); ok {
			return nil, err
		}
		return nil, fmt.Errorf("%s: %w", dest, cause(err))
	}
	return s, nil
}

func waitFor(ctx context.Context, lock *flock.Flock) error {
	ctx, cancel := context.WithTimeoutCause(ctx, lockWait, errors.New("another docent is at work there"))
	defer cancel()
	if ok, err := lock.TryLockContext(ctx, 50*time.Millisecond); ok {
		return nil
	} else if cause := context.Cause(ctx); cause != nil {
		return cause
	} else {
		return err
	}
}

// lockOf returns the lock of a destination. It is never removed: a lock that is
// removed while others wait for it holds nobody back.
func lockOf(root, dest string) (*flock.Flock, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	dir, err := os.UserCacheDir()
	if err != nil { // a folder of this user's, where others have theirs
		dir = filepath.Join(os.TempDir(), fmt.Sprintf("docent-%d", os.Getuid()))
	}
	dir = filepath.Join(dir, "docent", "locks")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte("fetch\x00" + abs + "\x00" + dest))
	return flock.New(filepath.Join(dir, fmt.Sprintf("%x", sum[:12]))), nil
}

// parent opens the folder that the destination is in, made where it is
// missing. No link on the way may lead out of the project.
func (s *stage) parent(dir string) (*os.Root, error) {
	project, err := os.OpenRoot(s.opt.Root)
	if err != nil {
		return nil, err
	}
	defer project.Close()
	for d := dir; d != "."; d = path.Dir(d) {
		if _, err := project.Lstat(d); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		s.made = append(s.made, d)
	}
	if err := project.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return project.OpenRoot(dir)
}

// look takes in what the destination holds.
func (s *stage) look(dest string) error {
	info, err := s.root.Lstat(s.dest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.IsDir() {
		err = errNotFolder
	}
	if err != nil {
		return err
	}
	root, err := s.root.OpenRoot(s.dest)
	if err != nil {
		return err
	}
	defer root.Close()
	s.manifest, _ = readManifest(root)
	names, err := strangers(root, s.manifest)
	if err != nil {
		return err
	}
	if len(names) > 0 && !s.opt.Force {
		return &StrangerError{Dest: dest, Names: names}
	}
	s.have = hashes(root, s.manifest.Files)
	s.whole = len(s.have) > 0 && len(names) == 0 && maps.Equal(s.have, s.manifest.Files)
	return nil
}

func (s *stage) leftovers() bool {
	return slices.ContainsFunc([]string{s.newName(), s.oldName()}, func(name string) bool {
		_, err := s.root.Lstat(name)
		return err == nil
	})
}

// recover clears away what a run that died left.
func (s *stage) recover() error {
	if _, err := s.root.Lstat(s.dest); errors.Is(err, fs.ErrNotExist) {
		if info, err := s.root.Lstat(s.oldName()); err == nil && info.IsDir() {
			if err := wholefile.RenameIn(s.root, s.oldName(), s.dest); err != nil {
				return err
			}
		}
	}
	if err := s.removeAll(s.oldName()); err != nil {
		return err
	}
	return s.removeAll(s.newName())
}

// removeAll removes a folder, and tries again while Windows does not let it because
// someone has a file of it open.
func (s *stage) removeAll(name string) error {
	return wholefile.Patiently(func() error { return s.root.RemoveAll(name) })
}

// open makes the new folder and returns the tree in it, to be filled.
func (s *stage) open() (*os.Root, error) {
	s.step("make")
	if err := s.root.Mkdir(s.newName(), 0o755); err != nil {
		return nil, fmt.Errorf("%s: %w", s.newName(), cause(err))
	}
	var err error
	if s.fresh, err = s.root.OpenRoot(s.newName()); err != nil {
		return nil, cause(err)
	}
	if err := s.fresh.Mkdir(treeName, 0o755); err != nil {
		return nil, cause(err)
	}
	if s.tree, err = s.fresh.OpenRoot(treeName); err != nil {
		return nil, cause(err)
	}
	return s.tree, nil
}

// close removes what is of no more use and frees the lock.
func (s *stage) close() error {
	var err error
	if s.tree != nil {
		_ = s.tree.Close()
	}
	if s.fresh != nil {
		_ = s.fresh.Close()
	}
	if s.root != nil {
		// What cannot be removed now, the next run removes.
		_ = s.removeAll(s.newName())
		if _, statErr := s.root.Lstat(s.dest); statErr == nil {
			_ = s.removeAll(s.oldName())
		}
		if s.done {
			err = syncFolder(s.root)
		}
		_ = s.root.Close()
	}
	if !s.done && len(s.made) > 0 {
		s.unmake()
	}
	if s.lock != nil {
		_ = s.lock.Unlock()
	}
	return err
}

// unmake removes the folders that were made for nothing.
func (s *stage) unmake() {
	project, err := os.OpenRoot(s.opt.Root)
	if err != nil {
		return
	}
	defer project.Close()
	for _, dir := range s.made {
		_ = project.Remove(dir) // fails where something else came to lie in it
	}
}
