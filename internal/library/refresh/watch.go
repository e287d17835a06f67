package refresh

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/source/crawl"
	filewatch "github.com/docent-md/docent/internal/source/watch"
)

// WatchOptions tune a watch. The zero value is a good default.
type WatchOptions struct {
	Debounce time.Duration // how long it must be quiet; 0 means 100 ms
	Note     func(string)  // called with one-line warnings; may be nil
}

// Watch calls fn whenever documents of a root, or what decides which files are
// documents, may have changed: once at the start, and after each change, when it
// has been quiet for a moment. There is one call at a time. It returns when ctx ends,
// with nil. Where the system cannot tell of changes, it looks for them now and
// then.
func Watch(ctx context.Context, root string, o WatchOptions, fn func()) error {
	return WatchCorpus(ctx, func() (*corpus.Corpus, error) { return corpus.Find(root) }, o, fn)
}

// WatchCorpus watches what find finds, which may change while it does.
func WatchCorpus(ctx context.Context, find func() (*corpus.Corpus, error), o WatchOptions, fn func()) error {
	c, err := find()
	if err != nil {
		return err
	}
	for {
		next, err := watch(ctx, c, find, o, fn)
		if next == nil || err != nil {
			return err
		}
		c = next
	}
}

// watch watches the files of a corpus until ctx ends, or until its config says
// something else: then it returns the corpus as it is now.
func watch(ctx context.Context, c *corpus.Corpus, find func() (*corpus.Corpus, error), o WatchOptions, fn func()) (next *corpus.Corpus, err error) {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	f := newWatchFilter(c)
	var roots []string
	for _, p := range corpus.Outermost(c.Config.Paths) {
		roots = append(roots, filepath.Join(c.Dir, filepath.FromSlash(p)))
	}
	if c.File != "" {
		roots = append(roots, c.File)
	}
	opt := filewatch.Options{Debounce: o.Debounce, Note: o.Note, Ignore: f.ignore}
	err = filewatch.Watch(inner, roots, opt, func(filewatch.Change) {
		if inner.Err() != nil {
			return
		}
		// A config that cannot be read, as while it is being written, changes nothing
		// here; fn will report it.
		if now, err := find(); err == nil && (!now.Recipe().Equal(c.Recipe()) || now.IndexDir != c.IndexDir || now.Dir != c.Dir) {
			next = now
			stop()
			return
		}
		fn()
	})
	return next, err
}

// A watchFilter ignores what cannot concern the index. It does not know the rules of
// .gitignore: a change below a folder they name is reported, and refreshing finds that
// there is none.
type watchFilter struct {
	dir    string
	store  string
	named  []string // absolute
	config *crawl.Ignore
	preset *crawl.Ignore
}

func newWatchFilter(c *corpus.Corpus) *watchFilter {
	f := &watchFilter{
		dir: c.Dir, store: c.IndexDir,
		config: crawl.ParseIgnore([]byte(strings.Join(c.Config.Ignore, "\n"))),
		preset: crawl.ParseIgnore([]byte(crawl.DefaultIgnore)),
	}
	for _, p := range c.Config.Paths {
		f.named = append(f.named, filepath.Join(c.Dir, filepath.FromSlash(p)))
	}
	return f
}

func (f *watchFilter) ignore(path string, isDir bool) bool {
	name := filepath.Base(path)
	if !isDir {
		return !doc.IsMarkdown(name) && name != ".gitignore" && name != config.Name
	}
	if name == ".git" || path == f.store {
		return true
	}
	if slices.ContainsFunc(f.named, func(p string) bool { return p == path || strings.HasPrefix(p, path+string(filepath.Separator)) }) {
		return false // the config names it, or something in it
	}
	rel, err := filepath.Rel(f.dir, path)
	if err != nil {
		return false
	}
	rel = filepath.ToSlash(rel)
	rule := f.config.Match(rel, true)
	if rule == nil && !crawl.IsPage(f.dir, rel) {
		rule = f.preset.Match(rel, true)
	}
	return rule != nil && !rule.Negated
}
