package docent

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/docent-md/docent/internal/engine/segment"
)

// errOvertaken is for an index that someone else has written since it was read.
var errOvertaken = errors.New("the index was written meanwhile")

// lock lets nobody else write the index that l has read.
func (l *Library) lock(ctx context.Context) (*segment.Writer, error) {
	w, err := segment.Lock(ctx, l.corpus.store)
	if err != nil {
		return nil, err
	}
	if now, err := segment.Generation(l.corpus.store); err != nil || now != l.snap.Generation {
		_ = w.Close()
		return nil, errOvertaken
	}
	return w, nil
}

// take writes what has changed and opens the result.
func (l *Library) take(ctx context.Context, d *diff, o Options) (*Library, error) {
	if d.rebuild || d.touched > maxTouched {
		return l.corpus.makeOrHold(ctx, o, false)
	}
	w, err := l.lock(ctx)
	if errors.Is(err, errOvertaken) {
		return l.startOver(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	defer w.Close()
	m := l.meta
	m.Updated = time.Now()
	if d.all {
		m.Policy = l.corpus.policy()
		m.setSkipped(d.skipped)
	}
	m.Dead = l.deadRows()
	for _, k := range d.dead {
		m.Dead[k.seg] = append(m.Dead[k.seg], k.row)
	}
	if l.outgrown(m.Dead[0], len(d.changed)) {
		_ = w.Close()
		return l.corpus.makeOrHold(ctx, o, false)
	}
	c := segment.Commit{}
	for i, f := range l.snap.Files() {
		slices.Sort(m.Dead[i])
		c.Keep = append(c.Keep, f.Name())
	}
	if len(d.changed) > 0 {
		p, err := l.corpus.chunkPolicy()
		if err != nil {
			return nil, err
		}
		e, err := l.embedding(o)
		var parts []segment.Part
		if err == nil {
			parts, err = buildFiles(ctx, d.changed, p, e)
		}
		if err != nil {
			if l.remote() && ctx.Err() == nil && !Damaged(err) {
				return l.aside(ctx, d, m.Dead, p, err)
			}
			return nil, err
		}
		c.Add = [][]segment.Part{parts}
	}
	if c, m, err = l.compact(c, m); err != nil {
		return nil, err
	}
	if c.Meta, err = json.Marshal(m); err != nil {
		return nil, err
	}
	if err := w.Commit(c); err != nil {
		return nil, err
	}
	return l.corpus.openStore()
}
