package mcp

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-md/docent"
)

// With a watch, files are compared when they change, and by no call.
func TestWatchedFilesAreComparedWhenTheyChange(t *testing.T) {
	dir, o := onDisk(t, map[string]string{"a.md": "# Alpha\n\nText about alpha.\n"})
	var opened atomic.Int32
	open := o.Open
	o.Open = func(ctx context.Context, opts docent.Options) (*docent.Library, error) {
		opened.Add(1)
		return open(ctx, opts)
	}
	changes, ended := make(chan func(), 1), make(chan struct{})
	o.Watch = func(ctx context.Context, changed func()) error {
		changed()
		changes <- changed
		<-ctx.Done()
		close(ended)
		return nil
	}
	s := newServer(t, o)
	cs := dial(t, s)
	changed := <-changes
	before := opened.Load()
	write(t, dir, "b.md", "# Beta\n\nA file about beta.\n")
	s.shelf.mu.Lock()
	s.shelf.checked = time.Unix(1, 0) // as if long ago
	s.shelf.mu.Unlock()
	if text, _ := call(t, cs, "search", object{"query": "beta"}); strings.Contains(text, "b.md") {
		t.Errorf("files were compared for a call: %q", text)
	}
	if n := opened.Load(); n != before {
		t.Errorf("the library was opened %d times more for a call", n-before)
	}
	changed()
	if text, _ := call(t, cs, "search", object{"query": "beta"}); !strings.Contains(text, "b.md") {
		t.Errorf("after the change was told of: %q", text)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	<-ended
}

// When a watch ends, calls compare the files again.
func TestWithoutItsWatchAServerLooksForItself(t *testing.T) {
	dir, o := onDisk(t, map[string]string{"a.md": "# Alpha\n\nText about alpha.\n"})
	noted := make(chan string, 10)
	o.Note = func(s string) { noted <- s }
	o.Watch = func(context.Context, func()) error { return errors.New("no watches left") }
	s := newServer(t, o)
	s.shelf.patience = time.Minute
	if note := <-noted; note != "files are no longer watched: no watches left" {
		t.Errorf("note: %q", note)
	}
	cs := dial(t, s)
	_, _ = call(t, cs, "search", object{"query": "alpha"})
	write(t, dir, "b.md", "# Beta\n\nA file about beta.\n")
	s.shelf.mu.Lock()
	s.shelf.checked = time.Unix(1, 0)
	s.shelf.mu.Unlock()
	if text, _ := call(t, cs, "search", object{"query": "beta"}); !strings.Contains(text, "b.md") {
		t.Errorf("after a new file: %q", text)
	}
}

// The real thing: a new file is found without anyone asking for a comparison.
func TestServerFollowsItsWatch(t *testing.T) {
	dir, o := onDisk(t, map[string]string{"a.md": "# Alpha\n\nText about alpha.\n"})
	var told atomic.Int32
	o.Watch = func(ctx context.Context, changed func()) error {
		return docent.Watch(ctx, dir, docent.WatchOptions{Debounce: 10 * time.Millisecond}, func() {
			changed()
			told.Add(1)
		})
	}
	s := newServer(t, o)
	cs := dial(t, s)
	for told.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	write(t, dir, "b.md", "# Beta\n\nA file about beta.\n")
	giveUp := time.Now().Add(time.Minute)
	for {
		text, _ := call(t, cs, "search", object{"query": "beta"})
		if strings.Contains(text, "b.md") {
			return
		}
		if time.Now().After(giveUp) {
			t.Fatalf("never seen: %q", text)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Named indexes are watched from the start, and compared with their files when
// these change.
func TestNamedIndexesAreWatched(t *testing.T) {
	changes := make(chan func(), 1)
	var root string
	s := project(t, func(o *Options, dir string) {
		root = dir
		if _, err := o.Catalogue.IndexDirectory(context.Background(), "api", "", filepath.Join(dir, "api"), docent.NamedOptions{}); err != nil {
			t.Fatal(err)
		}
		o.WatchIndex = func(ctx context.Context, name string, changed func()) error {
			if name != "api" {
				t.Errorf("%q is watched", name)
			}
			changed()
			changes <- changed
			<-ctx.Done()
			return nil
		}
	})
	changed := <-changes // before anything is asked
	cs := dial(t, s)
	write(t, root, "api/new.md", "# New\n\nA file about zebras.\n")
	shelf := s.named.byName["api"]
	shelf.mu.Lock()
	shelf.checked = time.Unix(1, 0) // as if long ago
	shelf.mu.Unlock()
	if text, _ := call(t, cs, "toc", object{"ref": "api:"}); strings.Contains(text, "new.md") {
		t.Errorf("files were compared for a call: %q", text)
	}
	changed()
	if text, _ := call(t, cs, "toc", object{"ref": "api:"}); !strings.Contains(text, "api:new.md") {
		t.Errorf("after the change was told of: %q", text)
	}
}
