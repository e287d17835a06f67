package refresh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/build"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/local"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/source/crawl"
)

// refresh compares the index with all files and returns a fresh one: i itself when
// nothing has changed. If the index cannot be written, i is returned too, and its
// answers say so; they stay correct, because the files behind an answer are always
// checked.
func (i *committed) refresh(ctx context.Context, o Options) (index, error) {
	return i.refreshAll(ctx, nil, o)
}

// refreshAll compares the index with all files. Those in stale are read even where size
// and time say that nothing has changed.
func (i *committed) refreshAll(ctx context.Context, stale []string, o Options) (index, error) {
	began := time.Now()
	folders := i.corpus.Folders()
	entries, skipped, err := i.folder.Files.List(ctx, folders)
	if err != nil {
		return nil, err
	}
	i.corpus.SaveFolders(folders)
	now := time.Now()
	took := comparing(began, len(entries))
	d, err := i.compare(entries, stale)
	if snapshot.Damaged(err) {
		return i.rebuild(ctx, err, o)
	}
	if err != nil {
		return nil, err
	}
	d.skipped = append(d.skipped, skipped...)
	slices.SortStableFunc(d.skipped, func(a, b answer.Skip) int { return strings.Compare(a.Path, b.Path) })
	before := i.folder.State()
	if d.empty() && !i.needsVectors(o) {
		took = comparing(began, len(entries))
		i.folder.SetState(snapshot.Freshness{Checked: now, Took: took, Refreshed: before.Refreshed, Skipped: &d.skipped})
		i.checked(now, took)
		return i, nil
	}
	next, err := guarded(func() (index, error) { return i.applyAll(ctx, d, o) })
	if snapshot.Damaged(err) {
		return i.rebuild(ctx, err, o)
	}
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err != nil && o.EmbedAll && embedding.IsUnavailable(err) {
		return nil, fmt.Errorf("index not refreshed: %w", err)
	}
	if err != nil {
		state := before
		state.Skipped, state.Checked, state.Earlier, state.Took = &d.skipped, now, false, took
		state.Note = fmt.Sprintf("index not refreshed: %v", err)
		i.folder.SetState(state)
		o.notef("%s", state.Note)
		return i, nil
	}
	state := snapshot.Freshness{Checked: now, Took: took, Refreshed: before.Refreshed + d.count()}
	if !d.rebuild { // which reads all files, and the index says what it skipped
		state.Skipped = &d.skipped
	}
	setState(next, state)
	if on, ok := next.(*committed); ok {
		on.checked(now, took)
	}
	return next, nil
}

// applyAll indexes what has changed and adds the vectors that are still missing.
func (i *committed) applyAll(ctx context.Context, d *diff, o Options) (index, error) {
	next := index(i)
	if !d.empty() {
		var err error
		if next, err = i.applyChanges(ctx, d, o); err != nil {
			return nil, err
		}
	}
	on, ok := next.(*committed)
	if !ok || !on.needsVectors(o) {
		return next, nil
	}
	full, err := on.addVectors(ctx, o)
	if on != i {
		_ = on.Close()
	}
	return full, err
}

// stateOf is how fresh an index is known to be.
func stateOf(i index) snapshot.Freshness {
	if v := i.home(); v != nil {
		if folder, ok := v.Origin.(*snapshot.Folder); ok {
			return folder.State()
		}
	}
	return snapshot.Freshness{}
}

// setState remembers how fresh an index is.
func setState(i index, state snapshot.Freshness) {
	if folder, ok := i.home().Origin.(*snapshot.Folder); ok {
		folder.SetState(state)
	}
}

// refreshFiles indexes files that were found to be stale; without paths, or when one of
// them is gone, it compares all files. If the index cannot be written, it builds one in
// memory.
func (i *committed) refreshFiles(ctx context.Context, paths []string, o Options) (index, error) {
	if len(paths) == 0 || i.rebooted() {
		return i.refreshAll(ctx, paths, o)
	}
	d := diff{}
	gone := false
	for _, p := range paths {
		k, ok, err := i.view.Find(p)
		if err != nil {
			return nil, err
		}
		f, skip, err := i.folder.Files.Read(p)
		if err != nil {
			return nil, err
		}
		if ok {
			d.dead = append(d.dead, k)
		}
		if skip == nil {
			d.changed = append(d.changed, f)
		} else {
			gone = true
		}
	}
	if gone { // perhaps to another name, and perhaps with all of its folder
		next, err := i.refreshAll(ctx, paths, o)
		if err != nil || next != index(i) || i.folder.State().Note == "" {
			return next, err
		}
	}
	slices.SortFunc(d.changed, func(a, b crawl.File) int { return strings.Compare(a.Path, b.Path) })
	next, err := i.applyChanges(ctx, &d, o)
	if err != nil && ctx.Err() == nil && !snapshot.Damaged(err) {
		o.notef("the index is built in memory: %v", err)
		return buildWithoutEndpoint(ctx, i.corpus, i.view.Meta.Model, o)
	}
	if err != nil {
		return nil, err
	}
	state := i.folder.State()
	state.Refreshed += d.count()
	setState(next, state)
	return next, nil
}

