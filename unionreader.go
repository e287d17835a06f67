package docent

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/docent-md/docent/internal/model/llm"
)

// A unionReader reads the documents behind the answer of a union, each in the index
// it comes from.
type unionReader struct {
	u       *Union
	readers []*pageReader    // by index; nil until something of it is read
	stale   map[int][]string // files that have changed, by index
}

// hit makes the Hit of a candidate. It is not ok when its file is stale.
func (r *unionReader) hit(c owned) (Hit, bool, error) {
	if r.readers[c.lib] == nil {
		r.readers[c.lib] = newPageReader(r.u.libs[c.lib])
	}
	return r.readers[c.lib].hit(c.found)
}

// isStale reports whether files that were read have changed, and takes note of them.
func (r *unionReader) isStale() bool {
	for i, reader := range r.readers {
		if reader != nil && len(reader.stale) > 0 {
			r.stale[i] = reader.stale
		}
	}
	return len(r.stale) > 0
}

// rerank is that of a library, with candidates from several: each brings those that
// its own documents link to.
func (r *unionReader) rerank(ctx context.Context, q Query, hits []owned) ([]owned, string, error) {
	assistant := r.u.opts.Assistant
	if assistant == nil {
		return nil, "", ErrNoAssistant
	}
	if len(hits) < 2 {
		return hits, "", nil
	}
	best, err := r.linked(ctx, hits[:min(len(hits), rerankPool)])
	if err != nil {
		return nil, "", err
	}
	var cands []llm.Candidate
	at := map[string]int{}
	for i, c := range best {
		h, ok, err := r.hit(c)
		if err != nil {
			return nil, "", err
		}
		id := r.u.names[c.lib] + ":" + h.Citation
		if _, twice := at[id]; !ok || twice {
			continue
		}
		at[id] = i
		cands = append(cands, shown(id, h, r.u.joined.preview))
	}
	if r.isStale() {
		return nil, "", nil
	}
	ids, note, err := assistant.order(ctx, q.Text, cands)
	if err != nil {
		return nil, "", err
	}
	type place struct {
		lib int
		num uint32
	}
	var out []owned
	taken := map[place]bool{}
	put := func(c owned) {
		if p := (place{c.lib, c.num}); !taken[p] {
			taken[p] = true
			out = append(out, c)
		}
	}
	for _, id := range ids {
		if i, offered := at[id]; offered {
			put(best[i])
		}
	}
	for _, h := range hits {
		put(h)
	}
	return out, note, nil
}

// linked adds to candidates the sections that they link to, within their indexes.
func (r *unionReader) linked(ctx context.Context, hits []owned) ([]owned, error) {
	out := slices.Clone(hits)
	for i, l := range r.u.libs {
		var own []found
		for _, h := range hits {
			if h.lib == i {
				own = append(own, h.found)
			}
		}
		if len(own) == 0 {
			continue
		}
		all, err := l.linked(ctx, own)
		if err != nil {
			return nil, err
		}
		for _, f := range all[len(own):] {
			if len(out) < len(hits)+rerankLinked {
				out = append(out, owned{f, i})
			}
		}
	}
	return out, nil
}

// expand is that of a library: links lead to sections of the same index. It returns
// the index of each hit.
func (r *unionReader) expand(ctx context.Context, a *Answer, from []int, limit, depth int) ([]int, error) {
	type added struct {
		Hit
		lib int
	}
	var more []added
	for i, l := range r.u.libs {
		of := &Answer{}
		for k, h := range a.Hits {
			if from[k] == i {
				of.Hits = append(of.Hits, h)
			}
		}
		n := len(of.Hits)
		if n == 0 {
			continue
		}
		err := l.expand(ctx, of, limit, depth)
		if stale, ok := errors.AsType[*StaleError](err); ok {
			r.stale[i] = stale.Paths
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, h := range of.Hits[n:] {
			more = append(more, added{h, i})
		}
	}
	slices.SortStableFunc(more, func(x, y added) int { return cmp.Compare(y.Score, x.Score) })
	for _, m := range more[:min(len(more), limit)] {
		a.Hits, from = append(a.Hits, m.Hit), append(from, m.lib)
	}
	return from, nil
}
