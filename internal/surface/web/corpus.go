package web

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/docent-md/docent"
)

// What is costly to learn of a corpus (its map, its health, a rendered document)
// is learnt once for each release of it and kept until the next. A release is
// what the index holds, not the Library that opened it: a server opens its
// library anew every few seconds and mostly finds that nothing has changed.
//
// What takes long is worked out in the background: a page waits a moment for it,
// and then says that it is being worked out.
const (
	maxKept   = 512 // things kept of a release; then those of one document or folder are let go
	moment    = 1500 * time.Millisecond
	maxLearn  = 2 * time.Minute
	maxAtOnce = 2 // long works of a corpus at a time
)

// errBusy is what a page is told when a moment was not enough.
var errBusy = errors.New("this is still being worked out")

type corpus struct {
	Corpus

	mu   sync.Mutex
	last *docent.Library // the one seen last, only ever compared
	mem  *memory
	busy int
}

// A memory is what was learnt of one release.
type memory struct {
	release string
	status  *docent.Status // of the library that was seen first

	mu    sync.Mutex
	jobs  map[string]*job
	names map[string]string // titles by path
}

// A job is something being learnt, or known when done is closed.
type job struct {
	done  chan struct{}
	value any
	err   error
}

// with runs fn with the newest library and what is known of its release.
func (c *corpus) with(ctx context.Context, fn func(*docent.Library, *memory) error) (note string, err error) {
	return c.Corpus.With(ctx, func(lib *docent.Library) error { return fn(lib, c.memory(lib)) })
}

// memory returns what is known of the release that a library shows.
func (c *corpus) memory(lib *docent.Library) *memory {
	c.mu.Lock()
	defer c.mu.Unlock()
	if lib == c.last {
		return c.mem
	}
	s := lib.Status()
	release := fmt.Sprint(s.Built.UnixNano(), s.Updated.UnixNano(), s.Files, s.Chunks, s.IndexSize, s.Segments, s.Model)
	c.last = lib
	if c.mem == nil || c.mem.release != release {
		c.mem = &memory{release: release, status: s, jobs: map[string]*job{}}
	}
	return c.mem
}

// titles are those of all documents, by path.
func (m *memory) titles(lib *docent.Library) (map[string]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.names != nil {
		return m.names, nil
	}
	list, err := lib.Files("")
	if err != nil {
		return nil, err
	}
	m.names = make(map[string]string, len(list.Files))
	for _, f := range list.Files {
		m.names[f.File] = f.Title
	}
	return m.names, nil
}

// start returns the job of that name, and whether the caller has to do it. Names
// with a space in them are of one document or folder, others of the whole.
func (m *memory) start(key string) (j *job, first bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if j = m.jobs[key]; j != nil {
		return j, false
	}
	if len(m.jobs) >= maxKept {
		maps.DeleteFunc(m.jobs, func(key string, _ *job) bool { return strings.Contains(key, " ") })
	}
	j = &job{done: make(chan struct{})}
	m.jobs[key] = j
	return j, true
}

// finish tells those who wait. A failure, and what shall not be kept, is
// forgotten, so that the next one to ask tries again.
func (m *memory) finish(key string, j *job, keep bool) {
	m.mu.Lock()
	if (j.err != nil || !keep) && m.jobs[key] == j {
		delete(m.jobs, key)
	}
	m.mu.Unlock()
	close(j.done)
}

// learn returns what fn finds out about the newest release. It waits a moment.
func learn[T any](ctx context.Context, c *corpus, key string, fn func(context.Context, *docent.Library) (T, error)) (T, error) {
	var none T
	var m *memory
	if _, err := c.with(ctx, func(_ *docent.Library, mem *memory) error { m = mem; return nil }); err != nil {
		return none, err
	}
	j, first := m.start(key)
	if first {
		if !c.enter() {
			j.err = errBusy
			m.finish(key, j, false)
			return none, errBusy
		}
		go func() {
			defer c.leave()
			long, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxLearn)
			defer cancel()
			defer func() {
				if p := recover(); p != nil {
					j.err = fmt.Errorf("panic: %v", p)
				}
				m.finish(key, j, true)
			}()
			_, j.err = c.With(long, func(lib *docent.Library) error {
				v, err := fn(long, lib)
				j.value = v
				return err
			})
		}()
	}
	wait := time.NewTimer(moment)
	defer wait.Stop()
	select {
	case <-j.done:
	case <-wait.C:
		return none, errBusy
	case <-ctx.Done():
		return none, ctx.Err()
	}
	if j.err != nil {
		return none, j.err
	}
	return j.value.(T), nil
}

// enter takes one of the places for long work, unless all are taken.
func (c *corpus) enter() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy == maxAtOnce {
		return false
	}
	c.busy++
	return true
}

func (c *corpus) leave() {
	c.mu.Lock()
	c.busy--
	c.mu.Unlock()
}

// soon is learn for what a page can do without.
func soon[T any](ctx context.Context, c *corpus, key string, fn func(context.Context, *docent.Library) (T, error)) T {
	brief, cancel := context.WithTimeout(ctx, moment/10)
	defer cancel()
	v, _ := learn(brief, c, key, fn)
	return v
}
