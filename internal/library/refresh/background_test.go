package refresh

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// An opener is how a test opens an index in the background.
type opener func(context.Context, Options) (index, error)

// documents writes a file and returns its folder, and how its index is opened.
func documents(t *testing.T) (dir string, open opener) {
	t.Helper()
	dir = t.TempDir()
	store := filepath.Join(t.TempDir(), "index")
	add(t, dir, "a.md")
	return dir, func(ctx context.Context, o Options) (index, error) {
		c, err := corpus.Find(dir)
		if err != nil {
			return nil, err
		}
		c.IndexDir = store
		return openCorpus(ctx, c, o)
	}
}

// existing is documents with an index that lies ready.
func existing(t *testing.T) (dir string, open opener) {
	t.Helper()
	dir, open = documents(t)
	i, err := open(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := i.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, open
}

func add(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("# "+name+"\n\nText.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// keep opens an index in the background until the test ends.
func keep(t *testing.T, open opener, o Options, b Background) *Live {
	t.Helper()
	l := inBackground(open, o, b)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// paths are the documents that an answer would be made of now.
func paths(t *testing.T, l *Live) []string {
	t.Helper()
	var out []string
	err := Do(t.Context(), l, func(s snapshot.Snapshot) error {
		files, err := s.Files(t.Context(), "")
		for _, f := range files {
			out = append(out, f.File)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// settle waits until no refresh is under way.
func settle(l *Live) { l.refresher.(*background).wait() }

// A panic while a snapshot is in use must give the snapshot back.
func TestPanicReleasesTheSnapshot(t *testing.T) {
	_, open := documents(t)
	l := keep(t, open, Options{}, Background{})
	func() {
		defer func() { _ = recover() }()
		_ = Do(t.Context(), l, func(snapshot.Snapshot) error { panic("now") })
	}()
	settle(l)
	if n := l.current.users; n != 0 {
		t.Errorf("%d users left", n)
	}
}

// A snapshot that was replaced is closed when its last user has released it, and not
// before.
func TestReplacedSnapshotsAreClosedByTheirLastUser(t *testing.T) {
	dir, open := existing(t)
	l := keep(t, open, Options{}, Background{Interval: time.Nanosecond, RefreshWait: time.Minute})
	first, release, err := l.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	add(t, dir, "b.md")
	if got := paths(t, l); len(got) != 2 {
		t.Errorf("after a new file: %q", got)
	}
	if files, err := first.Files(t.Context(), ""); err != nil || len(files) != 1 {
		t.Errorf("who had it before: %v, %v", files, err)
	}
	r := first.(*ref)
	if !r.replaced || r.users != 1 {
		t.Errorf("replaced %v, %d users", r.replaced, r.users)
	}
	release()
	if r.users != 0 {
		t.Errorf("%d users left", r.users)
	}
}

// Without an index there is no answer, rather than an empty one.
func TestNoAnswerBeforeTheFirstBuild(t *testing.T) {
	_, open := documents(t)
	began, goOn := make(chan struct{}, 1), make(chan struct{})
	l := keep(t, func(ctx context.Context, o Options) (index, error) {
		o.Progress(corpus.Progress{Files: 17})
		select {
		case began <- struct{}{}:
		default: // a later refresh
		}
		select {
		case <-goOn:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return open(ctx, o)
	}, Options{}, Background{BuildWait: 5 * time.Millisecond})
	<-began
	_, _, err := l.Acquire(t.Context())
	if !errors.Is(err, ErrNoIndexYet) || !strings.Contains(err.Error(), "17 files so far") {
		t.Errorf("while it is built: %v", err)
	}
	if files, ok := l.Count(); ok {
		t.Errorf("while it is built there are %d files", files)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := l.Acquire(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("who does not wait: %v", err)
	}
	close(goOn)
	settle(l)
	if got := paths(t, l); !slices.Equal(got, []string{"a.md"}) {
		t.Errorf("afterwards: %q", got)
	}
	if files, ok := l.Count(); !ok || files != 1 {
		t.Errorf("afterwards there are %d files, %v", files, ok)
	}
}

// An index that lies ready answers while it is refreshed, and says so.
func TestShortfallWhileTheIndexIsRefreshed(t *testing.T) {
	dir, open := existing(t)
	goOn := make(chan struct{})
	var opened atomic.Int32
	l := keep(t, func(ctx context.Context, o Options) (index, error) {
		if opened.Add(1) > 1 { // for the comparison with the files
			select {
			case <-goOn:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return open(ctx, o)
	}, Options{}, Background{Interval: time.Hour, RefreshWait: time.Millisecond})
	add(t, dir, "b.md")
	if got := paths(t, l); !slices.Equal(got, []string{"a.md"}) {
		t.Errorf("before the files are compared: %q", got)
	}
	if s := l.Shortfall(); !strings.Contains(s, "being refreshed") {
		t.Errorf("it lacks %q", s)
	}
	close(goOn)
	settle(l)
	if got, s := paths(t, l), l.Shortfall(); s != "" || len(got) != 2 {
		t.Errorf("afterwards: %q, lacking %q", got, s)
	}
}

// A refresh that fails leaves the last index to answer from, and is tried again.
func TestAFailedRefreshIsTriedAgain(t *testing.T) {
	_, open := existing(t)
	var broken atomic.Bool
	noted := make(chan string, 1000)
	l := keep(t, func(ctx context.Context, o Options) (index, error) {
		if broken.Load() {
			return nil, errors.New("no luck")
		}
		return open(ctx, o)
	}, Options{Note: func(s string) { noted <- s }}, Background{Interval: time.Nanosecond, RefreshWait: time.Minute})
	paths(t, l)
	broken.Store(true)
	if got := paths(t, l); len(got) != 1 {
		t.Errorf("got %q", got)
	}
	if s := l.Shortfall(); !strings.Contains(s, "could not be refreshed: ") {
		t.Errorf("it lacks %q", s)
	}
	if s := <-noted; s != "open: no luck" {
		t.Errorf("note: %q", s)
	}
	broken.Store(false)
	paths(t, l)
	if s := l.Shortfall(); s != "" {
		t.Errorf("afterwards it lacks %q", s)
	}
}

// With a watch, files are compared when they change, and by no call.
func TestWatchedFilesAreComparedWhenTheyChange(t *testing.T) {
	dir, open := documents(t)
	var opened atomic.Int32
	changes, ended := make(chan func(), 1), make(chan struct{})
	l := keep(t, func(ctx context.Context, o Options) (index, error) {
		opened.Add(1)
		return open(ctx, o)
	}, Options{}, Background{Interval: time.Nanosecond, RefreshWait: time.Minute, Watch: func(ctx context.Context, changed func()) error {
		changed()
		changes <- changed
		<-ctx.Done()
		close(ended)
		return nil
	}})
	changed := <-changes
	before := opened.Load()
	add(t, dir, "b.md")
	if got := paths(t, l); slices.Contains(got, "b.md") {
		t.Errorf("files were compared for a call: %q", got)
	}
	if n := opened.Load(); n != before {
		t.Errorf("the index was opened %d times more for a call", n-before)
	}
	changed()
	if got := paths(t, l); !slices.Contains(got, "b.md") {
		t.Errorf("after the change was told of: %q", got)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	<-ended
}

// When a watch ends, calls compare the files again.
func TestWithoutItsWatchCallsCompareFiles(t *testing.T) {
	dir, open := documents(t)
	noted := make(chan string, 10)
	l := keep(t, open, Options{Note: func(s string) { noted <- s }}, Background{
		Interval: time.Nanosecond, RefreshWait: time.Minute,
		Watch: func(context.Context, func()) error { return errors.New("no watches left") },
	})
	if note := <-noted; note != "files are no longer watched: no watches left" {
		t.Errorf("note: %q", note)
	}
	paths(t, l)
	add(t, dir, "b.md")
	if got := paths(t, l); !slices.Contains(got, "b.md") {
		t.Errorf("after a new file: %q", got)
	}
}

// What was closed answers nothing, and starts nothing.
func TestClosedInTheBackground(t *testing.T) {
	_, open := documents(t)
	var opened atomic.Int32
	l := inBackground(func(ctx context.Context, o Options) (index, error) {
		opened.Add(1)
		return open(ctx, o)
	}, Options{}, Background{Interval: time.Nanosecond})
	paths(t, l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	before := opened.Load()
	if _, _, err := l.Acquire(t.Context()); err == nil {
		t.Error("a closed index answers")
	}
	if n := opened.Load(); n != before {
		t.Errorf("it was opened %d times more", n-before)
	}
}
