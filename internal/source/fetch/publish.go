package fetch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"
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
		if err := s.root.Rename(from, path.Join(s.dest, ManifestName)); err != nil {
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
		return s.root.Rename(fresh, s.dest)
	}
	if !s.opt.rename {
		if done, err := exchange(s.root, fresh, s.dest); done || err != nil {
			return err
		}
	}
	if err := s.root.Rename(s.dest, s.oldName()); err != nil {
		return err
	}
	s.step("between")
	if err := s.root.Rename(fresh, s.dest); err != nil {
		return errors.Join(err, s.root.Rename(s.oldName(), s.dest))
	}
	return nil
}
