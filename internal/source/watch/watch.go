// Package watch tells when files below some folders change.
//
// The system is asked to say so (fsnotify: inotify, kqueue, ReadDirectoryChangesW),
// one watch a folder. Where it cannot, because watches ran out or the file system
// is a network's, the folders are looked at from time to time instead.
//
// What is told is where to look, never what happened there: a path may be told
// of that did not change, and it may be gone. A path that did change is always
// told of, itself or a folder above it, after it changed.
package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Options tune a watch. The zero value is a good default.
type Options struct {
	// Debounce is how long it must be quiet before changes are told of, so that
	// a save in several steps and a checkout of many files are one change; 0 means
	// 100 ms. Where it is never quiet, they are told of after 20 times as long.
	Debounce time.Duration

	// Poll is how often folders are looked at where the system does not tell;
	// 0 means 2 seconds. Large trees are looked at less often, so that it takes
	// at most a fiftieth of a processor.
	Poll time.Duration

	// Ignore leaves out a file, or a folder with all below it. nil ignores
	// nothing. It is called from one goroutine at a time.
	Ignore func(path string, isDir bool) bool

	// Note is told, in a sentence, when folders are polled, and why.
	Note func(string)

	open func() (*notifier, error) // fsnotify, unless a test has another
}

func (o Options) withDefaults() Options {
	if o.Debounce <= 0 {
		o.Debounce = 100 * time.Millisecond
	}
	if o.Poll <= 0 {
		o.Poll = 2 * time.Second
	}
	if o.Ignore == nil {
		o.Ignore = func(string, bool) bool { return false }
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	if o.open == nil {
		o.open = openNotifier
	}
	return o
}

// A Change says where to look.
type Change struct {
	Paths []string // absolute, sorted; a folder stands for all below it
	All   bool     // anything may have changed; Paths is then empty
}

// maxPaths is how many paths are kept apart before all is said to have changed.
const maxPaths = 20_000

// slack is how many times Debounce a change may wait for quiet.
const slack = 20

// Watch calls fn for changes below roots, which are folders or files and need
// not exist yet, until ctx ends; it then returns nil. The first call says All,
// and is made when the watch stands: what happened before is for the caller to
// find. There is one call at a time; what changes during it is told of by the
// next. Symbolic links are not followed, but a root may be one.
func Watch(ctx context.Context, roots []string, o Options, fn func(Change)) error {
	w := &watcher{opt: o.withDefaults(), watched: map[string]map[string]bool{}, pending: map[string]bool{}}
	for _, root := range roots {
		abs, err := filepath.Abs(root)
		if err != nil {
			return fmt.Errorf("watch %s: %w", root, err)
		}
		w.roots = append(w.roots, abs)
	}
	slices.Sort(w.roots)
	w.roots = slices.Compact(w.roots)
	if len(w.roots) == 0 {
		return errors.New("watch: no folders")
	}
	w.start()
	defer w.close()
	return w.run(ctx, fn)
}

// watcher is one watch under way. All but fn runs in one goroutine.
type watcher struct {
	opt     Options
	roots   []string
	n       *notifier                  // nil while polling
	watched map[string]map[string]bool // folders that the system tells of, and those of them that lie in each
	missing bool                       // some root is not there
	seen    map[string]stamp
	next    time.Duration // until the next look

	pending map[string]bool
	all     bool
	news    bool      // something became pending just now
	first   time.Time // when the oldest of what is pending came
}

// start sets up watches, or the first look.
func (w *watcher) start() {
	w.all, w.first = true, time.Now()
	for _, root := range w.roots {
		if remote(root) {
			w.poll(root + " lies on a file system that does not tell of changes")
			return
		}
	}
	n, err := w.opt.open()
	if err != nil {
		w.poll(fmt.Sprintf("the system cannot tell of changes (%v)", err))
		return
	}
	w.n = n
	w.addRoots()
}

func (w *watcher) close() {
	if w.n != nil {
		w.n.close()
	}
}

// run gathers changes and tells of them.
func (w *watcher) run(ctx context.Context, fn func(Change)) error {
	quiet := time.NewTimer(0) // the first call comes at once
	look := time.NewTimer(w.interval())
	done := make(chan struct{}, 1)
	busy, due := false, false
	defer func() {
		quiet.Stop()
		look.Stop()
		if busy {
			<-done
		}
	}()
	tell := func() {
		if c, ok := w.drain(); ok {
			busy, due = true, false
			go func() {
				defer func() { done <- struct{}{} }()
				fn(c)
			}()
		}
	}
	looking := w.looks()
	for {
		before := len(w.pending) > 0 || w.all
		w.news = false
		select {
		case <-ctx.Done():
			return nil
		case told, ok := <-w.n.notices():
			w.hear(told, ok)
		case <-look.C:
			w.look()
			look.Reset(w.interval())
		case <-quiet.C:
			if due = true; !busy {
				tell()
			}
			continue
		case <-done:
			if busy = false; due {
				tell()
			}
			continue
		}
		if looking != w.looks() {
			looking = !looking
			look.Reset(w.interval())
		}
		if !w.news {
			continue
		}
		if !before {
			w.first = time.Now()
		}
		quiet.Reset(min(w.opt.Debounce, max(0, time.Until(w.first.Add(slack*w.opt.Debounce)))))
	}
}

// hear takes in what the system tells, or that it tells no more.
func (w *watcher) hear(told notice, ok bool) {
	switch {
	case !ok:
		w.poll("the system stopped telling of changes")
	case told.err != nil:
		w.failed(told.err)
	default:
		w.event(told.event)
	}
}

// drain returns what is pending and forgets it.
func (w *watcher) drain() (Change, bool) {
	if !w.all && len(w.pending) == 0 {
		return Change{}, false
	}
	c := Change{All: w.all}
	if !w.all {
		for p := range w.pending {
			c.Paths = append(c.Paths, p)
		}
		slices.Sort(c.Paths)
	}
	w.all = false
	w.pending = map[string]bool{}
	return c, true
}

// changed makes a path pending.
func (w *watcher) changed(path string) {
	w.news = true
	if w.all {
		return
	}
	if w.pending[path] = true; len(w.pending) > maxPaths {
		w.everything()
	}
}

func (w *watcher) everything() {
	w.all, w.news = true, true
	clear(w.pending)
}

// isDir reports whether path is a folder, and not a link to one.
func isDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// isDirRoot does so for a root, which may be a link.
func isDirRoot(path string) (dir, exists bool) {
	info, err := os.Stat(path)
	return err == nil && info.IsDir(), err == nil
}
