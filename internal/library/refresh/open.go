package refresh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/local"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/syserr"
)

// openRoot opens what a root names: a folder, the folder of an index, a packed file,
// or "" for the project that contains the working directory.
func openRoot(ctx context.Context, root string, o Options) (index, error) {
	if info, err := os.Stat(root); err == nil && info.Mode().IsRegular() {
		return openPack(root)
	}
	c, err := corpus.Find(root)
	if err != nil {
		return nil, err
	}
	return openCorpus(ctx, c, o)
}

// openCorpus opens the index of a corpus, builds it where there is none and, unless
// told otherwise, refreshes it.
func openCorpus(ctx context.Context, c *corpus.Corpus, o Options) (index, error) {
	if err := o.Apply(c); err != nil {
		return nil, err
	}
	first := o
	first.DeferVectors = o.DeferVectors || o.WordsFirst
	i, err := openOrBuild(ctx, c, first)
	if err != nil || o.NoRefresh {
		return i, err
	}
	on, ok := i.(*committed)
	if !ok {
		return i, nil
	}
	if !on.folder.State().Checked.IsZero() { // just built
		return on.completed(ctx, o)
	}
	if on.last.isSlow() && time.Since(on.last.At) < checkEvery && !on.rebooted() && !on.needsVectors(o) && on.view.Meta.Policy.Equal(c.Recipe()) {
		on.folder.SetState(snapshot.Freshness{Checked: on.last.At, Took: on.last.Took, Earlier: true})
		return on, nil
	}
	next, err := on.refresh(ctx, o)
	if err != nil || next != index(on) {
		_ = on.Close()
	}
	if snapshot.Damaged(err) && ctx.Err() == nil {
		return on.rebuild(ctx, err, o)
	}
	return next, err
}

// openOrBuild opens the index as it is, or builds it where there is none that can be
// used.
func openOrBuild(ctx context.Context, c *corpus.Corpus, o Options) (index, error) {
	if c.IndexDir == "" {
		o.notef("there is no cache folder (set %s, or run docent init): the index is built in memory", corpus.CacheVariables(runtime.GOOS))
		return buildInMemory(ctx, c, o)
	}
	on, err := openCommitted(c, o)
	if err == nil {
		return on, nil
	}
	switch {
	case syserr.Unwritable(err):
		return fallBack(ctx, c, err, o) // it is not ours to read, let alone to write
	case !snapshot.Unusable(err):
		return nil, err
	case !errors.Is(err, fs.ErrNotExist):
		o.notef("the index cannot be used and is rebuilt: %v", err)
	}
	return buildOrFallBack(ctx, c, o, true)
}

// openCommitted opens the newest generation on disk, without looking at the files.
func openCommitted(c *corpus.Corpus, o Options) (*committed, error) {
	disk, err := segment.OpenStore(c.IndexDir)
	if err != nil {
		return nil, err
	}
	on, err := openDisk(c, disk, o)
	if err != nil {
		_ = disk.Close()
	}
	return on, err
}

func openDisk(c *corpus.Corpus, disk *segment.Snapshot, o Options) (*committed, error) {
	var m snapshot.Meta
	if err := json.Unmarshal(disk.Meta, &m); err != nil {
		return nil, fmt.Errorf("%w: its description: %v", segment.ErrDamaged, err)
	}
	if !m.Policy.SameChunking(c.Recipe()) || !c.Choice.Accepts(m.Model) {
		return nil, snapshot.ErrOtherRecipe
	}
	var segments []*snapshot.Segment
	for i, f := range disk.Files() {
		s, err := snapshot.OpenSegment(f)
		if err != nil {
			return nil, err
		}
		if i < len(m.Dead) {
			s.MarkDead(m.Dead[i])
		}
		segments = append(segments, s)
	}
	i, err := newFolderIndex(c, m, segments, c.IndexDir, disk.Close)
	if err != nil {
		return nil, err
	}
	i.folder.Confirm = o.Confirm
	return &committed{*i, disk, lastCheck(c)}, nil
}

// newFolderIndex joins segments with the files they were built from.
func newFolderIndex(c *corpus.Corpus, m snapshot.Meta, segments []*snapshot.Segment, place string, close func() error) (*folderIndex, error) {
	files, err := c.OpenFiles()
	if err != nil {
		return nil, err
	}
	folder := &snapshot.Folder{Files: files}
	v, err := snapshot.New(c, m, segments, folder)
	if err != nil {
		files.Close()
		return nil, err
	}
	s := local.New(v, place, func() error {
		files.Close()
		return close()
	})
	return &folderIndex{s, c, v, folder}, nil
}
