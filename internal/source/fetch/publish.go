package fetch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"time"

	"github.com/docent-md/docent/internal/wholefile"
)

// publish puts the folder top of the new tree in place of the destination.
func (s *stage) publish(top string, m manifest) (difference, error) {
	d := compare(s.have, m.Files)
	s.step("manifest")
	if err := m.write(s.tree, path.Join(top, ManifestName)); err != nil {
		return d, fmt.Errorf("%s: %w", ManifestName, cause(err))
	}
	if s.whole && len(d.added)+len(d.changed)+len(d.removed) == 0 {
		// Most commits touch no docs: only what is said of the files is new.
		from := path.Join(s.newName(), treeName, top, ManifestName)
		if err := wholefile.RenameIn(s.root, from, path.Join(s.dest, ManifestName)); err != nil {
			return d, fmt.Errorf("%s: %w", ManifestName, cause(err))
		}
		return d, nil
	}
	s.keepTimes(top, m)
	s.step("sync")
	if err := s.flush(top, m); err != nil {
		return d, cause(err)
	}
	// Windows renames no folder that is open.
	_ = s.tree.Close()
	_ = s.fresh.Close()
	s.tree, s.fresh = nil, nil
	if err := s.replace(path.Join(s.newName(), treeName, top)); err != nil {
		return d, fmt.Errorf("%s: %w", s.dest, cause(err))
	}
	s.done = true
	s.step("clear")
	return d, nil
}

// keepTimes gives files that did not change the time they had, so that whoever
// goes by it need not read them again.
func (s *stage) keepTimes(top string, m manifest) {
	old, err := s.root.OpenRoot(s.dest)
	if err != nil {
		return
	}
	defer old.Close()
	for name, hash := range m.Files {
		if s.have[name] != hash {
			continue
		}
		if info, err := old.Lstat(name); err == nil {
			_ = s.tree.Chtimes(path.Join(top, name), time.Time{}, info.ModTime())
		}
	}
}

// flush brings the files to the disk.
func (s *stage) flush(top string, m manifest) error {
	if flushed, err := flushAll(s.tree); flushed || err != nil {
		return err
	}
	for name := range m.Files {
		f, err := s.tree.OpenFile(path.Join(top, name), os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		err = f.Sync()
		_ = f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// replace puts the folder fresh, made next to it, in place of the destination.
func (s *stage) replace(fresh string) error {
	s.step("replace")
	_, err := s.root.Lstat(s.dest)
	if errors.Is(err, fs.ErrNotExist) {
		return wholefile.RenameIn(s.root, fresh, s.dest)
	}
	if !s.opt.rename {
		if done, err := exchange(s.root, fresh, s.dest); done || err != nil {
			return err
		}
	}
	if err := wholefile.RenameIn(s.root, s.dest, s.oldName()); err != nil {
		return err
	}
	s.step("between")
	if err := wholefile.RenameIn(s.root, fresh, s.dest); err != nil {
		return errors.Join(err, wholefile.RenameIn(s.root, s.oldName(), s.dest))
	}
	return nil
}

// ErrNotFetched is what Remove returns, wrapped, for a folder that is not there
// or was not fetched.
var ErrNotFetched = errors.New("not a folder that was fetched")

// Remove deletes the folder dest in root, which Fetch made. A folder that holds
// anything of the user's, and be it a change to a file of the source, is left
// alone and is a *[StrangerError]. Who dies in the middle leaves a hidden folder
// that Recover removes.
func Remove(ctx context.Context, root, dest string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("remove %s: %w", dest, cause(err))
		}
	}()
	if _, ok := Look(root, dest); !ok {
		return ErrNotFetched
	}
	s, err := openStage(ctx, Options{Root: root, Dest: dest})
	if err != nil {
		return err
	}
	defer func() { _ = s.close() }()
	if len(s.manifest.Files) == 0 {
		return ErrNotFetched
	}
	var changed []string
	for name, hash := range s.manifest.Files {
		if have, ok := s.have[name]; ok && have != hash {
			changed = append(changed, name)
		}
	}
	if len(changed) > 0 {
		slices.Sort(changed)
		return &StrangerError{Dest: dest, Names: changed[:min(len(changed), 4)]}
	}
	if err := wholefile.RenameIn(s.root, s.dest, s.newName()); err != nil {
		return err
	}
	if err := s.removeAll(s.newName()); err != nil {
		return err
	}
	project, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer project.Close()
	for dir := path.Dir(path.Clean(dest)); dir != "." && project.Remove(dir) == nil; dir = path.Dir(dir) {
	} // the folders around it, while they are empty
	return nil
}
