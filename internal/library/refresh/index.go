package refresh

import (
	"context"
	"errors"

	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/local"
	"github.com/docent-md/docent/internal/library/pack"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// An index is a snapshot that can be replaced by a newer one. Each method returns the
// receiver when there is nothing newer.
type index interface {
	snapshot.Snapshot

	// refresh compares all files.
	refresh(ctx context.Context, o Options) (index, error)

	// refreshFiles indexes files that were found to be stale; without any, it compares
	// all.
	refreshFiles(ctx context.Context, paths []string, o Options) (index, error)

	// rebuild replaces an index that turned out to be damaged.
	rebuild(ctx context.Context, damage error, o Options) (index, error)

	// reopen opens files again that were replaced since they were opened.
	reopen(ctx context.Context, o Options) (index, error)

	// verify reads all of it and says what is damaged.
	verify() error

	// home is the view that stale documents are reported of; nil when none ever are.
	home() *snapshot.View
}

// A fixed snapshot is a pack, which changes only when its file is replaced, or a
// database, which refreshes itself.
type fixed struct {
	snapshot.Snapshot
	file string // the pack's; "" for what is in memory or in a database
}

// openPack opens a packed file.
func openPack(file string) (index, error) {
	s, err := pack.Open(file)
	if err != nil {
		return nil, err
	}
	return fixed{s, file}, nil
}

func (f fixed) refresh(context.Context, Options) (index, error)                { return f, nil }
func (f fixed) refreshFiles(context.Context, []string, Options) (index, error) { return f, nil }
func (f fixed) verify() error                                                  { return nil }
func (f fixed) home() *snapshot.View                                           { return nil }

func (f fixed) rebuild(_ context.Context, damage error, _ Options) (index, error) { return nil, damage }

func (f fixed) reopen(context.Context, Options) (index, error) { return openPack(f.file) }

// A folderIndex is the open index of a folder.
type folderIndex struct {
	*local.Snapshot
	corpus *corpus.Corpus
	view   *snapshot.View
	folder *snapshot.Folder
}

func (i *folderIndex) home() *snapshot.View { return i.view }

func (i *folderIndex) rebuild(ctx context.Context, damage error, o Options) (index, error) {
	o.notef("the index is damaged and is rebuilt: %v", damage)
	return buildOrFallBack(ctx, i.corpus, o, false)
}

func (i *folderIndex) reopen(ctx context.Context, o Options) (index, error) {
	next, err := openCommitted(i.corpus, o)
	if snapshot.Unusable(err) {
		return i.rebuild(ctx, err, o)
	}
	if err != nil {
		return nil, err
	}
	next.folder.SetState(i.folder.State())
	return next, nil
}

// A committed index is on disk.
type committed struct {
	folderIndex
	disk *segment.Snapshot
	last check // the last comparison before it was opened, and then by it
}

func (i *committed) verify() error { return i.disk.Verify() }

// A volatile index is in memory, because there is no place where it could be stored.
type volatile struct{ folderIndex }

func (i *volatile) verify() error { return nil }

// refresh has nothing to do: the index was built a moment ago.
func (i *volatile) refresh(context.Context, Options) (index, error) { return i, nil }

// refreshFiles rebuilds the index.
func (i *volatile) refreshFiles(ctx context.Context, _ []string, o Options) (index, error) {
	return buildWithoutEndpoint(ctx, i.corpus, i.view.Meta.Model, o)
}

// An overlaid index is on disk, with an overlay of changed files in memory that have
// no vectors because the endpoint failed. The overlay is not written, so the next
// refresh finds the files still changed, and asks the endpoint again. Until then search
// is lexical, so that no file is at a disadvantage.
type overlaid struct {
	committed
	cause error // why there are no vectors
}

func (i *overlaid) refresh(ctx context.Context, o Options) (index, error) {
	return reopenAndRefresh(ctx, i.corpus, o)
}

func (i *overlaid) refreshFiles(ctx context.Context, _ []string, o Options) (index, error) {
	return reopenAndRefresh(ctx, i.corpus, o)
}

// reopenAndRefresh opens the index as it is on disk and compares it with the files.
func reopenAndRefresh(ctx context.Context, c *corpus.Corpus, o Options) (index, error) {
	on, err := openCommitted(c, o)
	if err != nil {
		return nil, err
	}
	next, err := on.refresh(ctx, o)
	if err != nil || next != index(on) {
		_ = on.Close()
	}
	return next, err
}

// errClosed is returned when a library is used after Close.
var errClosed = errors.New("the library is closed")
