package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-md/docent"
)

// How the library is kept while clients ask.
//
// The server listens before its library is open. An index that lies ready is
// used at once, as it is, and compared with the files in the background; the
// first calls wait for that a moment, and are answered from the index as it is
// when it takes longer. Where there is no index yet, calls wait for it to be
// made, and are told so when that takes long: never that nothing was found.
//
// After that, a call that comes more than checkEvery after the last comparison
// starts another, and again waits for it only a moment. Where there are many
// files, or no index can be kept, that is done seldom. With a watch it is done when
// files change, and a call starts none while the watch stands. Files behind an
// answer are always compared, by the library itself.
const (
	checkEvery = 2 * time.Second
	seldom     = time.Minute
	manyFiles  = 2000
	patience   = 150 * time.Millisecond // for a comparison
	firstWait  = 20 * time.Second       // for an index; clients give up after 60 s or so
)

// A shelf holds the newest library, and closes older ones when their last
// reader is gone.
type shelf struct {
	open  func(context.Context, docent.Options) (*docent.Library, error)
	opts  docent.Options
	fixed bool // it cannot change
	once  bool // it is not opened again by itself
	stop  context.CancelFunc
	work  sync.WaitGroup
	renew chan struct{} // held by who writes the index

	every, patience, firstWait time.Duration // as the constants say

	files atomic.Int64 // read so far, while an index is made

	mu      sync.Mutex
	book    *book         // nil until there is one
	size    int           // files in it, as last counted
	busy    bool          // a library is being opened
	watched bool          // we are told when files change
	told    bool          // files have changed since a library was last opened
	err     error         // why the last opening failed
	checked time.Time     // when the last opening ended
	changed chan struct{} // closed, and replaced, when any of this changes
	ctx     context.Context
}

// A book is a library with its readers.
type book struct {
	lib     *docent.Library
	readers int
	old     bool
}

