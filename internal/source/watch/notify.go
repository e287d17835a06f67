package watch

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// How folders are followed.
//
// There is a watch on every folder below the roots. Whatever is said of a name
// (made, removed, renamed), the watches below it are dropped, and set again if it
// is a folder now: what is there counts, not what is said. So folders that were
// moved do not keep telling under their old names, and two that changed places,
// which the system reports as made first and gone then, are both followed.
//
// A watch is set before the folder is listed: what is made in between is told of
// by one or the other. A folder that appears is told of as a whole, as it may
// have been filled before its watch stood.
//
// When the system's queue overflows, all watches are set again and everything is
// said to have changed.

// addRoots watches all roots that are there.
func (w *watcher) addRoots() {
	w.missing = false
	for _, root := range w.roots {
		dir, exists := isDirRoot(root)
		switch {
		case !exists:
			w.missing = true
		case dir:
			w.addTree(root)
		default:
			// A file that is saved by renaming another over it would take its
			// watch with it.
			w.add(filepath.Dir(root))
		}
		if w.n == nil {
			return
		}
	}
}

// addTree watches a folder and all below it.
func (w *watcher) addTree(dir string) {
	if w.n == nil || !w.add(dir) {
		return
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range list {
		if path := filepath.Join(dir, e.Name()); e.IsDir() && !w.opt.Ignore(path, true) {
			w.addTree(path)
		}
	}
}

// add watches one folder. Where watches have run out, none is of use: what is
// half watched would be half told of.
func (w *watcher) add(dir string) bool {
	err := w.n.add(dir)
	switch {
	case err == nil:
		w.follow(dir)
		return true
	case errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission), !isDir(dir) && !slices.Contains(w.roots, dir):
		return false // gone again, or not for us to read
	}
	w.poll("watching " + dir + ": " + why(err))
	return false
}

// follow remembers that a folder is watched, below its parent.
func (w *watcher) follow(dir string) {
	if w.watched[dir] == nil {
		w.watched[dir] = map[string]bool{}
	}
	if parent := w.watched[filepath.Dir(dir)]; parent != nil && filepath.Dir(dir) != dir {
		parent[dir] = true
	}
}

// drop forgets the watches of a folder and all below it.
func (w *watcher) drop(dir string) {
	for child := range w.watched[dir] {
		w.drop(child)
	}
	w.n.remove(dir)
	delete(w.watched, dir)
	delete(w.watched[filepath.Dir(dir)], dir)
}

// event takes in what the system says of one name.
func (w *watcher) event(ev fsnotify.Event) {
	path := filepath.Clean(ev.Name)
	wasDir := w.watched[path] != nil
	switch {
	case ev.Name == "", ev.Op&^fsnotify.Chmod == 0:
		return // reading, indexing and backing up change attributes
	case !w.concerns(path):
		if wasDir && (ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename)) {
			w.drop(path) // the folder of a root that is a file
			w.missing = true
		}
		return
	case wasDir && ev.Op&^(fsnotify.Chmod|fsnotify.Write) == 0:
		return // some systems say so of the folder of what changed
	}
	if !ev.Has(fsnotify.Create) && !ev.Has(fsnotify.Remove) && !ev.Has(fsnotify.Rename) {
		if w.opt.Ignore(path, false) {
			return
		}
		w.changed(path)
		return
	}
	dir := isDir(path)
	if slices.Contains(w.roots, path) {
		var exists bool
		dir, exists = isDirRoot(path)
		w.missing = w.missing || !exists
	} else if w.opt.Ignore(path, dir || wasDir) {
		return
	}
	if wasDir {
		w.drop(path)
	}
	if dir {
		w.addTree(path)
	}
	w.changed(path)
}

// concerns reports whether a path is a root or below one.
func (w *watcher) concerns(path string) bool {
	for _, root := range w.roots {
		if path == root || strings.HasPrefix(path, root) && (os.IsPathSeparator(path[len(root)]) || os.IsPathSeparator(root[len(root)-1])) {
			return true
		}
	}
	return false
}

// failed takes in an error of the notifier.
func (w *watcher) failed(err error) {
	if exhausted(err) {
		w.poll(why(err))
		return
	}
	// The queue has overflowed, or something as bad: start afresh.
	for path := range w.watched {
		w.n.remove(path)
	}
	clear(w.watched)
	w.addRoots()
	w.everything()
}
