package refresh

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/build"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/local"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/syserr"
)

// buildOrFallBack builds the index on disk, or in memory where it cannot be written.
// With shared, an index that another program built while we waited for the lock will
// do.
func buildOrFallBack(ctx context.Context, c *corpus.Corpus, o Options, shared bool) (index, error) {
	on, err := buildCommitted(ctx, c, o, shared)
	if err == nil {
		return on, nil
	}
	if ctx.Err() == nil && syserr.Unwritable(err) { // a slow answer is better than none
		return fallBack(ctx, c, err, o)
	}
	return nil, err
}

// fallBack builds the index in memory, and says why.
func fallBack(ctx context.Context, c *corpus.Corpus, why error, o Options) (index, error) {
	o.notef("the index cannot be stored and is built in memory: %v", why)
	return buildInMemory(ctx, c, o)
}

// buildCommitted builds the whole index on disk.
func buildCommitted(ctx context.Context, c *corpus.Corpus, o Options, shared bool) (*committed, error) {
	w, err := segment.Lock(ctx, c.IndexDir)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	if shared {
		if on, err := openCommitted(c, o); err == nil {
			return on, nil
		}
	}
	scratch, err := w.Scratch()
	if err != nil {
		return nil, err
	}
	defer scratch.Close()
	segments, m, err := buildSegments(ctx, c, scratch, o)
	if err != nil {
		return nil, err
	}
	if err := commit(w, segment.Commit{Add: segments}, m); err != nil {
		return nil, err
	}
	on, err := openCommitted(c, o)
	if err != nil {
		return nil, err
	}
	on.folder.SetState(snapshot.Freshness{Checked: m.Built})
	on.checked(m.Built, on.last.Took)
	return on, nil
}

// buildSegments reads all files and returns the parts of their segments, which lie in a
// scratch file; without one there is one segment.
func buildSegments(ctx context.Context, c *corpus.Corpus, scratch *os.File, o Options) ([][]segment.Part, snapshot.Meta, error) {
	files, err := c.OpenFiles()
	if err != nil {
		return nil, snapshot.Meta{}, err
	}
	defer files.Close()
	p, err := c.ChunkPolicy()
	if err != nil {
		return nil, snapshot.Meta{}, err
	}
	m := snapshot.Meta{Policy: c.Recipe(), Dir: c.Dir, Built: time.Now(), Updated: time.Now(), Boot: bootID()}
	var e *embedding.Maker
	if m.Model, e, err = ResolveModel(c, o); err != nil {
		return nil, m, err
	}
	segments, skipped, err := build.All(ctx, files, p, e, scratch, o.Progress)
	if canDefer(ctx, c, err) {
		o.notef("the index gets no vectors for now: %v", err)
		m.Model.Deferred = true
		segments, skipped, err = build.All(ctx, files, p, nil, scratch, o.Progress)
	}
	if errors.Is(err, answer.ErrNoDocuments) {
		err = corpus.NoDocuments([]string{c.Dir}, answer.Report{Skipped: skipped})
	}
	if err != nil {
		return nil, m, err
	}
	m.SetSkipped(skipped)
	m.Base = len(segments)
	return segments, m, nil
}

// canDefer reports whether an error means that an endpoint, which nobody has asked for
// now, is the only thing missing: words answer without it.
func canDefer(ctx context.Context, c *corpus.Corpus, err error) bool {
	return embedding.IsUnavailable(err) && ctx.Err() == nil && c.Choice.Kind == "" && !c.Choice.EmbedAll
}

// ResolveModel decides on the model of an index that is about to be built.
func ResolveModel(c *corpus.Corpus, o Options) (embedding.Record, *embedding.Maker, error) {
	m, e, err := c.Choice.Resolve(lastModel(c), o.DeferVectors, o.notef)
	if e != nil {
		e.Progress = o.EmbedProgress
	}
	return m, e, err
}

// lastModel is what the index now on disk was built with, usable or not.
func lastModel(c *corpus.Corpus) embedding.Record {
	disk, err := segment.OpenStore(c.IndexDir)
	if err != nil {
		return embedding.Record{}
	}
	defer disk.Close()
	var m snapshot.Meta
	if json.Unmarshal(disk.Meta, &m) != nil {
		return embedding.Record{}
	}
	return m.Model
}

// buildInMemory builds the index where nothing can be written.
func buildInMemory(ctx context.Context, c *corpus.Corpus, o Options) (index, error) {
	o.DeferVectors = false // nothing can be added later
	segments, m, err := buildSegments(ctx, c, nil, o)
	if err != nil {
		return nil, err
	}
	s, err := inMemory(segments[0])
	if err != nil {
		return nil, err
	}
	i, err := newFolderIndex(c, m, []*snapshot.Segment{s}, local.InMemory, func() error { return nil })
	if err != nil {
		return nil, err
	}
	i.folder.SetState(snapshot.Freshness{Checked: m.Built})
	return &volatile{*i}, nil
}

// buildWithoutEndpoint builds the index in memory, without vectors if they come from an
// endpoint, which would be asked for all of them.
func buildWithoutEndpoint(ctx context.Context, c *corpus.Corpus, m embedding.Record, o Options) (index, error) {
	own := *c
	if m.Kind == embedding.Remote {
		own.Choice = embedding.Choice{Kind: embedding.None}
	}
	return buildInMemory(ctx, &own, o)
}

// inMemory opens a segment that is written to memory, so that its size is known.
func inMemory(parts []segment.Part) (*snapshot.Segment, error) {
	var blob bytes.Buffer
	if _, err := segment.Write(&blob, parts); err != nil {
		return nil, err
	}
	f, err := segment.FromBytes(blob.Bytes())
	if err != nil {
		return nil, err
	}
	return snapshot.OpenSegment(f)
}
