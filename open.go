package docent

import (
	"context"
	"io/fs"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/pack"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/store"
)

// Open returns the library at path: a folder of documents, the folder of an index, a
// packed file, or "" for the project that contains the working directory. An index is
// built when there is none, and refreshed when files have changed. A new index gets its
// vectors when something first needs them, which grep and reading do not.
func Open(ctx context.Context, path string, o Options) (*Library, error) {
	if o.Background != nil {
		return newLibrary(refresh.OpenInBackground(path, o.internal(), refresh.Background(*o.Background)), o), nil
	}
	live, err := refresh.Open(ctx, path, o.internal())
	return library(live, o, err)
}

// OpenDir opens the documents below dir with the index in a folder of the caller's
// choosing.
func OpenDir(ctx context.Context, dir, index string, o Options) (*Library, error) {
	c, err := corpus.Find(dir)
	if err != nil {
		return nil, err
	}
	c.IndexDir = index
	live, err := refresh.OpenCorpus(ctx, c, o.internal())
	return library(live, o, err)
}

// OpenDB opens a SQLite file that "docent index --db" or Export wrote. Its chunks are
// asked; no document is looked at.
func OpenDB(ctx context.Context, file string, o Options) (*Library, error) {
	db, err := store.OpenDB(ctx, file, o.internal())
	if err != nil {
		return nil, err
	}
	return newLibrary(refresh.Fixed(db), o), nil
}

// OpenCluster opens an index in a Weaviate cluster, with nodes at some URLs.
// The token, if there is one, must come from the user, not from a project.
func OpenCluster(ctx context.Context, urls []string, token, name string, o Options) (*Library, error) {
	c, err := store.NewCluster(urls, token)
	if err != nil {
		return nil, err
	}
	open := func(ctx context.Context) (snapshot.Snapshot, error) { return c.Open(ctx, name, o.internal()) }
	if o.Background != nil {
		return newLibrary(refresh.OpenFixedInBackground(open, o.internal(), refresh.Background(*o.Background)), o), nil
	}
	db, err := open(ctx)
	if err != nil {
		return nil, err
	}
	return newLibrary(refresh.Fixed(db), o), nil
}

// FromBlob opens a pack that is in memory, for instance one that a program embeds. The
// bytes are not copied and must not change.
func FromBlob(blob []byte) (*Library, error) {
	s, err := pack.FromBlob(blob)
	if err != nil {
		return nil, err
	}
	return newLibrary(refresh.Fixed(s), Options{}), nil
}

// FromFS reads the documents of a file system and indexes them in memory. Vectors are made
// when something first needs them.
func FromFS(ctx context.Context, fsys fs.FS) (*Library, error) {
	live, err := refresh.FromFS(ctx, fsys)
	return library(live, Options{}, err)
}

// Index refreshes the index of a root, or rebuilds it. Unlike Open it fails when the
// index cannot be written.
func Index(ctx context.Context, root string, full bool, o Options) (*answer.IndexReport, error) {
	return refresh.Index(ctx, root, full, eager(o).internal())
}

func library(live *refresh.Live, o Options, err error) (*Library, error) {
	if err != nil {
		return nil, err
	}
	return newLibrary(live, o), nil
}

func newLibrary(l live, o Options) *Library { return &Library{l, o} }
