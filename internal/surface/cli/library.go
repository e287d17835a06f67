package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/docent-md/docent"
	"github.com/spf13/pflag"
)

// libraryFlags say which library a command asks.
type libraryFlags struct {
	root      string
	db        string
	cluster   clusterFlags
	noRefresh bool
	index     string            // named indexes to ask instead; "" for none
	global    bool              // that are the user's, not the project's
	assistant *docent.Assistant // helps when it is asked; may be nil
	words     bool              // what is asked needs no vectors
	folder    string            // the command's name, when it needs all documents at hand
}

// addFolder is add for a command that needs all documents at hand, which a database or
// a cluster has not: it is told so, and its help does not offer them.
func (l *libraryFlags) addFolder(f *pflag.FlagSet, command string) {
	l.folder = command
	l.add(f)
	for _, flag := range []string{"db", "cluster", "tenant"} {
		f.Lookup(flag).Hidden = true
	}
}

func (l *libraryFlags) add(f *pflag.FlagSet) {
	f.StringVar(&l.root, "root", "", "folder to ask (default: that of the nearest .docent.json, else this one)")
	f.StringVar(&l.index, "index", "", "named index to ask instead")
	f.BoolVar(&l.global, "global", false, "with --index: this user's named indexes, not this project's")
	f.StringVar(&l.db, "db", "", "database to ask instead of a folder (docent index --db makes one)")
	l.cluster.add(f)
	f.BoolVar(&l.noRefresh, "no-refresh", false, "answer from the index as it is, without looking for changed files")
}

// options say how the library is opened.
func (l *libraryFlags) options(c *console) docent.Options {
	return docent.Options{
		NoRefresh: l.noRefresh, Confirm: !l.noRefresh, Words: l.words && l.index == "", Assistant: l.assistant, Summaries: summariesFile(), Remote: c.remote("search").get,
		Note: func(s string) { c.note("%s", s) },
	}
}

// open opens the library, making its index where there is none.
func (l *libraryFlags) open(ctx context.Context, c *console) (*docent.Keeper, error) {
	o := l.options(c)
	if err := cmp.Or(l.oneThing(), l.needsIndex()); err != nil {
		return nil, err
	}
	if l.db != "" {
		return l.openDB(ctx, o)
	}
	if l.inCluster() {
		return l.openCluster(ctx, o)
	}
	bar := c.progress("indexing")
	o.Progress = bar.update
	lib, err := l.openWith(ctx, o)
	bar.done()
	if err != nil {
		return nil, libraryHint(err)
	}
	if l.index == "" && !l.noRefresh {
		c.unknownKeys(lib.UnknownKeys())
	}
	return docent.NewKeeper(lib, o), nil
}

func (l *libraryFlags) openWith(ctx context.Context, o docent.Options) (*docent.Library, error) {
	if l.index == "" {
		return docent.OpenWith(ctx, l.root, o)
	}
	if l.index == docent.All || strings.Contains(l.index, ",") {
		return nil, withHint(fmt.Errorf("--index %s: only search asks several indexes at once", l.index), "name one; \"docent indexes\" lists them")
	}
	cat, err := namedFlags{l.global, l.root}.catalogue()
	if err != nil {
		return nil, err
	}
	return cat.Open(ctx, l.index, o)
}

// with runs fn with the library.
func (l *libraryFlags) with(ctx context.Context, c *console, fn func(*docent.Library) error) error {
	k, err := l.open(ctx, c)
	if err != nil {
		return err
	}
	defer k.Close()
	err = k.With(ctx, fn)
	if missing, ok := errors.AsType[*docent.NotFoundError](err); ok {
		l.mark(missing)
	}
	return err
}

// mark has the Refs of an answer from a named index begin with its name.
func (l *libraryFlags) mark(answer any) {
	if l.index != "" {
		docent.InIndex(answer, l.index)
	}
}

// unknownKeys says in a line which keys of the project's config have no effect.
func (c *console) unknownKeys(keys []docent.UnknownKey) {
	text := ""
	for _, u := range keys {
		text += fmt.Sprintf(", %q", u.Key)
		if near := nearest(u.Name, u.Known); near != "" {
			text += fmt.Sprintf(" (did you mean %q?)", near)
		}
	}
	if text != "" {
		c.note(".docent.json: unknown key %s", strings.TrimPrefix(text, ", "))
	}
}

func libraryHint(err error) error {
	if errors.Is(err, docent.ErrNoDocuments) {
		return withHint(err, "docent reads .md, .markdown, .mdown and .mdx files that no .gitignore excludes; --root names another folder")
	}
	return err
}

// A bar shows progress on a terminal, and nothing in a pipe.
type bar struct {
	c       *console
	what    string
	last    time.Time
	on      bool
	garbage collector
}

func (c *console) progress(what string) *bar { return &bar{c: c, what: what, last: time.Now()} }

func (b *bar) update(p docent.Progress) {
	b.garbage.allow(whileReading(p.Bytes))
	if !b.c.errIsTTY || time.Since(b.last) < 100*time.Millisecond {
		return
	}
	b.last = time.Now()
	b.on = true
	b.c.meter("%s: %d files, %.1f MB", b.what, p.Files, float64(p.Bytes)/1e6)
}

func (b *bar) done() {
	if b.on {
		b.c.clearBar()
	}
}
