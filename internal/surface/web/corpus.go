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
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/surface/web/pictures"
	"github.com/docent-md/docent/internal/surface/web/sitetree"
)

// What is costly to compute (the map, the health report, a rendered document) is
// cached for one release of a corpus: a state of its index. A library moves on to the
// next by itself, so that a value may be of a later release than its cache, which is
// then replaced, but never of an earlier one.
//
// Long computations run in the background: a page waits a moment for one, and then
// says that it is under way and reloads itself.
const (
	maxCached    = 512 // values of a release; then those of single documents and folders are evicted
	pageWait     = 1500 * time.Millisecond
	maxCompute   = 2 * time.Minute
	maxComputing = 3 // computations of a corpus at a time
)

// errBusy is returned when a computation takes longer than a page waits.
var errBusy = errors.New("this is still being computed")

type corpus struct {
	Corpus

	wait      time.Duration // that a page waits for a computation
	computing chan struct{} // has room for maxComputing

	mu       sync.Mutex
	current  *releaseCache
	pictures *pictures.Folder
}

// A release is what one request gets of a corpus.
type release struct {
	lib    *docent.Library
	status *answer.Status
	cache  *releaseCache
	corpus *corpus
}

// A releaseCache holds what was computed of one release.
type releaseCache struct {
	id string

	mu   sync.Mutex
	jobs map[string]*job
	tree *sitetree.Tree
}

// A job is one value of a cache, which is there when done is closed.
type job struct {
	done  chan struct{}
	value any
	err   error
}

func (c *corpus) release(ctx context.Context) (*release, error) {
	lib, err := c.Library(ctx)
	if err != nil {
		return nil, err
	}
	s, err := lib.Status(ctx, answer.StatusOptions{})
	if err != nil {
		return nil, err
	}
	id := fmt.Sprint(s.Built.UnixNano(), s.Updated.UnixNano(), s.Files, s.Chunks, s.IndexSize, s.Segments, s.Model)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == nil || c.current.id != id {
		c.current = &releaseCache{id: id, jobs: map[string]*job{}}
	}
	return &release{lib, s, c.current, c}, nil
}

// tree returns the tree of all documents.
func (r *release) tree(ctx context.Context) (*sitetree.Tree, error) {
	m := r.cache
	m.mu.Lock()
	tree := m.tree
	m.mu.Unlock()
	if tree != nil {
		return tree, nil
	}
	list, err := r.lib.Files(ctx, "")
	if err != nil {
		return nil, err
	}
	tree = sitetree.New(list.Files, r.order(ctx, list.Files))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tree = tree
	return tree, nil
}

// start returns the job for a key, and whether the caller has to do it. Keys with a
// space belong to one document or folder, others to the whole corpus.
func (m *releaseCache) start(key string) (j *job, first bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if j = m.jobs[key]; j != nil {
		return j, false
	}
	if len(m.jobs) >= maxCached {
		maps.DeleteFunc(m.jobs, func(key string, _ *job) bool { return strings.Contains(key, " ") })
	}
	j = &job{done: make(chan struct{})}
	m.jobs[key] = j
	return j, true
}

// finish wakes those who wait for a job. Failures, and values with keep unset, are not
// cached, so that the next request tries again.
func (m *releaseCache) finish(key string, j *job, keep bool) {
	m.mu.Lock()
	if (j.err != nil || !keep) && m.jobs[key] == j {
		delete(m.jobs, key)
	}
	m.mu.Unlock()
	close(j.done)
}

// drop takes the value of a job out of the cache.
func (m *releaseCache) drop(key string, j *job) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.jobs[key] == j {
		delete(m.jobs, key)
	}
}

// compute returns the cached value of fn for a release. It waits a moment for a value
// that is not there yet, and returns errBusy after that.
func compute[T any](ctx context.Context, r *release, key string, fn func(context.Context, *docent.Library) (T, error)) (T, error) {
	var none T
	c, m := r.corpus, r.cache
	j, first := m.start(key)
	if first {
		select {
		case c.computing <- struct{}{}:
		default:
			j.err = errBusy
			m.finish(key, j, false)
			return none, errBusy
		}
		go func() {
			defer func() { <-c.computing }()
			long, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxCompute)
			defer cancel()
			defer func() {
				if p := recover(); p != nil {
					j.err = fmt.Errorf("panic: %v", p)
				}
				m.finish(key, j, true)
			}()
			j.value, j.err = fn(long, r.lib)
		}()
	}
	wait := time.NewTimer(c.wait)
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

// computeSoon is compute for what a page can do without: it waits a tenth as long and
// returns the zero value if there is none.
func computeSoon[T any](ctx context.Context, r *release, key string, fn func(context.Context, *docent.Library) (T, error)) T {
	brief, cancel := context.WithTimeout(ctx, r.corpus.wait/10)
	defer cancel()
	v, _ := compute(brief, r, key, fn)
	return v
}
