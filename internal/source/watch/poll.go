package watch

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/docent-md/docent/internal/syserr"
)

// stamp is what of a file changes when it does.
type stamp struct {
	size int64
	time time.Time
	mode fs.FileMode
}

// share is how much of a processor polling may take: one part in this many.
const share = 50

// poll looks from now on, as the system does not tell.
func (w *watcher) poll(reason string) {
	if w.n != nil {
		w.n.close()
		w.n = nil
	}
	clear(w.watched)
	w.opt.Note(reason + ": looking for changes from time to time instead")
	w.seen = w.scan()
	w.everything()
}

// looks reports whether there is reason to look: while the system tells of all
// there is, there is none.
func (w *watcher) looks() bool { return w.n == nil || w.missing }

// interval is the time to the next look.
func (w *watcher) interval() time.Duration {
	switch {
	case !w.looks():
		return 1 << 62
	case w.n != nil:
		return w.opt.Poll
	}
	return max(w.opt.Poll, w.next)
}

// look finds what changed since the last look, or a root that came back.
func (w *watcher) look() {
	if w.n == nil {
		now := w.scan()
		for path, s := range now {
			if old, ok := w.seen[path]; !ok || old != s {
				w.changed(path)
			}
		}
		for path := range w.seen {
			if _, ok := now[path]; !ok {
				w.changed(path)
			}
		}
		w.seen = now
		return
	}
	if !w.missing {
		return
	}
	w.missing = false
	for _, root := range w.roots {
		dir, exists := isDirRoot(root)
		switch {
		case !exists:
			w.missing = true
		case dir && w.watched[root] == nil:
			w.addTree(root)
			w.changed(root)
		case !dir && w.watched[filepath.Dir(root)] == nil:
			w.add(filepath.Dir(root))
			w.changed(root)
		}
		if w.n == nil {
			return
		}
	}
}

// scan takes the stamps of all files below the roots.
func (w *watcher) scan() map[string]stamp {
	start := time.Now()
	found := make(map[string]stamp, len(w.seen))
	for _, root := range w.roots {
		if dir, _ := isDirRoot(root); dir {
			w.scanTree(root, found)
		} else if info, err := os.Stat(root); err == nil {
			found[root] = stamp{info.Size(), info.ModTime(), info.Mode()}
		}
	}
	w.next = share * time.Since(start)
	return found
}

func (w *watcher) scanTree(dir string, found map[string]stamp) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		if w.opt.Ignore(path, e.IsDir()) {
			continue
		}
		if e.IsDir() {
			w.scanTree(path, found)
		} else if info, err := e.Info(); err == nil {
			found[path] = stamp{info.Size(), info.ModTime(), info.Mode()}
		}
	}
}

// exhausted reports whether the system has no more watches, or no more files, to
// give; Linux calls that a full disk.
func exhausted(err error) bool {
	return syserr.Exhausted(err) || syserr.Full(err)
}

// why gives an error as its reader understands it: for the system, watches that
// run out are "no space left on device".
func why(err error) string {
	if exhausted(err) {
		return "the system has no more watches to give"
	}
	return err.Error()
}
