package docent

import (
	"context"
	"errors"

	"github.com/docent-md/docent/internal/text/chunk"
)

// Files that changed while the endpoint for vectors does not answer.
//
// They are indexed in memory, by words alone, beside the segments of the index, and
// nothing is written: the next comparison with the files starts from the index as
// it is kept, finds them changed still, and asks the endpoint again. Until then the
// whole library is searched by words, so that no file is at a disadvantage.

// errNoVectors is why such a library is not searched by meaning.
var errNoVectors = errors.New("files that changed have no vectors yet")

// aside returns a library of the index as it is kept and of what has changed. The
// index is locked, and dead are the rows of each segment that no longer hold.
func (l *Library) aside(ctx context.Context, d *diff, dead [][]int, p chunk.Policy, cause error) (*Library, error) {
	parts, err := buildFiles(ctx, d.changed, p, nil)
	if err != nil {
		return nil, err
	}
	changed, err := segOf(parts)
	if err != nil {
		return nil, err
	}
	next, err := l.corpus.openStore()
	if err != nil {
		return nil, err
	}
	for i, s := range next.segs {
		s.dead = make(map[int]bool, len(dead[i]))
		for _, row := range dead[i] {
			s.dead[row] = true
		}
	}
	next.segs = append(next.segs, changed)
	next.first, next.order, next.unkept = nil, nil, cause
	if err := next.prepare(); err != nil {
		_ = next.Close()
		return nil, err
	}
	return next, nil
}

// asKept compares the index as it is kept with the files, and leaves alone what l
// has beside it.
func (l *Library) asKept(ctx context.Context, o Options) (*Library, error) {
	kept, err := l.corpus.openStore()
	if err != nil {
		return nil, err
	}
	next, err := kept.Refresh(ctx, o)
	if err != nil || next != kept {
		_ = kept.Close()
	}
	return next, err
}
