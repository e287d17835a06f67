package docent

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/source/crawl"
)

// How an index is kept true to the files.
//
// A file counts as unchanged while its size and time are those of the index;
// otherwise its content decides. Files that changed go into a new, small
// segment, and the rows they replace are marked dead in the manifest. When
// deltas hold more than a few hundred files, or there are many of them, all
// segments are merged into one.
//
// In a corpus of at most smallCorpus files all are compared before each answer.
// In a larger one that would take longer than the search itself, so all are
// compared once a minute, and those behind an answer always.
const (
	smallCorpus = 2000
	checkEvery  = time.Minute
	justNow     = 100 * time.Millisecond // how old a comparison may be for a question that finds nothing

	maxDeltaFiles = 300 // files in deltas before they are merged into the base
	maxDeltas     = 6   // deltas before they are merged
	maxTouched    = 64  // files whose time changed but not their content, before times are written anew
)

// freshness is how true to the files a library is known to be.
type freshness struct {
	checked   time.Time // when all files were last compared; zero if not known
	took      time.Duration
	earlier   bool    // by another program, or by this one before
	refreshed int     // files taken in since then, by this library or those it came from
	note      string  // what kept it from being brought up to date
	skipped   *[]Skip // what was skipped when all files were compared; nil means what the index says
}

// known is a live file of the index.
type known struct {
	path     string
	seg, row int
	file     doctable.File
}

// Refresh compares the index with all files and returns a library that is up
// to date: l itself when nothing has changed. An index that turns out to be
// damaged is made anew. Where the index cannot be written
// l is returned too, and says so in its answers; they stay correct, because
// the files behind an answer are always checked.
func (l *Library) Refresh(ctx context.Context, o Options) (*Library, error) {
	if l.snap == nil {
		return l, nil // made a moment ago, in memory
	}
	if l.unkept != nil {
		return l.asKept(ctx, o)
	}
	began := time.Now()
	folders := l.corpus.folders()
	entries, skipped, err := l.source.list(ctx, folders)
	if err != nil {
		return nil, err
	}
	l.corpus.keepFolders(folders)
	now := time.Now()
	d, err := l.compare(entries)
	if Damaged(err) {
		return l.remake(ctx, err, o)
	}
	if err != nil {
		return nil, err
	}
	d.skipped = append(d.skipped, skipped...)
	slices.SortStableFunc(d.skipped, func(a, b Skip) int { return strings.Compare(a.Path, b.Path) })
	if d.empty() && !l.lacks(o) {
		l.setFresh(freshness{checked: now, took: time.Since(began), refreshed: l.fresh().refreshed, skipped: &d.skipped})
		if len(entries) > smallCorpus {
			l.corpus.setLastCheck(now)
		}
		return l, nil
	}
	next := l
	if !d.empty() {
		next, err = l.take(ctx, d, o)
	}
	if err == nil && next.lacks(o) {
		next, err = next.completed(ctx, l, o)
	}
	if Damaged(err) {
		return l.remake(ctx, err, o)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		state := l.fresh()
		state.skipped = &d.skipped
		state.checked, state.earlier, state.took = now, false, time.Since(began)
		state.note = fmt.Sprintf("index not brought up to date: %v", err)
		l.setFresh(state)
		o.note("%s", state.note)
		return l, nil
	}
	state := freshness{checked: now, took: time.Since(began), refreshed: l.fresh().refreshed + d.count()}
	if !d.rebuild { // which reads all files, and the index says what it skipped
		state.skipped = &d.skipped
	}
	next.setFresh(state)
	if next.unkept == nil {
		l.corpus.setLastCheck(now)
	}
	return next, nil
}

// unsure is why a library should not yet say, of what was asked at a time, that it
// is not there: its files were not compared just before, and there may be new ones.
func (l *Library) unsure(asked time.Time) error {
	state := l.fresh()
	if !l.corpus.sure || l.snap == nil || l.unkept != nil || state.checked.IsZero() {
		return nil
	}
	if state.earlier || asked.Sub(state.checked) > max(justNow, 4*state.took) {
		return &StaleError{}
	}
	return nil
}

// RefreshFiles takes in some files that were found to have changed; with none, or
// when one of them is gone, it compares all there are. Where they cannot be, because the index cannot be written,
// the library it returns has an index in memory: an answer that is slow is better
// than none.
func (l *Library) RefreshFiles(ctx context.Context, paths []string, o Options) (*Library, error) {
	if l.pack != nil {
		return l, nil
	}
	if l.snap == nil {
		return l.inMemory(ctx, o)
	}
	if l.unkept != nil {
		return l.asKept(ctx, o)
	}
	if len(paths) == 0 {
		return l.Refresh(ctx, o)
	}
	d := diff{}
	gone := false
	for _, p := range paths {
		k, ok, err := l.find(p)
		if err != nil {
			return nil, err
		}
		f, skip, err := l.source.read(p)
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
		if next, err := l.Refresh(ctx, o); err != nil || next.fresh().note == "" {
			return next, err
		}
	}
	slices.SortFunc(d.changed, func(a, b crawl.File) int { return strings.Compare(a.Path, b.Path) })
	next, err := l.take(ctx, &d, o)
	if err != nil && ctx.Err() == nil && !Damaged(err) {
		o.note("an index is made in memory: %v", err)
		return l.inMemory(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	state := l.fresh()
	state.refreshed += d.count()
	next.setFresh(state)
	return next, nil
}

// inMemory makes an index anew in memory: by words alone where vectors come from an
// endpoint, which would be asked for all of them.
func (l *Library) inMemory(ctx context.Context, o Options) (*Library, error) {
	c := *l.corpus
	if l.meta.Model.Kind == remoteModel {
		c.choice = choice{kind: noModel}
	}
	return c.makeInMemory(ctx, o)
}

// remake makes an index anew that turned out to be damaged.
func (l *Library) remake(ctx context.Context, damage error, o Options) (*Library, error) {
	o.note("the index is damaged and is made anew: %v", damage)
	return l.corpus.makeOrHold(ctx, o, false)
}

// Rebuild makes the index of a library anew. The library it is given may be
// closed, and must not be used any more.
func Rebuild(ctx context.Context, l *Library, o Options) (*Library, error) {
	return l.corpus.makeOrHold(ctx, o, false)
}

// checkedName is a file beside the index whose time says when all files were
// last compared. Losing it costs one comparison.
const checkedName = "checked"

// lastCheck is not known when it lies ahead of us: the clock was set back, or the
// file came from elsewhere.
func (c *corpus) lastCheck() (time.Time, bool) {
	info, err := os.Lstat(filepath.Join(c.store, checkedName))
	if err != nil || !info.Mode().IsRegular() || info.ModTime().After(time.Now()) {
		return time.Time{}, false
	}
	return info.ModTime(), true
}

// setLastCheck keeps to the folder of the index, which may have come with a clone.
func (c *corpus) setLastCheck(at time.Time) {
	root, err := os.OpenRoot(c.store)
	if err != nil {
		return
	}
	defer root.Close()
	info, err := root.Lstat(checkedName)
	if err == nil && !info.Mode().IsRegular() {
		return
	}
	if err != nil && root.WriteFile(checkedName, nil, 0o644) != nil {
		return
	}
	_ = root.Chtimes(checkedName, at, at)
}
