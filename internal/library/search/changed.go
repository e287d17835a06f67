package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/library/history"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/portable"
)

// addChanged says of each hit when its file was last changed, if that is asked for.
func (r *run) addChanged(ctx context.Context) error {
	if !r.q.Changed {
		return nil
	}
	at := make([]fileOf, len(r.hits))
	for i := range r.hits {
		at[i] = fileOf{r.hits[i].from.Segment, r.hits[i].from.File}
	}
	times, err := timesOf(ctx, at)
	for i := range times {
		if !times[i].IsZero() {
			r.hits[i].Changed = &times[i]
		}
	}
	return err
}

// A fileOf is a document and the segment that it is in.
type fileOf struct {
	*snapshot.Segment
	info doctable.File
}

// timesOf returns when each of some documents was last changed; zero where that is not
// known.
func timesOf(ctx context.Context, at []fileOf) ([]time.Time, error) {
	byHome := map[*snapshot.View][]snapshot.File{}
	for _, f := range at {
		known := func(k snapshot.File) bool { return k.Path == f.info.Path }
		if !slices.ContainsFunc(byHome[f.Home], known) {
			byHome[f.Home] = append(byHome[f.Home], snapshot.File{Path: f.info.Path, Seg: f.HomeNumber, Info: f.info})
		}
	}
	out := make([]time.Time, len(at))
	for home, files := range byHome {
		times, err := history.Times(ctx, home, files)
		if err != nil {
			return nil, err
		}
		for i, f := range at {
			if f.Home == home {
				out[i] = times[f.info.Path]
			}
		}
	}
	return out, nil
}

// newFor is the age at which being new counts half.
const newFor = 30 * 24 * time.Hour

// preferNew moves what was changed lately forward, if the question asks for what is new:
// a document of today counts as if its place were twice as good.
func (r *run) preferNew(ctx context.Context) error {
	ranked := r.found.Ranked
	if len(ranked) < 2 || retrieve.AsksForChanges(r.q.Text) < retrieve.WhatIsNew {
		return nil
	}
	at := make([]fileOf, len(ranked))
	for i, c := range ranked {
		at[i] = fileOf{c.Segment, c.File}
	}
	times, err := timesOf(ctx, at)
	if errors.Is(err, history.ErrNoTimes) {
		r.addNote("the question asks for what is new, but packs and databases do not know when files changed")
		return nil
	}
	if err != nil {
		return err
	}
	order := make([]int, len(ranked))
	worth := make([]float64, len(ranked))
	for i := range ranked {
		order[i] = i
		age := max(r.asked.Sub(times[i]), 0)
		worth[i] = (1 + portable.Exp2(-float64(age)/float64(newFor))) / float64(i+4)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	moved := slices.Clone(ranked)
	for to, from := range order {
		moved[to] = ranked[from]
	}
	r.found.Ranked = moved
	r.addNote("the question asks for what is new: files that changed lately come first")
	return nil
}
