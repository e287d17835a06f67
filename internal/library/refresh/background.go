package refresh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/local"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// How a server refreshes its snapshot while clients ask.
//
// The server listens before its index is open. An existing index is used at once and
// refreshed in the background; the first calls wait up to RefreshWait for that, and
// are then answered from the index as it is. Without an index, calls wait up to
// BuildWait for the first build and then get ErrNoIndexYet: never an empty answer. The
// first build is by words, which answer while the vectors are made.
//
// After that, a call that comes more than Interval after the last refresh starts
// another, and again waits up to RefreshWait. Where comparing is not quick, or with an
// index in memory, which every refresh rebuilds, checkEvery applies. A watch starts a refresh
// when files change; while it works, calls start none. The files behind an answer are
// always compared.

// Background says how a snapshot is refreshed in the background. The zero value of each
// time means the default.
type Background struct {
	Interval    time.Duration // between refreshes; 0 means 2 s
	RefreshWait time.Duration // that a call waits for a refresh; 0 means 150 ms
	BuildWait   time.Duration // that a call waits for the first build; 0 means 20 s

	// Watch calls changed whenever files may have changed, until ctx ends; may be nil.
	Watch func(ctx context.Context, changed func()) error
}

const (
	interval    = 2 * time.Second
	refreshWait = 150 * time.Millisecond
	buildWait   = 20 * time.Second // clients give up after 60 s or so
)

// ErrNoIndexYet is what a call gets, wrapped, while there is no index to answer from.
var ErrNoIndexYet = errors.New("the documents are still being indexed")

// OpenInBackground returns at once; the index is opened, built and refreshed in the
// background.
func OpenInBackground(root string, o Options, b Background) *Live {
	return inBackground(func(ctx context.Context, o Options) (index, error) { return openRoot(ctx, root, o) }, o, b)
}

// OpenCorpusInBackground is OpenInBackground for what find returns, which is asked
// each time the index is opened.
func OpenCorpusInBackground(find func() (*corpus.Corpus, error), o Options, b Background) *Live {
	return inBackground(func(ctx context.Context, o Options) (index, error) {
		c, err := find()
		if err != nil {
			return nil, err
		}
		return openCorpus(ctx, c, o)
	}, o, b)
}

// OpenFixedInBackground opens a snapshot that never changes, and tries again when that
// fails.
func OpenFixedInBackground(open func(context.Context) (snapshot.Snapshot, error), o Options, b Background) *Live {
	return inBackground(func(ctx context.Context, _ Options) (index, error) {
		s, err := open(ctx)
		if err != nil {
			return nil, err
		}
		return fixed{Snapshot: s}, nil
	}, o, b)
}

func inBackground(open func(context.Context, Options) (index, error), o Options, b Background) *Live {
	k := &background{open: open, Background: b, stateChanged: make(chan struct{})}
	k.Interval, k.RefreshWait, k.BuildWait = cmp.Or(b.Interval, interval), cmp.Or(b.RefreshWait, refreshWait), cmp.Or(b.BuildWait, buildWait)
	o.Confirm = !o.NoRefresh
	given := o.Progress
	o.Progress = func(p corpus.Progress) {
		k.filesRead.Store(int64(p.Files))
		if given != nil {
			given(p)
		}
	}
	k.live = newLive(nil, o)
	k.live.refresher = k
	k.ctx, k.cancel = context.WithCancel(context.Background())
	k.refreshIfDue()
	if k.Watch != nil && !o.NoRefresh {
		k.work.Go(k.watch)
	}
	return k.live
}

// A refresher refreshes the snapshot of a Live.
type refresher interface {
	refreshIfDue()                   // starts a refresh in the background if it is time for one
	ready(ctx context.Context) error // waits until there is a snapshot to answer from
	shortfall() string               // says what an answer may lack now
	count() (files int, ok bool)
	stop()
}

// noRefresher leaves refreshing to the callers.
type noRefresher struct{ live *Live }

