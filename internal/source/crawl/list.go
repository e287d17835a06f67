package crawl

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A lister walks a tree with several workers. Each takes a folder and goes down
// from there depth first; half of the folders below that are left go to an idle
// worker if there is one. So few folders are open at a time, workers seldom wait
// for each other, and a small tree pays next to nothing for the others.
//
// Folders are read by way of the one above them, which spares the os.Root all
// elements of the path but the last. Only those with folders below are opened a
// second time, as a root for these; in a tree of documentation that is one in
// ten.
type lister struct {
	ctx    context.Context
	stop   context.CancelCauseFunc
	tree   *Tree
	max    int64
	config *Ignore // Options.Ignore
	preset *Ignore // DefaultIgnore
	named  named   // Options.Named
	tell   bool    // Options.Explain
	off    int     // length of the part of a path that is above the tree

	idle    chan []task    // to a worker that has nothing to do
	pending sync.WaitGroup // what was handed over and is not done

	mu  sync.Mutex
	out Listing
}

// A task is a folder to read.
type task struct {
	above  *handle
	name   string // in the folder above
	path   string // empty or ending in "/"
	rules  *rules // in force above
	strict bool   // left out by the rules: only what was named, or leads to it, is read
	left   *Skip  // why it is left out, if only its files are to be told of; with Options.Explain
	depth  int
}

// A handle is a folder that is open for as long as folders below it are read.
type handle struct {
	folder
	users atomic.Int32
}

func (h *handle) release() {
	if h.users.Add(-1) == 0 {
		h.Close()
	}
}

// List finds the Markdown files of the tree without opening any. Only what
// reading would show, that a file is no text, is not among the skipped.
func (t *Tree) List(ctx context.Context, o Options) (Listing, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	l := &lister{
		ctx:    ctx,
		stop:   stop,
		tree:   t,
		max:    o.maxSize(),
		config: ParseIgnore([]byte(strings.Join(o.Ignore, "\n"))),
		preset: ParseIgnore([]byte(DefaultIgnore)),
		named:  newNamed(o.Named),
		tell:   o.Explain,
		idle:   make(chan []task),
	}
	r, prefix, skipped := t.outside()
	l.off = len(prefix)
	l.out.Skipped = skipped

	var workers sync.WaitGroup
	for range o.workers() - 1 {
		workers.Go(func() {
			w := worker{lister: l}
			for tasks := range l.idle {
				w.folders(tasks)
				l.pending.Done()
			}
			l.merge(w.out)
		})
	}
	above := &handle{folder: nativeFolder(t.top, o.Known)}
	above.users.Store(1) // ours, never released: the tree stays open
	w := worker{lister: l}
	w.folder(task{above: above, name: ".", path: prefix, rules: r})
	l.merge(w.out)
	l.pending.Wait()
	close(l.idle)
	workers.Wait()

	if err := context.Cause(ctx); err != nil {
		return Listing{}, fmt.Errorf("crawl %s: %w", t.name(), err)
	}
	slices.SortFunc(l.out.Files, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	slices.SortStableFunc(l.out.Skipped, func(a, b Skip) int { return strings.Compare(a.Path, b.Path) })
	return l.out, nil
}

func (l *lister) merge(out Listing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(out.Files) > len(l.out.Files) { // the longer list grows, if it must
		l.out.Files, out.Files = out.Files, l.out.Files
	}
	l.out.Files = append(l.out.Files, out.Files...)
	l.out.Skipped = append(l.out.Skipped, out.Skipped...)
	l.out.Ignored += out.Ignored
}

// A worker reads folders, one at a time.
type worker struct {
	*lister
	out   Listing
	items []item // of the folder that is being read
}

// add keeps an entry for later: first the folder's .gitignore must be known.
func (w *worker) add(it item) { w.items = append(w.items, it) }

// folder reads one folder and all below it that no other worker takes.
func (w *worker) folder(t task) {
	if w.ctx.Err() != nil {
		return
	}
	from := len(w.items)
	if err := t.above.list(t.name, w.add); err != nil {
		w.failed(strings.TrimSuffix(t.path, "/"), err)
		if len(t.path) <= w.off {
			w.stop(cause(err)) // the tree itself: nothing to go on with
		}
	}
	to := len(w.items)
	w.obey(&t, w.items[from:])

	var below *handle
	var tasks []task
	unopened := false
	for i := from; i < to; i++ {
		it := w.items[i]
		if !it.kind.IsDir() {
			w.file(t, it)
			continue
		}
		path := t.path + it.name + "/"
		next := task{name: it.name, path: path, rules: t.rules, strict: t.strict, left: t.left, depth: t.depth + 1}
		if it.name == ".git" || !w.enters(&next, path[:len(path)-1]) || unopened {
			continue
		}
		if below == nil {
			if below = w.open(t); below == nil {
				unopened = true
				continue
			}
		}
		next.above = below
		below.users.Add(1)
		if tasks == nil {
			tasks = make([]task, 0, to-i)
		}
		tasks = append(tasks, next)
	}
	clear(w.items[from:])
	w.items = w.items[:from]
	w.folders(tasks)
	if below != nil {
		below.release()
	}
}

// folders reads folders, but for those that other workers take.
func (w *worker) folders(tasks []task) {
	for len(tasks) > 0 {
		if half := len(tasks) / 2; half > 0 {
			w.pending.Add(1)
			select {
			case w.idle <- tasks[half:]:
				tasks = tasks[:half]
				continue
			default:
				w.pending.Done()
			}
		}
		w.folder(tasks[0])
		tasks[0].above.release()
		tasks = tasks[1:]
	}
}

// obey adds to t the rules that stand in its folder itself.
func (w *worker) obey(t *task, items []item) {
	load := func(name string) {
		at := ""
		if t.name != "." {
			at = t.name + "/"
		}
		var skip *Skip
		if t.rules, skip = t.rules.load(t.above, at, t.path, name); skip != nil {
			w.skip(*skip)
		}
	}
	ignore := false
	for _, it := range items {
		switch {
		case it.name == ".gitignore":
			ignore = true
		case it.name == ".git" && (it.kind.IsDir() || it.kind.IsRegular()):
			t.rules = nil // the top of a repository
			load(exclude)
		}
	}
	if ignore {
		load(".gitignore")
	}
}

// open opens the folder of t so that those below can be read by way of it.
func (w *worker) open(t task) *handle {
	if t.name == "." {
		t.above.users.Add(1)
		return t.above
	}
	f, err := t.above.sub(t.name)
	if err != nil {
		w.failed(strings.TrimSuffix(t.path, "/"), err)
		return nil
	}
	h := &handle{folder: f}
	h.users.Store(1)
	return h
}
