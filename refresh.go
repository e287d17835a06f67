package docent

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/catalog"
	"github.com/docent-md/docent/internal/crawl"
	"github.com/docent-md/docent/internal/segment"
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
	file     catalog.File
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

// A diff is what an index must take in.
type diff struct {
	changed []crawl.File // new, or with new content, in the order of paths
	dead    []known      // rows that no longer hold: replaced or gone
	touched int          // files with a new time and the same content
	rebuild bool         // so much has changed that all is read again
	all     bool         // all files were compared, not only some
	skipped []Skip       // if so, what cannot be read
}

func (d *diff) empty() bool {
	return len(d.changed) == 0 && len(d.dead) == 0 && d.touched <= maxTouched && !d.rebuild
}

func (d *diff) count() int { return max(len(d.changed), len(d.dead)) }

// live lists the files of the index in the order of their paths.
func (l *Library) live() ([]known, error) {
	var out []known
	for i, s := range l.segs {
		for row := range s.cat.Files() {
			if s.dead[row] {
				continue
			}
			f, err := s.cat.File(row)
			if err != nil {
				return nil, err
			}
			out = append(out, known{f.Path, i, row, f})
		}
	}
	if len(l.segs) > 1 {
		slices.SortFunc(out, func(a, b known) int { return strings.Compare(a.path, b.path) })
	}
	return out, nil
}

// A brief is what it takes to see that a live file is unchanged.
type brief struct {
	path     string
	size     int64
	time     int64
	seg, row int
}

// briefs lists the files of the index in the order of their paths.
func (l *Library) briefs() ([]brief, error) {
	var out []brief
	for i, s := range l.segs {
		of := make([]brief, 0, s.cat.Files())
		for row := range s.cat.Files() {
			if s.dead[row] {
				continue
			}
			b := brief{seg: i, row: row}
			var err error
			if b.path, b.size, b.time, err = s.cat.Stat(row); err != nil {
				return nil, err
			}
			of = append(of, b)
		}
		out = mergeBriefs(out, of)
	}
	return out, nil
}

// mergeBriefs joins two lists that are in order, of which the second is mostly
// short.
func mergeBriefs(a, b []brief) []brief {
	if len(a) == 0 {
		return b
	}
	out := make([]brief, 0, len(a)+len(b))
	for _, f := range b {
		n, _ := slices.BinarySearchFunc(a, f.path, func(x brief, path string) int { return strings.Compare(x.path, path) })
		out = append(append(out, a[:n]...), f)
		a = a[n:]
	}
	return append(out, a...)
}

// known is all that the index has of a file.
func (l *Library) known(b brief) (known, error) {
	f, err := l.segs[b.seg].cat.File(b.row)
	return known{b.path, b.seg, b.row, f}, err
}

// compare finds what has changed.
func (l *Library) compare(entries []crawl.Entry) (*diff, error) {
	files, err := l.briefs()
	if err != nil {
		return nil, err
	}
	d := &diff{all: true}
	gone := func(b brief) error {
		k, err := l.known(b)
		d.dead = append(d.dead, k)
		return err
	}
	var suspects []crawl.Entry
	var before []*known // what the index has for each suspect, or nil
	i := 0
	for _, e := range entries {
		for ; i < len(files) && files[i].path < e.Path; i++ {
			if err := gone(files[i]); err != nil {
				return nil, err
			}
		}
		var k *known
		if i < len(files) && files[i].path == e.Path {
			b := files[i]
			i++
			if b.size == e.Size && b.time == e.ModTime.UnixNano() && b.time != 0 {
				continue
			}
			full, err := l.known(b)
			if err != nil {
				return nil, err
			}
			k = &full
		}
		suspects, before = append(suspects, e), append(before, k)
	}
	for ; i < len(files); i++ {
		if err := gone(files[i]); err != nil {
			return nil, err
		}
	}
	if differ := l.differing(before); differ > max(maxDeltaFiles, len(files)/4) && 2*differ > len(suspects) {
		d.rebuild = true
		return d, nil
	}
	for i, e := range suspects {
		f, skip, err := l.source.read(e.Path)
		if err != nil {
			return nil, err
		}
		k := before[i]
		if skip == nil && k != nil && k.file.Hash == contentHash(f.Data) {
			if k.file.ModTime != 0 {
				d.touched++
			}
			continue
		}
		if k != nil {
			d.dead = append(d.dead, *k)
		}
		if skip == nil {
			d.changed = append(d.changed, f)
		} else {
			d.skipped = append(d.skipped, *skip)
		}
	}
	return d, nil
}

// differing estimates how many suspects differ from what the index has for them: if
// most do, reading them only to compare would be work done twice. Files that the
// index holds with a time not to be trusted are often unchanged, and of those it
// does not hold, as many are taken for unreadable as were before.
func (l *Library) differing(before []*known) int {
	unknown, changed := 0, 0
	for _, k := range before {
		switch {
		case k == nil:
			unknown++
		case k.file.ModTime != 0:
			changed++
		}
	}
	return changed + max(unknown-l.meta.Skips, 0)
}

func contentHash(data []byte) catalog.Hash {
	sum := sha256.Sum256(data)
	return catalog.Hash(sum[:16])
}

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
