package docent

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/source/watch"
)

// WatchOptions tune a watch. The zero value is a good default.
type WatchOptions struct {
	Debounce time.Duration // how long it must be quiet; 0 means 100 ms
	Note     func(string)  // told in a line of anything out of the ordinary; may be nil
}

// Watch calls fn whenever documents of a root, or what decides which files are
// documents, may have changed: once at the start, and after each change, when it
// has been quiet for a moment. There is one call at a time. It returns when ctx ends,
// with nil. Where the system cannot tell of changes, it looks for them now and
// then.
func Watch(ctx context.Context, root string, o WatchOptions, fn func()) error {
	return watchCorpus(ctx, func() (*corpus, error) { return findCorpus(root) }, o, fn)
}

// Watch does so for the documents of a named index.
func (c *Catalogue) Watch(ctx context.Context, name string, o WatchOptions, fn func()) error {
	return watchCorpus(ctx, func() (*corpus, error) {
		n, err := c.Find(name)
		if err != nil {
			return nil, err
		}
		return c.corpus(n, Options{})
	}, o, fn)
}

// watchCorpus watches what find finds, which may change while it does.
func watchCorpus(ctx context.Context, find func() (*corpus, error), o WatchOptions, fn func()) error {
	c, err := find()
	if err != nil {
		return err
	}
	for {
		next, err := c.watch(ctx, find, o, fn)
		if next == nil || err != nil {
			return err
		}
		c = next
	}
}

// watch watches the files of a corpus until ctx ends, or until its config says
// something else: then it returns the corpus as it is now.
func (c *corpus) watch(ctx context.Context, find func() (*corpus, error), o WatchOptions, fn func()) (next *corpus, err error) {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	f := c.newWatchFilter()
	var roots []string
	for _, p := range outermost(c.config.Paths) {
		roots = append(roots, filepath.Join(c.dir, filepath.FromSlash(p)))
	}
	if c.file != "" {
		roots = append(roots, c.file)
	}
	opt := watch.Options{Debounce: o.Debounce, Note: o.Note, Ignore: f.ignore}
	err = watch.Watch(inner, roots, opt, func(watch.Change) {
		if inner.Err() != nil {
			return
		}
		// A config that cannot be read, as it may be while it is written, leaves
		// things as they are; fn finds out by itself.
		if now, err := find(); err == nil && (!now.policy().equal(c.policy()) || now.store != c.store || now.dir != c.dir) {
			next = now
			stop()
			return
		}
		fn()
	})
	return next, err
}

// A watchFilter leaves out what cannot concern the index. Rules of .gitignore are
// not among it: a change below a folder that they name is told of and found to
// be none.
type watchFilter struct {
	dir    string
	store  string
	named  []string // absolute
	config *crawl.Ignore
	preset *crawl.Ignore
}

func (c *corpus) newWatchFilter() *watchFilter {
	f := &watchFilter{
		dir: c.dir, store: c.store,
		config: crawl.ParseIgnore([]byte(strings.Join(c.config.Ignore, "\n"))),
		preset: crawl.ParseIgnore([]byte(crawl.DefaultIgnore)),
	}
	for _, p := range c.config.Paths {
		f.named = append(f.named, filepath.Join(c.dir, filepath.FromSlash(p)))
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
		return false // it was named, or what lies in it was
	}
	rel, err := filepath.Rel(f.dir, path)
	if err != nil {
		return false
	}
	rel = filepath.ToSlash(rel)
	rule := f.config.Match(rel, true)
	if rule == nil {
		rule = f.preset.Match(rel, true)
	}
	return rule != nil && !rule.Negated
}
