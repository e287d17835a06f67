package refresh

import (
	"context"
	"errors"
	"time"

	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/build"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// How vectors are added to an index that was built without them.
//
// Listing files, grep and reading need no vectors. With Options.DeferVectors a new index
// is built without them, and its metadata says so (embedding.Record.Deferred). The next
// program that opens it without that option adds them: the documents are read again, and
// the segment is rewritten with the missing parts. The result is, byte for byte, what
// would have been built at once. With Options.WordsFirst the first question to a large
// folder need not wait for them either: it is answered by words. Vectors of an endpoint
// are deferred when a search has to rebuild the index: they may cost money, so that
// "docent index" adds them.

// needsVectors reports whether an index lacks vectors that are wanted, and can get them.
func needsVectors(i index, o Options) bool {
	on, ok := i.(interface{ needsVectors(o Options) bool })
	return ok && on.needsVectors(o)
}

// needsVectors reports whether vectors are missing and wanted.
func (i *committed) needsVectors(o Options) bool {
	m := i.view.Meta.Model
	if m.Kind == embedding.Remote {
		return m.Deferred && (o.EmbedAll || o.Embed == embedding.Remote)
	}
	return m.Deferred && !o.DeferVectors
}

// fewChunks is how many get their vectors while somebody waits for the first answer: it
// takes less than a tenth of a second.
const fewChunks = 400

// completed adds the vectors to an index that was just built, if that is quick.
func (i *committed) completed(ctx context.Context, o Options) (index, error) {
	if !i.needsVectors(o) || i.view.Searcher.Len() > fewChunks {
		return i, nil
	}
	next, err := i.addVectors(ctx, o)
	if err != nil && ctx.Err() == nil { // words answer without them
		o.notef("the index gets no vectors for now: %v", err)
		return i, nil
	}
	if err == nil {
		setState(next, i.folder.State())
	}
	_ = i.Close()
	return next, err
}

// addVectors adds the vectors to an index that is up to date, and opens the result.
func (i *committed) addVectors(ctx context.Context, o Options) (index, error) {
	w, err := i.lock(ctx)
	if errors.Is(err, errOvertaken) {
		return reopenAndRefresh(ctx, i.corpus, o)
	}
	if err != nil {
		return nil, err
	}
	defer w.Close()
	m := i.view.Meta
	var e *embedding.Maker
	if m.Model, e, err = ResolveModel(i.corpus, o); err != nil {
		return nil, err
	}
	parts, err := i.partsWithVectors(ctx, e, o.Progress)
	if errors.Is(err, build.ErrNotAsIndexed) {
		_ = w.Close()
		return buildOrFallBack(ctx, i.corpus, o, false)
	}
	if err != nil {
		return nil, err
	}
	m.Updated, m.Merged = time.Now(), 0
	if err := commit(w, segment.Commit{Add: [][]segment.Part{parts}}, m); err != nil {
		return nil, err
	}
	return openNext(i, o)
}

// partsWithVectors are the parts of the only segment and those of its vectors.
func (i *committed) partsWithVectors(ctx context.Context, e *embedding.Maker, progress func(corpus.Progress)) ([]segment.Part, error) {
	segments := i.view.Segments
	if len(segments) != 1 || len(segments[0].Dead) > 0 || e == nil {
		return nil, build.ErrNotAsIndexed
	}
	p, err := i.corpus.ChunkPolicy()
	if err != nil {
		return nil, err
	}
	files, err := i.corpus.OpenFiles()
	if err != nil {
		return nil, err
	}
	defer files.Close()
	vectors, err := build.Vectors(ctx, files, p, e, segments[0].Table, progress)
	if err != nil {
		return nil, err
	}
	var parts []segment.Part
	file := segments[0].File
	for _, name := range file.Names() {
		b, err := snapshot.Part(file, name)
		if err != nil {
			return nil, err
		}
		data, err := b.Bytes(0, b.Len())
		if err != nil {
			return nil, err
		}
		parts = append(parts, segment.Part{Name: name, Data: data})
	}
	return append(parts, vectors...), nil
}
