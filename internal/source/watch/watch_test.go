package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// patience is how long a test waits for what must come. It is never reached
// unless something is broken.
const patience = 60 * time.Second

// watched is a watch under way, and what it told.
type watched struct {
	*testing.T
	root   string
	mu     sync.Mutex
	told   map[string]bool
	all    int
	calls  int
	notes  []string
	inside bool
	change chan struct{}
	stop   func()
}

func start(t *testing.T, o Options, roots ...string) *watched {
	t.Helper()
	w := &watched{T: t, told: map[string]bool{}, change: make(chan struct{}, 1)}
	if len(roots) == 0 {
		roots = []string{t.TempDir()}
	}
	w.root = roots[0]
	o.Debounce = 5 * time.Millisecond
	if o.Poll == 0 {
		o.Poll = 10 * time.Millisecond
	}
	o.Note = func(s string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.notes = append(w.notes, s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Watch(ctx, roots, o, w.take) }()
	w.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(w.stop)
	w.wait("the first call", func() bool { return w.all > 0 })
	w.forget()
	return w
}

func (w *watched) take(c Change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.inside {
		w.Error("two calls at once")
	}
	w.inside = true
	defer func() { w.inside = false }()
	w.calls++
	if c.All {
		w.all++
	}
	for _, p := range c.Paths {
		w.told[p] = true
	}
	select {
	case w.change <- struct{}{}:
	default:
	}
}

func (w *watched) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told, w.all = map[string]bool{}, 0
}

// wait waits until what was told so far fulfils a condition.
func (w *watched) wait(what string, ok func() bool) {
	w.Helper()
	deadline := time.After(patience)
	for {
		w.mu.Lock()
		good := ok()
		w.mu.Unlock()
		if good {
			return
		}
		select {
		case <-w.change:
		case <-deadline:
			w.mu.Lock()
			defer w.mu.Unlock()
			w.Fatalf("waited in vain for %s; told of %d paths, all %d times, notes %q", what, len(w.told), w.all, w.notes)
		}
	}
}

// toldOf reports whether a path itself was told of.
func (w *watched) toldOf(path string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.told[filepath.Join(w.root, path)]
}

func (w *watched) noted() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.notes)
}

// covered reports whether a path, or a folder above it, was told of.
func (w *watched) covered(path string) bool {
	if w.all > 0 {
		return true
	}
	for p := path; ; p = filepath.Dir(p) {
		if w.told[p] {
			return true
		}
		if p == filepath.Dir(p) {
			return false
		}
	}
}

func (w *watched) waitFor(paths ...string) {
	w.Helper()
	for _, p := range paths {
		w.wait(p, func() bool { return w.covered(filepath.Join(w.root, p)) })
	}
}

func (w *watched) write(path, text string) {
	w.Helper()
	path = filepath.Join(w.root, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.Fatal(err)
	}
}

func (w *watched) rename(from, to string) {
	w.Helper()
	if err := os.Rename(filepath.Join(w.root, from), filepath.Join(w.root, to)); err != nil {
		w.Fatal(err)
	}
}

func (w *watched) remove(path string) {
	w.Helper()
	if err := os.RemoveAll(filepath.Join(w.root, path)); err != nil {
		w.Fatal(err)
	}
}

// both runs a test with the system telling and with polling.
func both(t *testing.T, test func(t *testing.T, o Options)) {
	t.Run("told", func(t *testing.T) { test(t, Options{}) })
	t.Run("polled", func(t *testing.T) {
		test(t, Options{open: func() (*notifier, error) { return nil, syscall.EMFILE }})
	})
}

func TestChangesAreTold(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		w := start(t, o)
		for _, step := range []struct {
			name string
			do   func()
			want []string
		}{
			{"a new file", func() { w.write("a.md", "1") }, []string{"a.md"}},
			{"a changed file", func() { w.write("a.md", "22") }, []string{"a.md"}},
			{"an atomic save", func() { w.write("a.md.tmp", "333"); w.rename("a.md.tmp", "a.md") }, []string{"a.md"}},
			{"a save by way of a backup", func() { w.rename("a.md", "a.md~"); w.write("a.md", "4444") }, []string{"a.md"}},
			{"a new folder", func() { w.write("x/y/z/b.md", "1") }, []string{"x/y/z/b.md"}},
			{"a file in a new folder", func() { w.write("x/y/z/c.md", "1") }, []string{"x/y/z/c.md"}},
			{"a renamed folder", func() { w.rename("x", "w") }, []string{"x/y/z/b.md", "w/y/z/b.md"}},
			{"a file in a renamed folder", func() { w.write("w/y/z/b.md", "22") }, []string{"w/y/z/b.md"}},
			{"a file where the folder was", func() { w.write("x/y/z/b.md", "3") }, []string{"x/y/z/b.md"}},
			{"a removed file", func() { w.remove("w/y/z/b.md") }, []string{"w/y/z/b.md"}},
			{"a removed folder", func() { w.remove("w") }, []string{"w/y/z/c.md"}},
			{"a folder that came back", func() { w.write("w/y/z/c.md", "1") }, []string{"w/y/z/c.md"}},
			{"a change in it", func() { w.write("w/y/z/c.md", "22") }, []string{"w/y/z/c.md"}},
		} {
			t.Run(step.name, func(t *testing.T) {
				w.forget()
				step.do()
				w.waitFor(step.want...)
			})
		}
	})
}

