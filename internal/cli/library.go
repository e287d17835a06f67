package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/docent-md/docent"
	"github.com/spf13/pflag"
)

// libraryFlags say which library a command asks.
type libraryFlags struct {
	root      string
	db        string
	noRefresh bool
	assistant *docent.Assistant // helps when it is asked; may be nil
}

func (l *libraryFlags) add(f *pflag.FlagSet) {
	f.StringVar(&l.root, "root", "", "folder to ask (default: that of the nearest .docent.json, else this one)")
	f.StringVar(&l.db, "db", "", "database to ask instead of a folder (docent index --db makes one)")
	f.BoolVar(&l.noRefresh, "no-refresh", false, "answer from the index as it is, without looking for changed files")
}

// open opens the library, making its index where there is none.
func (l *libraryFlags) open(ctx context.Context, c *console) (*docent.Keeper, error) {
	o := docent.Options{
		NoRefresh: l.noRefresh, Assistant: l.assistant, Summaries: summariesFile(), Remote: c.remote("search").get,
		Note: func(s string) { c.note("%s", s) },
	}
	if l.db != "" {
		return l.openDB(ctx, o)
	}
	bar := c.progress("indexing")
	o.Progress = bar.update
	lib, err := docent.OpenWith(ctx, l.root, o)
	bar.done()
	if err != nil {
		return nil, libraryHint(err)
	}
	return docent.NewKeeper(lib, o), nil
}

// with runs fn with the library.
func (l *libraryFlags) with(ctx context.Context, c *console, fn func(*docent.Library) error) error {
	k, err := l.open(ctx, c)
	if err != nil {
		return err
	}
	defer k.Close()
	return k.With(ctx, fn)
}

func libraryHint(err error) error {
	if errors.Is(err, docent.ErrNoDocuments) {
		return withHint(err, "docent reads .md, .markdown, .mdown and .mdx files that no .gitignore excludes; --root names another folder")
	}
	return err
}

// A bar shows progress on a terminal, and nothing in a pipe.
type bar struct {
	c    *console
	what string
	last time.Time
	on   bool
}

func (c *console) progress(what string) *bar { return &bar{c: c, what: what, last: time.Now()} }

func (b *bar) update(p docent.Progress) {
	if !b.c.errIsTTY || time.Since(b.last) < 100*time.Millisecond {
		return
	}
	b.last = time.Now()
	b.on = true
	fmt.Fprintf(b.c.err, "\r\x1b[K%s: %d files, %.1f MB", b.what, p.Files, float64(p.Bytes)/1e6)
}

func (b *bar) done() {
	if b.on {
		fmt.Fprint(b.c.err, "\r\x1b[K")
	}
}