func (noRefresher) refreshIfDue()               {}
func (noRefresher) ready(context.Context) error { return nil }
func (noRefresher) shortfall() string           { return "" }
func (noRefresher) stop()                       {}

func (n noRefresher) count() (files int, ok bool) {
	err := Do(context.Background(), n.live, func(s snapshot.Snapshot) error {
		status, err := s.Status(context.Background())
		if err == nil {
			files = status.Files
		}
		return err
	})
	return files, err == nil
}

// RefreshIfDue starts a refresh in the background if it is time for one, so that several
// indexes can be refreshed at once before the first is waited for.
func (l *Live) RefreshIfDue() { l.refresher.refreshIfDue() }

// Shortfall says what an answer may lack because the index is being refreshed, or
// could not be; "" when nothing.
func (l *Live) Shortfall() string { return l.refresher.shortfall() }

// Count returns the number of files, unless the index is opened in the background and
// will not be open in a moment.
func (l *Live) Count() (files int, ok bool) { return l.refresher.count() }

// background refreshes a Live.
type background struct {
	Background
	live   *Live
	open   func(context.Context, Options) (index, error)
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup

	filesRead atomic.Int64 // by the build under way

	mu           sync.Mutex
	isOpen       bool
	static       bool          // it never changes
	slow         bool          // refreshing takes long
	files        int           // in the current snapshot
	refreshing   bool          // an index is being opened or refreshed
	watched      bool          // a watch reports changed files
	dirty        bool          // the watch has reported a change since the last refresh began
	err          error         // of the last refresh
	refreshed    time.Time     // when the last refresh ended
	stateChanged chan struct{} // closed, and replaced, when any of this changes
}

// ready starts a refresh if one is due, and waits for it: for RefreshWait at most when
// there is a snapshot, for BuildWait when there is none.
func (k *background) ready(ctx context.Context) error {
	k.refreshIfDue()
	late := k.await(ctx, k.BuildWait, func() bool { return k.isOpen || !k.refreshing })
	k.mu.Lock()
	isOpen, failed := k.isOpen, k.err
	k.mu.Unlock()
	if isOpen {
		late = k.await(ctx, k.RefreshWait, func() bool { return !k.refreshing })
	}
	switch {
	case late && ctx.Err() != nil:
		return ctx.Err()
	case isOpen:
		return nil
	case late:
		return fmt.Errorf("%w: %d files so far. This says nothing about what they hold: ask again in some seconds", ErrNoIndexYet, k.filesRead.Load())
	}
	return failed
}

// await waits until done, which is called with the lock, says so. It is late when ctx
// ends or the time is over before.
func (k *background) await(ctx context.Context, most time.Duration, done func() bool) (late bool) {
	timeout := time.NewTimer(most)
	defer timeout.Stop()
	for {
		k.mu.Lock()
		ok, stateChanged := done(), k.stateChanged
		k.mu.Unlock()
		if ok {
			return false
		}
		select {
		case <-stateChanged:
		case <-timeout.C:
			return true
		case <-ctx.Done():
			return true
		}
	}
}

func (k *background) shortfall() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.refreshing:
		return "the index is being refreshed: new files may be missing here"
	case k.err != nil:
		return "the index could not be refreshed: " + k.err.Error()
	}
	return ""
}

func (k *background) count() (files int, ok bool) {
	k.await(k.ctx, k.RefreshWait/3, func() bool { return k.isOpen || !k.refreshing })
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.isOpen {
		return int(k.filesRead.Load()), false
	}
	return k.files, true
}

// refreshIfDue starts a refresh in the background if it is time for one.
func (k *background) refreshIfDue() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.refreshing || !k.due() || k.ctx.Err() != nil {
		return
	}
	k.refreshing, k.dirty = true, false
	first := !k.isOpen
	k.work.Go(func() {
		err := segment.Guard(func() error { return k.refresh(first) })
		k.mu.Lock()
		defer k.mu.Unlock()
		k.refreshing, k.err, k.refreshed = false, err, time.Now()
		k.broadcast()
	})
}