// Two folders that change places at once, as a fetched source and its new
// version do, are both followed.
func TestFoldersThatChangePlaces(t *testing.T) {
	w := start(t, Options{Ignore: func(path string, _ bool) bool { return strings.HasPrefix(filepath.Base(path), ".") }})
	w.write("lib/docs/a.md", "old")
	w.waitFor("lib/docs/a.md")
	w.write(".new/tree/docs/a.md", "new")
	w.forget()
	if err := exchange(filepath.Join(w.root, ".new/tree"), filepath.Join(w.root, "lib")); err != nil {
		t.Skip("this system cannot exchange folders:", err)
	}
	w.waitFor("lib/docs/a.md")
	w.remove(".new")
	for i := range 3 {
		w.forget()
		w.write("lib/docs/a.md", fmt.Sprint("edited ", i))
		w.waitFor("lib/docs/a.md")
	}
}

func TestIgnored(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		o.Ignore = func(path string, isDir bool) bool {
			return isDir && filepath.Base(path) == "node_modules" || !isDir && strings.HasSuffix(path, ".tmp")
		}
		w := start(t, o)
		w.write("node_modules/a.md", "1")
		w.write("b.tmp", "1")
		w.write("docs/node_modules/c.md", "1")
		w.write("last.md", "1")
		w.waitFor("last.md")
		for _, p := range []string{"node_modules", "node_modules/a.md", "b.tmp", "docs/node_modules/c.md"} {
			if w.toldOf(p) {
				t.Errorf("told of %s", p)
			}
		}
	})
}

// A checkout of thousands of files settles, and no file is missed.
func TestBurst(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		w := start(t, o)
		w.write("old/a.md", "1")
		w.waitFor("old/a.md")
		w.forget()
		n := 5000
		if testing.Short() {
			n = 500
		}
		var paths []string
		for i := range n {
			p := fmt.Sprintf("d%d/e%d/f%d.md", i%7, i%50, i)
			if i%10 == 0 {
				p = fmt.Sprintf("old/f%d.md", i)
			}
			paths = append(paths, p)
			w.write(p, "text")
		}
		w.waitFor(paths...)
		// After the storm it is calm, and each change is told of as before.
		w.forget()
		w.write("d1/e1/new.md", "1")
		w.waitFor("d1/e1/new.md")
	})
}

func TestRoots(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		top := t.TempDir()
		w := &watched{T: t, root: top}
		w.write("docs/a.md", "1")
		w.write("single.md", "1")
		w.write("other.md", "1")
		w = start(t, o, filepath.Join(top, "docs"), filepath.Join(top, "single.md"), filepath.Join(top, "later"))
		w.root = top
		w.write("docs/a.md", "22")
		w.waitFor("docs/a.md")
		w.write("other.md", "22")
		w.write("single.md", "22")
		w.waitFor("single.md")
		if w.toldOf("other.md") {
			t.Error("told of a file beside a root")
		}
		w.forget()
		w.write("later/b.md", "1") // a root that was not there
		w.waitFor("later/b.md")
		w.forget()
		w.write("later/b.md", "22")
		w.waitFor("later/b.md")
		w.forget()
		w.rename("docs", "gone") // a root that goes
		w.waitFor("docs/a.md")
		w.forget()
		w.write("docs/a.md", "333") // and comes back
		w.waitFor("docs/a.md")
		w.forget()
		w.write("docs/a.md", "4444")
		w.waitFor("docs/a.md")
		w.forget()
		w.write("single.tmp", "333")
		w.rename("single.tmp", "single.md")
		w.waitFor("single.md")
	})
}

// fake is a notifier that fails when told to.
type fake struct {
	told    chan notice
	mu      sync.Mutex
	adds    int
	failAt  int
	watches map[string]bool
	real    *notifier
}

