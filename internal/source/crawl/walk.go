package crawl

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
)

// Walk reads the Markdown files of the tree, several at a time, and calls fn
// with each in path order, never two at once. The bytes are fn's to keep. The
// Listing holds what fn was given and all that was skipped.
//
// Walk stops when fn returns an error, which it then returns, or ctx ends. No
// more than a few megabytes, or a few files if they are larger, are read ahead
// of fn.
func (t *Tree) Walk(ctx context.Context, o Options, fn func(File) error) (Listing, error) {
	found, err := t.List(ctx, o)
	if err != nil {
		return Listing{}, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)

	workers := min(o.workers(), len(found.Files))
	todo := make(chan *run)
	ordered := make(chan *run, workers) // bounds how far the workers get ahead
	var done sync.WaitGroup
	for range workers {
		done.Go(func() {
			r := reader{top: t.top, max: o.maxSize()}
			defer r.closeFrom(0)
			for n := range todo {
				n.read(ctx, &r)
				close(n.done)
			}
		})
	}
	done.Go(func() {
		defer close(todo)
		defer close(ordered)
		for _, n := range runs(found.Files) {
			select {
			case <-ctx.Done():
				return
			case ordered <- n:
			}
			todo <- n
		}
	})

	out := Listing{Files: make([]Entry, 0, len(found.Files)), Skipped: found.Skipped, Ignored: found.Ignored}
	for n := range ordered {
		<-n.done
		if n.err != nil {
			stop(n.err)
		}
		for _, f := range n.files {
			if ctx.Err() != nil {
				break
			}
			if err := fn(f); err != nil {
				stop(err)
				break
			}
			out.Files = append(out.Files, f.Entry)
		}
		out.Skipped = append(out.Skipped, n.skipped...)
		n.files = nil
	}
	done.Wait()
	slices.SortStableFunc(out.Skipped, func(a, b Skip) int { return strings.Compare(a.Path, b.Path) })
	return out, context.Cause(ctx)
}

// A run is a stretch of files that one worker reads, so that it finds most of
// their folders still open.
type run struct {
	entries []Entry
	files   []File
	skipped []Skip
	err     error
	done    chan struct{}
}

// Files in a run, and bytes after which it ends.
const (
	runFiles = 32
	runBytes = 1 << 20
)

func runs(entries []Entry) []*run {
	var out []*run
	for len(entries) > 0 {
		n, size := 0, int64(0)
		for n < len(entries) && n < runFiles && size < runBytes {
			size += entries[n].Size
			n++
		}
		out = append(out, &run{entries: entries[:n], done: make(chan struct{})})
		entries = entries[n:]
	}
	return out
}

func (n *run) read(ctx context.Context, r *reader) {
	n.files = make([]File, 0, len(n.entries))
	for i, e := range n.entries {
		if ctx.Err() != nil {
			return
		}
		next := ""
		if i+1 < len(n.entries) {
			next = n.entries[i+1].Path
		}
		f, err := r.read(e.Path, next)
		if skip, ok := errors.AsType[*Skip](err); ok {
			n.skipped = append(n.skipped, *skip)
		} else if err != nil {
			n.err = err
			return
		} else {
			n.files = append(n.files, f)
		}
	}
}

// A reader reads files by paths of which each is close to the one before. It
// keeps a folder open while the next file is in it or below it too, so that the
// os.Root need not come all the way from the top for each.
type reader struct {
	top   folder
	max   int64
	names []string
	open  []folder // one for each name
}

// read reads the file at path; next is the path after it, or empty.
func (r *reader) read(path, next string) (File, error) {
	at, depth, from := r.top, 0, 0
	for {
		n := strings.IndexByte(path[from:], '/')
		if n < 0 {
			break
		}
		name := path[from : from+n]
		if depth < len(r.names) && r.names[depth] != name {
			r.closeFrom(depth)
		}
		if depth == len(r.names) {
			if !strings.HasPrefix(next, path[:from+n+1]) {
				break
			}
			f, err := at.sub(name)
			if err != nil {
				return File{}, readError(path, err)
			}
			r.names, r.open = append(r.names, name), append(r.open, f)
		}
		at = r.open[depth]
		depth++
		from += n + 1
	}
	return readChecked(at, path[from:], path, r.max)
}

func (r *reader) closeFrom(depth int) {
	for _, f := range r.open[depth:] {
		f.Close()
	}
	r.names, r.open = r.names[:depth], r.open[:depth]
}
