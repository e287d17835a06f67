package refresh

import (
	"context"
	"io/fs"
	"time"

	"github.com/docent-md/docent/internal/library/build"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/local"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// FromFS reads the documents of a file system and indexes them in memory. When one behind
// an answer has changed, all are indexed again. Vectors are made when something first
// needs them.
func FromFS(ctx context.Context, fsys fs.FS) (*Live, error) {
	o := Options{DeferVectors: true}
	i, err := buildFS(ctx, fsys, o)
	if err != nil {
		return nil, err
	}
	return newLive(i, o), nil
}

// A fileSystem is the index of an fs.FS, in memory.
type fileSystem struct {
	folderIndex
	fsys fs.FS
}

func (i *fileSystem) verify() error { return nil }

func (i *fileSystem) needsVectors(o Options) bool {
	return i.view.Meta.Model.Deferred && !o.DeferVectors
}

func (i *fileSystem) refresh(ctx context.Context, o Options) (index, error) {
	o.DeferVectors = o.DeferVectors && i.view.Meta.Model.Deferred // what has vectors keeps them
	return buildFS(ctx, i.fsys, o)
}

func (i *fileSystem) refreshFiles(ctx context.Context, _ []string, o Options) (index, error) {
	return i.refresh(ctx, o)
}

func (i *fileSystem) rebuild(ctx context.Context, _ error, o Options) (index, error) {
	return i.refresh(ctx, o)
}

func buildFS(ctx context.Context, fsys fs.FS, o Options) (index, error) {
	c := corpus.Default()
	c.Dir, c.Name, c.IndexDir = "fs", "fs", local.InMemory
	p, err := c.ChunkPolicy()
	if err != nil {
		return nil, err
	}
	model, e, err := ResolveModel(c, o)
	if err != nil {
		return nil, err
	}
	files := corpus.FilesOf(fsys)
	segments, skipped, err := build.All(ctx, files, p, e, nil, nil)
	if err != nil {
		return nil, err
	}
	m := snapshot.Meta{Policy: c.Recipe(), Model: model}
	m.SetSkipped(skipped)
	s, err := inMemory(segments[0])
	if err != nil {
		return nil, err
	}
	folder := &snapshot.Folder{Files: files}
	folder.SetState(snapshot.Freshness{Checked: time.Now()})
	v, err := snapshot.New(c, m, []*snapshot.Segment{s}, folder)
	if err != nil {
		return nil, err
	}
	return &fileSystem{folderIndex{local.New(v, local.InMemory, nil), c, v, folder}, fsys}, nil
}