// errOvertaken is for an index that another program has written since it was read.
var errOvertaken = errors.New("the index was written meanwhile")

// lock takes the write lock of the index, if it is still the generation that i has open.
func (i *committed) lock(ctx context.Context) (*segment.Writer, error) {
	w, err := segment.Lock(ctx, i.corpus.IndexDir)
	if err != nil {
		return nil, err
	}
	if now, err := segment.Generation(i.corpus.IndexDir); err != nil || now != i.disk.Generation {
		_ = w.Close()
		return nil, errOvertaken
	}
	return w, nil
}

// applyChanges writes what has changed and opens the result.
func (i *committed) applyChanges(ctx context.Context, d *diff, o Options) (index, error) {
	if d.rebuild || d.touched > maxTouched {
		return buildOrFallBack(ctx, i.corpus, o, false)
	}
	w, err := i.lock(ctx)
	if errors.Is(err, errOvertaken) {
		return reopenAndRefresh(ctx, i.corpus, o)
	}
	if err != nil {
		return nil, err
	}
	defer w.Close()
	m := i.view.Meta
	m.Updated = time.Now()
	if d.all {
		m.Policy, m.Boot = i.corpus.Recipe(), bootID()
		m.SetSkipped(d.skipped)
	}
	m.Dead = snapshot.DeadRows(i.view.Segments)
	for _, k := range d.dead {
		m.Dead[k.Seg] = append(m.Dead[k.Seg], k.Row)
	}
	if i.outgrown(m.Dead, len(d.changed)) {
		_ = w.Close()
		return buildOrFallBack(ctx, i.corpus, o, false)
	}
	c := segment.Commit{}
	for n, f := range i.disk.Files() {
		slices.Sort(m.Dead[n])
		c.Keep = append(c.Keep, f.Name())
	}
	if len(d.changed) > 0 {
		parts, err := i.buildChanged(ctx, d.changed, o)
		if embedding.IsUnavailable(err) && ctx.Err() == nil && !o.EmbedAll {
			return i.overlay(ctx, d, m.Dead, err, o)
		}
		if err != nil {
			return nil, err
		}
		c.Add = [][]segment.Part{parts}
	}
	if c, m, err = compact(i.view, c, m); err != nil {
		return nil, err
	}
	if err := commit(w, c, m); err != nil {
		return nil, err
	}
	return openNext(i, o)
}

// commit writes the next generation of an index, with its metadata.
func commit(w *segment.Writer, c segment.Commit, m snapshot.Meta) (err error) {
	if c.Meta, err = json.Marshal(m); err != nil {
		return err
	}
	return w.Commit(c)
}

// openNext opens what was committed after i.
func openNext(i *committed, o Options) (index, error) {
	next, err := openCommitted(i.corpus, o)
	if err != nil {
		return nil, err
	}
	return next, nil
}

// buildChanged makes a segment of changed files, with vectors of the model that all
// others have.
func (i *committed) buildChanged(ctx context.Context, files []crawl.File, o Options) ([]segment.Part, error) {
	p, err := i.corpus.ChunkPolicy()
	if err != nil {
		return nil, err
	}
	by, err := i.view.Embedder()
	if err != nil {
		return nil, err
	}
	var e *embedding.Maker
	if by != nil {
		e = &embedding.Maker{By: by, Progress: o.EmbedProgress}
	}
	return build.Files(ctx, files, p, e)
}

// outgrown reports whether so much has changed, a tenth of the documents, that the table
// should be adapted again, or that a base too large to be merged should be rebuilt. Until
// then the vectors of an index can differ from those of one that is built anew, because
// its table was adapted to other texts.
func (i *committed) outgrown(dead [][]int, changed int) bool {
	if !local.IsAdapted(i.view) && i.view.Meta.Bases() == 1 {
		return false
	}
	changed, base := local.ChangedSince(i.view, dead, changed)
	return 10*changed > base
}

// overlay opens the index on disk with an overlay of the changed files, which have no
// vectors. The index is locked, and dead are the rows of each segment that are
// superseded.
func (i *committed) overlay(ctx context.Context, d *diff, dead [][]int, cause error, o Options) (index, error) {
	p, err := i.corpus.ChunkPolicy()
	if err != nil {
		return nil, err
	}
	parts, err := build.Files(ctx, d.changed, p, nil)
	if err != nil {
		return nil, err
	}
	changed, err := snapshot.OpenParts(parts)
	if err != nil {
		return nil, err
	}
	changed.Unembedded = true
	on, err := openCommitted(i.corpus, o)
	if err != nil {
		return nil, err
	}
	segments := on.view.Segments
	for n, s := range segments {
		s.MarkDead(dead[n])
	}
	f := &on.folderIndex
	if f.view, err = snapshot.New(i.corpus, on.view.Meta, append(segments, changed), f.folder); err != nil {
		_ = on.Close()
		return nil, err
	}
	f.folder.Unembedded = changed.Table.Files()
	f.Snapshot = f.Snapshot.With(f.view)
	return &overlaid{*on, cause}, nil
}
