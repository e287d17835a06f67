package refresh

import (
	"context"
	"errors"
	"sync"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// A Holder has the newest snapshot of one or several indexes.
type Holder interface {
	// Acquire returns the newest snapshot, to be released after use.
	Acquire(ctx context.Context) (s snapshot.Snapshot, release func(), err error)

	// Repair replaces what err says is stale or damaged, and reports whether it is worth
	// asking again. After some rounds all documents are compared, not only those that
	// were found stale. An error that is about something else is returned as it is.
	Repair(ctx context.Context, s snapshot.Snapshot, err error, round int) (again bool, _ error)
}

// maxRounds is how often a question is asked before it is given up: files that change
// faster than they can be indexed cannot be cited.
const maxRounds = 5

// Do runs ask on the newest snapshot. Where documents behind the answer turn out to
// have changed, or the index to be damaged, it refreshes or rebuilds and asks again.
func Do(ctx context.Context, h Holder, ask func(snapshot.Snapshot) error) error {
	for round := range maxRounds {
		again, err := try(ctx, h, round, ask)
		if !again || err != nil {
			return err
		}
	}
	return answer.ErrStale
}

func try(ctx context.Context, h Holder, round int, ask func(snapshot.Snapshot) error) (again bool, err error) {
	s, release, err := h.Acquire(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	if err = s.Intact(); err == nil {
		err = segment.Guard(func() error { return ask(s) })
		if replaced := s.Intact(); replaced != nil { // whatever was read is not to be trusted
			err = replaced
		}
	}
	if err != nil {
		return h.Repair(ctx, s, err, round)
	}
	return false, nil
}

// guarded returns what open returns. A fault on a mapped file is an error: see
// segment.Guard.
func guarded(open func() (index, error)) (i index, err error) {
	err = segment.Guard(func() (err error) {
		i, err = open()
		return err
	})
	return i, err
}

// A Live holds the newest snapshot of a corpus, and closes older ones when their last
// user has released them. It may be used by many goroutines at once.
type Live struct {
	opts      Options
	writer    chan struct{} // a lock with a context, for replacing the snapshot
	refresher refresher     // refreshes it in the background, for a server

	mu       sync.Mutex
	current  *ref   // nil until the first is open, and once it is closed
	onChange func() // called when there is a new snapshot; may be nil
}

// A ref is an open index with the number of its users.
type ref struct {
	index
	users    int
	replaced bool // the last user closes it
}

func newLive(i index, o Options) *Live {
	l := &Live{opts: o, writer: make(chan struct{}, 1)}
	l.refresher = noRefresher{l}
	if i != nil {
		l.current = &ref{index: i}
	}
	return l
}

// Open opens what a root names: a folder of documents, the folder of an index, a
// packed file, or "" for the project that contains the working directory. An index is
// built when there is none, and refreshed when files have changed.
func Open(ctx context.Context, root string, o Options) (*Live, error) {
	i, err := guarded(func() (index, error) { return openRoot(ctx, root, o) })
	if err != nil {
		return nil, err
	}
	return newLive(i, o), nil
}

// OpenCorpus opens the index of a corpus.
func OpenCorpus(ctx context.Context, c *corpus.Corpus, o Options) (*Live, error) {
	i, err := guarded(func() (index, error) { return openCorpus(ctx, c, o) })
	if err != nil {
		return nil, err
	}
	return newLive(i, o), nil
}

// Fixed holds a snapshot that never changes.
func Fixed(s snapshot.Snapshot) *Live { return newLive(fixed{Snapshot: s}, Options{}) }

// Acquire returns the newest snapshot, to be released after use.
func (l *Live) Acquire(ctx context.Context) (snapshot.Snapshot, func(), error) {
	r, err := l.acquire(ctx)
	if err != nil {
		return nil, nil, err
	}
	return r, func() { l.release(r) }, nil
}

func (l *Live) acquire(ctx context.Context) (*ref, error) {
	if err := l.refresher.ready(ctx); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current == nil {
		return nil, errClosed
	}
	l.current.users++
	return l.current, nil
}

func (l *Live) release(r *ref) {
	l.mu.Lock()
	r.users--
	unused := r.replaced && r.users == 0
	l.mu.Unlock()
	if unused {
		_ = r.Close()
	}
}

// Repair replaces the snapshot when err says that documents behind it are stale, or
// that it is damaged or was replaced.
func (l *Live) Repair(ctx context.Context, s snapshot.Snapshot, err error, round int) (again bool, _ error) {
	r, ok := s.(*ref)
	if !ok {
		return false, err
	}
	if stale, ok := errors.AsType[*snapshot.StaleError](err); ok {
		paths, all, ours := stale.Of(r.home())
		if !ours {
			return false, err
		}
		if all || round == 2 { // there seem to be many
			paths = nil
		}
		return true, l.replace(ctx, r, func() (index, error) {
			next, err := guarded(func() (index, error) { return r.refreshFiles(ctx, paths, l.opts) })
			if snapshot.Damaged(err) {
				return r.rebuild(ctx, err, l.opts)
			}
			return next, err
		})
	}
	if errors.Is(err, segment.ErrReplaced) {
		return true, l.replace(ctx, r, func() (index, error) { return r.reopen(ctx, l.opts) })
	}
	if snapshot.Damaged(err) {
		return true, l.replace(ctx, r, func() (index, error) { return r.rebuild(ctx, err, l.opts) })
	}
	return false, err
}

// RepairDamaged replaces the snapshot if its files were replaced, or if reading all of it
// shows that it is damaged.
func (l *Live) RepairDamaged(ctx context.Context, s snapshot.Snapshot, err error) (repaired bool, _ error) {
	r, ok := s.(*ref)
	if !ok {
		return false, nil
	}
	if replaced := r.Intact(); replaced != nil {
		return l.Repair(ctx, r, replaced, 0)
	}
	if r.verify() == nil {
		return false, nil
	}
	return true, l.replace(ctx, r, func() (index, error) { return r.rebuild(ctx, err, l.opts) })
}

// Refresh compares all documents with the index, and indexes what has changed.
func (l *Live) Refresh(ctx context.Context) error {
	r, err := l.acquire(ctx)
	if err != nil {
		return err
	}
	defer l.release(r)
	return l.replace(ctx, r, func() (index, error) { return r.refresh(ctx, l.opts) })
}

// EnsureVectors adds the vectors that a new index was built without. Where that fails, as
// for an index that cannot be written, there are none: search goes by words then. What is
// refreshed in the background gets them there.
func (l *Live) EnsureVectors(ctx context.Context) error {
	if _, waits := l.refresher.(noRefresher); !waits {
		return nil
	}
	r, err := l.acquire(ctx)
	if err != nil {
		return err
	}
	defer l.release(r)
	o := l.opts
	o.DeferVectors = false
	if o.NoRefresh || !needsVectors(r.index, o) {
		return nil
	}
	if err := l.replace(ctx, r, func() (index, error) { return r.refresh(ctx, o) }); err != nil && ctx.Err() == nil {
		o.notef("the index gets no vectors for now: %v", err)
	}
	return ctx.Err()
}

// replace makes what newer returns the current snapshot, unless r has been replaced
// already.
func (l *Live) replace(ctx context.Context, r *ref, newer func() (index, error)) error {
	select {
	case l.writer <- struct{}{}:
		defer func() { <-l.writer }()
	case <-ctx.Done():
		return ctx.Err()
	}
	l.mu.Lock()
	replaced := l.current != r
	l.mu.Unlock()
	if replaced {
		return nil
	}
	next, err := guarded(newer)
	if err != nil || next == r.index {
		return err
	}
	_ = l.swap(&ref{index: next})
	return nil
}

// swap makes next the current snapshot. The last one is closed now, or when its last
// user releases it.
func (l *Live) swap(next *ref) error {
	l.mu.Lock()
	last := l.current
	l.current = next
	unused := last != nil && last.users == 0
	if last != nil {
		last.replaced = true
	}
	changed := l.onChange
	l.mu.Unlock()
	if changed != nil && next != nil {
		go changed()
	}
	if unused {
		return last.Close()
	}
	return nil
}

// OnChange has fn called, in a goroutine of its own, whenever there is a new snapshot:
// documents may have changed.
func (l *Live) OnChange(fn func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onChange = fn
}

// Close closes the snapshot when its last user has released it.
func (l *Live) Close() error {
	l.refresher.stop()
	return l.swap(nil)
}