func newShelf(o Options) *shelf {
	s := &shelf{
		open: o.Open, fixed: o.Fixed, once: o.Fixed || o.NoRefresh, changed: make(chan struct{}), renew: make(chan struct{}, 1),
		every: checkEvery, patience: patience, firstWait: firstWait,
	}
	s.opts = docent.Options{
		Confirm:  !s.once,
		Note:     o.Note,
		Progress: func(p docent.Progress) { s.files.Store(int64(p.Files)) },
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.refresh()
	if o.Watch != nil && !s.once {
		s.work.Go(func() { s.watch(o.Watch) })
	}
	return s
}

// with runs fn with the newest library, taking in the files behind its answer
// that turn out to have changed. The note says how the answer may fall short,
// if it may.
func (s *shelf) with(ctx context.Context, fn func(*docent.Library) error) (note string, err error) {
	for round := range 5 {
		b, partial, err := s.take(ctx)
		if err != nil {
			return "", err
		}
		if again, err := s.try(ctx, b, round, fn); !again || err != nil {
			return partial, err
		}
	}
	return "", errors.New("files keep changing: try again")
}

// try runs fn with a library and releases it. Again is true when there is a
// better library by now. After some rounds all files are compared.
func (s *shelf) try(ctx context.Context, b *book, round int, fn func(*docent.Library) error) (again bool, err error) {
	defer s.release(b)
	err = fn(b.lib)
	stale, isStale := errors.AsType[*docent.StaleError](err)
	switch {
	case s.fixed:
		return false, err
	case isStale:
		return true, s.replace(ctx, b, func() (*docent.Library, error) {
			paths := stale.Paths
			if round == 2 {
				paths = nil
			}
			next, err := b.lib.RefreshFiles(ctx, paths, s.opts)
			if err == nil && next == b.lib && len(stale.Paths) > 0 { // an index in memory: it is made anew
				return s.open(ctx, s.opts)
			}
			return next, err
		})
	case docent.Damaged(err):
		s.opts.Note(fmt.Sprintf("the index is damaged and is made anew: %v", err))
		return true, s.replace(ctx, b, func() (*docent.Library, error) { return docent.Rebuild(ctx, b.lib, s.opts) })
	}
	return false, err
}

// replace puts a newer library in the place of b, unless someone else has or there
// is none.
func (s *shelf) replace(ctx context.Context, b *book, newer func() (*docent.Library, error)) error {
	select {
	case s.renew <- struct{}{}:
		defer func() { <-s.renew }()
	case <-ctx.Done():
		return ctx.Err()
	}
	s.mu.Lock()
	newest := s.book == b
	s.mu.Unlock()
	if !newest {
		return nil
	}
	next, err := newer()
	if err != nil || next == b.lib {
		return err
	}
	s.put(next)
	return nil
}

// errNoIndex is what a call is told while there is no index to answer from.
var errNoIndex = errors.New("the documents are still being indexed")

// take returns the newest library, which the caller must release. It waits for
// one, and a moment for a newer one.
func (s *shelf) take(ctx context.Context) (*book, string, error) {
	s.refresh()
	first := time.NewTimer(s.firstWait)
	defer first.Stop()
	var soon *time.Timer
	var impatient <-chan time.Time
	late := false
	for {
		s.mu.Lock()
		b, busy, failed, changed := s.book, s.busy, s.err, s.changed
		if b != nil && (!busy || late) {
			b.readers++
			s.mu.Unlock()
			return b, shortfall(busy, failed), nil
		}
		s.mu.Unlock()
		if b == nil && !busy {
			return nil, "", failed
		}
		if b == nil && late {
			return nil, "", fmt.Errorf("%w: %d files so far. This says nothing about what they hold: ask again in some seconds", errNoIndex, s.files.Load())
		}
		if b != nil && soon == nil {
			soon = time.NewTimer(s.patience)
			defer soon.Stop()
			impatient = soon.C
		}
		select {
		case <-changed:
		case <-first.C:
			late = true
		case <-impatient:
			late = true
		case <-ctx.Done():
			return nil, "", ctx.Err()
		}
	}
}

// count returns the number of files, if there is a library within a moment.
func (s *shelf) count() (int, bool) {
	moment := time.NewTimer(s.patience / 3)
	defer moment.Stop()
	for {
		s.mu.Lock()
		size, ready, busy, changed := s.size, s.book != nil, s.busy, s.changed
		s.mu.Unlock()
		if ready || !busy {
			return size, ready
		}
		select {
		case <-changed:
		case <-moment.C:
			return 0, false
		}
	}
}

// shortfall says how an answer may fall short of the files.
func shortfall(busy bool, failed error) string {
	switch {
	case busy:
		return "the index is being brought up to date: files that are new may be missing here"
	case failed != nil:
		return "the index could not be brought up to date: " + failed.Error()
	}
	return ""
}

func (s *shelf) release(b *book) {
	s.mu.Lock()
	b.readers--
	unused := b.old && b.readers == 0
	s.mu.Unlock()
	if unused {
		_ = b.lib.Close()
	}
}

// put makes a library the newest.
func (s *shelf) put(lib *docent.Library) {
	s.mu.Lock()
	last := s.book
	s.book = &book{lib: lib}
	s.tell()
	unused := false
	if last != nil {
		last.old = true
		unused = last.readers == 0
	}
	s.mu.Unlock()
	if unused {
		_ = last.lib.Close()
	}
}

// tell wakes those who wait. The lock must be held.
func (s *shelf) tell() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *shelf) close() error {
	s.stop()
	s.work.Wait()
	s.mu.Lock()
	b := s.book
	s.book = nil
	s.err = context.Canceled
	unused := b != nil && b.readers == 0
	if b != nil {
		b.old = true
	}
	s.tell()
	s.mu.Unlock()
	if unused {
		return b.lib.Close()
	}
	return nil
}