// due reports whether it is time for a refresh. The caller holds the lock.
func (k *background) due() bool {
	every := k.Interval
	if k.slow {
		every = max(every, checkEvery)
	}
	recent := !k.refreshed.IsZero() && time.Since(k.refreshed) < every
	switch {
	case k.dirty:
		return true
	case !k.isOpen:
		return !recent
	case k.live.opts.NoRefresh, k.static, k.watched && k.err == nil:
		return false
	}
	return !recent
}

// watch refreshes the snapshot when files change, until it is stopped. If the watch
// fails, calls start refreshes, as without one.
func (k *background) watch() {
	k.setWatched(true)
	err := k.Watch(k.ctx, k.refreshChanged)
	k.setWatched(false)
	if k.ctx.Err() == nil {
		k.live.opts.notef("files are no longer watched: %v", err)
	}
}

func (k *background) setWatched(on bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.watched = on
}

// refreshChanged runs a refresh to its end, so that the watch reports what changes
// meanwhile by another call. It first waits for a refresh under way, which may have
// passed the changed files already.
func (k *background) refreshChanged() {
	k.wait()
	k.mu.Lock()
	k.dirty = true
	k.mu.Unlock()
	k.refreshIfDue()
	k.wait()
}

// wait returns when no refresh is under way.
func (k *background) wait() {
	k.await(k.ctx, math.MaxInt64, func() bool { return !k.refreshing })
}

// refresh replaces the current snapshot by a refreshed one. The first time it makes an
// existing index the current one before it compares the files.
func (k *background) refresh(first bool) (err error) {
	o := k.live.opts
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
		if err != nil && k.ctx.Err() == nil {
			o.notef("open: %v", err)
		}
	}()
	if first {
		began := time.Now()
		byWords := o
		byWords.DeferVectors = true
		i, err := k.openUnrefreshed(byWords)
		if err != nil {
			return err
		}
		needs := needsVectors(i, o)
		justBuilt := k.put(i, began)
		if o.NoRefresh || justBuilt && !needs {
			return nil
		}
	}
	i, err := k.openRefreshed(o)
	if err != nil {
		return err
	}
	k.put(i, time.Now())
	return nil
}

// openUnrefreshed opens the index as it is on disk, or builds it.
func (k *background) openUnrefreshed(o Options) (index, error) {
	o.NoRefresh = true
	return k.open(k.ctx, o)
}

// openRefreshed opens the index a second time and refreshes that one, while calls use
// the current one.
func (k *background) openRefreshed(o Options) (index, error) {
	k.live.writer <- struct{}{}
	defer func() { <-k.live.writer }()
	i, err := k.openUnrefreshed(o)
	if err != nil {
		return nil, err
	}
	next, err := i.refresh(k.ctx, o)
	if next != i {
		_ = i.Close()
	}
	if snapshot.Damaged(err) && k.ctx.Err() == nil {
		return i.rebuild(k.ctx, err, o)
	}
	return next, err
}

// put makes an index the current one, and notes whether refreshing it takes long. It reports
// whether the index was built since a time, or has no place to be stored.
func (k *background) put(i index, since time.Time) (justBuilt bool) {
	status, err := i.Status(k.ctx)
	took := stateOf(i).Took
	_ = k.live.swap(&ref{index: i})
	k.mu.Lock()
	defer k.mu.Unlock()
	k.isOpen = true
	k.static = i.home() == nil
	k.broadcast()
	if err != nil {
		return false
	}
	inMemory := status.Index == local.InMemory
	k.files = status.Files
	k.slow = inMemory || check{Took: took}.isSlow()
	return inMemory || k.static || status.Built.After(since)
}

// broadcast wakes everyone who waits for stateChanged. The caller holds the lock.
func (k *background) broadcast() {
	close(k.stateChanged)
	k.stateChanged = make(chan struct{})
}

func (k *background) stop() {
	k.mu.Lock() // no refresh begins after this, and those before it are waited for
	k.cancel()
	k.mu.Unlock()
	k.work.Wait()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.isOpen, k.err = false, context.Canceled
	k.broadcast()
}