func (f *fake) open() (*notifier, error) {
	n, err := openNotifier()
	if err != nil {
		return nil, err
	}
	f.real = n
	f.told = make(chan notice)
	f.watches = map[string]bool{}
	go func() {
		for x := range n.told {
			f.told <- x
		}
	}()
	return &notifier{told: f.told, close: n.close, remove: func(path string) {
		n.remove(path)
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.watches, path)
	}, add: func(path string) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.adds++; f.adds == f.failAt {
			return fmt.Errorf("fsnotify: %w", syscall.ENOSPC)
		}
		f.watches[path] = true
		return n.add(path)
	}}, nil
}

func TestPollsWhenWatchesRunOut(t *testing.T) {
	for _, failAt := range []int{1, 3, 6} {
		t.Run(fmt.Sprint("at watch ", failAt), func(t *testing.T) {
			top := t.TempDir()
			for i := range 4 {
				if err := os.MkdirAll(filepath.Join(top, fmt.Sprint(i)), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			f := &fake{failAt: failAt}
			w := start(t, Options{open: f.open}, top)
			w.write("new/a.md", "1") // the sixth watch, if it comes to that
			w.waitFor("new/a.md")
			w.wait("the note", func() bool { return len(w.notes) > 0 })
			if note := w.noted()[0]; !strings.Contains(note, "no more watches to give") {
				t.Errorf("note = %q", note)
			}
			for _, p := range []string{"new/a.md", "3/b.md"} {
				w.forget()
				w.write(p, "22")
				w.waitFor(p)
			}
			if notes := w.noted(); len(notes) != 1 {
				t.Errorf("notes = %q", notes)
			}
		})
	}
}

// After an overflow everything is told of, and folders that appeared unnoticed
// are followed.
func TestOverflow(t *testing.T) {
	f := &fake{}
	w := start(t, Options{open: f.open})
	w.write("unnoticed/a.md", "1")
	w.waitFor("unnoticed/a.md")
	f.mu.Lock()
	f.real.remove(filepath.Join(w.root, "unnoticed"))
	f.mu.Unlock()
	w.forget()
	f.told <- notice{err: fsnotify.ErrEventOverflow}
	w.wait("everything", func() bool { return w.all > 0 })
	w.forget()
	w.write("unnoticed/a.md", "22")
	w.waitFor("unnoticed/a.md")
}

// Watches of folders that are gone are given back.
func TestWatchesAreGivenBack(t *testing.T) {
	f := &fake{}
	w := start(t, Options{open: f.open})
	for i := range 20 {
		w.write(fmt.Sprintf("a/%d/x.md", i), "1")
	}
	w.waitFor("a/19/x.md")
	w.remove("a")
	w.write("end.md", "1")
	w.waitFor("end.md")
	w.wait("the watches", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		left := len(f.watches)
		if left > 1 {
			go func() { w.write("end.md", "again") }()
		}
		return left == 1
	})
}

// A caller that takes long is told once of all that happened meanwhile.
func TestSlowCaller(t *testing.T) {
	root := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	calls := make(chan Change)
	ended := make(chan error, 1)
	go func() {
		ended <- Watch(ctx, []string{root}, Options{Debounce: time.Millisecond}, func(c Change) {
			select {
			case calls <- c:
			case <-ctx.Done():
			}
		})
	}()
	if c := <-calls; !c.All {
		t.Errorf("the first call: %+v", c)
	}
	want := map[string]bool{}
	for i := range 100 {
		p := filepath.Join(root, fmt.Sprintf("%d.md", i))
		want[p] = true
		if err := os.WriteFile(p, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	deadline := time.After(patience)
	for len(want) > 0 {
		select {
		case c := <-calls:
			for _, p := range c.Paths {
				delete(want, p)
			}
		case <-deadline:
			t.Fatalf("never told of %d files", len(want))
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestNoRoots(t *testing.T) {
	if err := Watch(t.Context(), nil, Options{}, func(Change) {}); err == nil {
		t.Error("no error")
	}
}

func TestTooManyPathsAreAll(t *testing.T) {
	w := &watcher{pending: map[string]bool{}}
	for i := range maxPaths + 1 {
		w.changed(fmt.Sprint(i))
	}
	c, ok := w.drain()
	if !ok || !c.All || len(c.Paths) > 0 {
		t.Errorf("%v, %v, %d paths", ok, c.All, len(c.Paths))
	}
	if _, ok := w.drain(); ok {
		t.Error("told twice")
	}
}

func TestWhy(t *testing.T) {
	if got := why(errors.New("x")); got != "x" {
		t.Error(got)
	}
}
