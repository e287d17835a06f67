package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/spf13/pflag"
)

// options returns the options that the library is opened with.
func (l *libraryFlags) options(c *console) docent.Options {
	return docent.Options{
		NoRefresh: l.noRefresh, Confirm: !l.noRefresh, EagerVectors: l.index != "", WordsFirst: !l.words && l.index == "", Assistant: l.assistant, Summaries: summariesFile(), Endpoint: c.remote("search").get,
		Note: c.noteText,
	}
}

// open opens the library, and builds its index if there is none.
func (l *libraryFlags) open(ctx context.Context, c *console) (*docent.Library, error) {
	o := l.options(c)
	if err := cmp.Or(l.checkTarget(), l.needsIndex()); err != nil {
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
		configNotes(c, l.root)
	}
	return lib, nil
}

func (l *libraryFlags) openWith(ctx context.Context, o docent.Options) (*docent.Library, error) {
	if l.index == "" {
		return docent.Open(ctx, l.root, o)
	}
	if l.index == docent.AllIndexes || strings.Contains(l.index, ",") {
		return nil, withHint(fmt.Errorf("--index %s: only search takes several indexes", l.index), "name one; \"docent indexes\" lists them")
	}
	set, err := namedFlags{l.global, l.root}.set(docent.IndexSetOptions{Options: o})
	if err != nil {
		return nil, err
	}
	if n, err := set.Find(l.index); err == nil {
		l.index = n.Name // with its version
	}
	return set.Library(l.index)
}

// with runs fn with the library, refreshing it when files behind an answer have changed.
func (l *libraryFlags) with(ctx context.Context, c *console, fn func(*docent.Library) error) error {
	k, err := l.open(ctx, c)
	if err != nil {
		return err
	}
	defer k.Close()
	err = libraryHint(fn(k))
	if missing, ok := errors.AsType[*answer.NotFoundError](err); ok {
		l.mark(missing)
	}
	return err
}

// mark adds the name of the index to the Refs of an answer from a named index.
func (l *libraryFlags) mark(out any) {
	if l.index != "" {
		if p, ok := out.(answer.Prefixer); ok {
			p.PrefixRefs(l.index)
		}
	}
}

// configNotes warns about what a project's config says in vain: keys that are not known,
// and paths that do not exist.
func configNotes(c *console, root string) {
	for _, p := range corpus.MissingPaths(root) {
		c.note(".docent.json: the path %s does not exist (docent remove %s takes it out)", clean(p), clean(p))
	}
	text := ""
	for _, u := range corpus.UnknownKeys(root) {
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
	if errors.Is(err, docent.ErrNotAgreed) {
		return withHint(err, "--yes goes ahead without asking; --embed builtin does without the endpoint, and costs nothing")
	}
	if embedding.IsUnavailable(err) {
		return withHint(err, "what was embedded is kept: run it again to go on; --embed builtin does without the endpoint")
	}
	if errors.Is(err, docent.ErrNoDocuments) {
		return withHint(err, "docent reads .md, .markdown, .mdown and .mdx files that no .gitignore excludes; --root names another folder")
	}
	return err
}

// openCluster opens the index that --cluster and --tenant name.
func (l *libraryFlags) openCluster(ctx context.Context, o docent.Options) (*docent.Library, error) {
	if _, err := l.cluster.open(); err != nil {
		return nil, err
	}
	lib, err := docent.OpenCluster(ctx, strings.Split(l.cluster.urls, ","), os.Getenv(tokenVariable), l.cluster.index(l.root), o)
	return lib, clusterHint(err)
}

// openDB opens the database that --db names.
func (l *libraryFlags) openDB(ctx context.Context, o docent.Options) (*docent.Library, error) {
	lib, err := docent.OpenDB(ctx, l.db, o)
	return lib, dbHint(err)
}

// between compares two named indexes. It needs no library of its own.
func (l *libraryFlags) between(ctx context.Context, c *console, f *pflag.FlagSet, to string, out *formatFlags) error {
	if err := refuseUnless(f, []flagRule{{"since", false, "and --between contradict each other: give one of them"}}); err != nil {
		return err
	}
	if l.index != "" || isFile(l.root) || l.db != "" || l.cluster.urls != "" {
		return errors.New("--between compares named indexes of a project: give it without --index, --db and --cluster, and --root for the project's folder")
	}
	set, err := namedFlags{l.global, l.root}.set(docent.IndexSetOptions{Options: l.options(c)})
	if err != nil {
		return err
	}
	defer set.Close()
	found, err := set.Between(ctx, f.Lookup("between").Value.String(), to)
	if err != nil {
		return libraryHint(err)
	}
	return out.write(c, found)
}

// searchNamed searches one or several named indexes.
func (l *libraryFlags) searchNamed(ctx context.Context, c *console, q docent.Query) (*answer.Answer, error) {
	if err := l.checkTarget(); err != nil {
		return nil, err
	}
	set, err := namedFlags{l.global, l.root}.set(docent.IndexSetOptions{Options: l.options(c)})
	if err != nil {
		return nil, err
	}
	defer set.Close()
	a, err := set.Search(ctx, l.index, q)
	return a, libraryHint(err)
}

// namedAll is named for several Refs, which must lead to one index.
func (l *libraryFlags) namedAll(refs []string) error {
	if l.index != "" {
		return nil
	}
	for i := range refs {
		before := l.index
		l.index = ""
		if err := l.named(&refs[i]); err != nil {
			return err
		}
		if i > 0 && l.index != before {
			return fmt.Errorf("%s: the Refs of one call must lead to one index", refs[i])
		}
	}
	return nil
}

// named removes the name of an index from a Ref that begins with one, and selects that
// index.
func (l *libraryFlags) named(ref *string) error {
	if l.index != "" || l.db != "" || l.cluster.urls != "" || isFile(l.root) || !strings.Contains(*ref, ":") {
		return nil
	}
	set, err := namedFlags{l.global, l.root}.set(docent.IndexSetOptions{})
	if err != nil {
		return err
	}
	if index, rest, ok := set.SplitRef(*ref); ok {
		l.index, *ref = index, rest
	}
	return nil
}
