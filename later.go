package docent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/text/chunk"
)

// How vectors come to an index that was made without them.
//
// Most of what is asked needs no vectors: to list files, to grep or to read. Who
// asks that of a folder without an index has it made by words alone (Options.Words),
// and its description says that vectors are still to come. Whoever opens it next
// without saying so adds them: the documents are read again, and the segment is
// written again with the parts that were missing. The result is, byte for byte,
// what would have been made at once.

// errNotAsIndexed is why vectors cannot be added: a document is not what the index
// says.
var errNotAsIndexed = errors.New("documents have changed since")

// lacks reports whether vectors are still to come and wanted.
func (l *Library) lacks(o Options) bool { return l.meta.Model.Later && !o.Words && l.snap != nil }

// complete adds the vectors to an index that is up to date, and opens the result.
func (l *Library) complete(ctx context.Context, o Options) (*Library, error) {
	w, err := l.lock(ctx)
	if errors.Is(err, errOvertaken) {
		return l.startOver(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	defer w.Close()
	m := l.meta
	var e *embedding
	if m.Model, e, err = l.corpus.settle(o); err != nil {
		return nil, err
	}
	parts, err := l.meaningParts(ctx, e)
	if errors.Is(err, errNotAsIndexed) {
		_ = w.Close()
		return l.corpus.makeOrHold(ctx, o, false)
	}
	if err != nil {
		return nil, err
	}
	m.Updated = time.Now()
	raw, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	if err := w.Commit(segment.Commit{Add: [][]segment.Part{parts}, Meta: raw}); err != nil {
		return nil, err
	}
	return l.corpus.openStore()
}

// completed is complete, and closes what it began with unless that is kept.
func (l *Library) completed(ctx context.Context, kept *Library, o Options) (*Library, error) {
	next, err := l.complete(ctx, o)
	if l != kept {
		_ = l.Close()
	}
	return next, err
}

// startOver goes on from what someone else wrote meanwhile.
func (l *Library) startOver(ctx context.Context, o Options) (*Library, error) {
	next, err := l.corpus.openStore()
	if err != nil {
		return nil, err
	}
	newest, err := next.Refresh(ctx, o)
	if err != nil || newest != next {
		_ = next.Close()
	}
	return newest, err
}

// meaningParts are the parts of the index and those of its vectors.
func (l *Library) meaningParts(ctx context.Context, e *embedding) ([]segment.Part, error) {
	if len(l.segs) != 1 || len(l.segs[0].dead) > 0 || e == nil {
		return nil, errNotAsIndexed
	}
	p, err := l.corpus.chunkPolicy()
	if err != nil {
		return nil, err
	}
	vectors, err := l.vectorsOf(ctx, p, e)
	if err != nil {
		return nil, err
	}
	var parts []segment.Part
	file := l.segs[0].file
	for _, name := range file.Names() {
		b, err := part(file, name)
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

// vectorsOf reads the documents of the only segment again and embeds its chunks.
func (l *Library) vectorsOf(ctx context.Context, p chunk.Policy, e *embedding) ([]segment.Part, error) {
	src, err := l.corpus.openSource()
	if err != nil {
		return nil, err
	}
	defer src.close()
	b := newBuild(p, e, 0, nil)
	b.known = l.segs[0].cat
	_, err = src.walk(ctx, b.add)
	b.abandon()
	if failed := b.failed.Load(); err == nil && failed != nil {
		err = *failed
	}
	if err == nil && b.files != b.known.Files() {
		err = fmt.Errorf("%w: there are %d of %d", errNotAsIndexed, b.files, b.known.Files())
	}
	if err != nil {
		return nil, err
	}
	return b.vectors(ctx)
}
