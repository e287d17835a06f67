package fetch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
)

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
	if err := s.root.Rename(s.dest, s.newName()); err != nil {
		return err
	}
	if err := s.root.RemoveAll(s.newName()); err != nil {
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
