package refresh

import (
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/source/crawl"
)

// A diff is what differs between an index and its files.
type diff struct {
	changed []crawl.File    // new, or with new content, in the order of paths
	dead    []snapshot.File // rows that are superseded or whose file is gone
	touched int             // files with a new time and the same content
	rebuild bool            // so much has changed that rebuilding is cheaper
	all     bool            // all files were compared, not only some
	skipped []answer.Skip   // if so, what cannot be read
}

func (d *diff) empty() bool {
	return len(d.changed) == 0 && len(d.dead) == 0 && d.touched <= maxTouched && !d.rebuild
}

func (d *diff) count() int { return max(len(d.changed), len(d.dead)) }

// A fileStat is what tells an unchanged file of the index.
type fileStat struct {
	path     string
	size     int64
	time     int64
	seg, row int
}

// stats lists the files of the index in the order of their paths.
func stats(v *snapshot.View) ([]fileStat, error) {
	var out []fileStat
	for i, s := range v.Segments {
		of := make([]fileStat, 0, s.Table.Files())
		for row := range s.Table.Files() {
			if s.Dead[row] {
				continue
			}
			b := fileStat{seg: i, row: row}
			var err error
			if b.path, b.size, b.time, err = s.Table.Stat(row); err != nil {
				return nil, err
			}
			of = append(of, b)
		}
		out = mergeStats(out, of)
	}
	return out, nil
}

// mergeStats joins two lists that are in order, of which the second is mostly
// short.
func mergeStats(a, b []fileStat) []fileStat {
	if len(a) == 0 {
		return b
	}
	out := make([]fileStat, 0, len(a)+len(b))
	for _, f := range b {
		n, _ := slices.BinarySearchFunc(a, f.path, func(x fileStat, path string) int { return strings.Compare(x.path, path) })
		out = append(append(out, a[:n]...), f)
		a = a[n:]
	}
	return append(out, a...)
}

// compare finds what has changed, by size and time, and by content where these cannot be
// trusted, and in files that were found to be stale: one that cannot be read any more
// keeps its size and time.
func (i *committed) compare(entries []crawl.Entry, stale []string) (d *diff, err error) {
	err = segment.Guard(func() (err error) {
		d, err = i.findChanges(entries, stale)
		return err
	})
	return d, err
}

func (i *committed) findChanges(entries []crawl.Entry, stale []string) (*diff, error) {
	v := i.view
	files, err := stats(v)
	if err != nil {
		return nil, err
	}
	d := &diff{all: true}
	gone := func(b fileStat) error {
		k, err := v.File(b.seg, b.row)
		d.dead = append(d.dead, k)
		return err
	}
	var suspects []crawl.Entry
	var before []*snapshot.File // what the index has for each suspect, or nil
	at := 0
	for _, e := range entries {
		for ; at < len(files) && files[at].path < e.Path; at++ {
			if err := gone(files[at]); err != nil {
				return nil, err
			}
		}
		var k *snapshot.File
		if at < len(files) && files[at].path == e.Path {
			b := files[at]
			at++
			if b.size == e.Size && b.time == e.ModTime.UnixNano() && i.trusts(b.time) && !slices.Contains(stale, e.Path) {
				continue
			}
			full, err := v.File(b.seg, b.row)
			if err != nil {
				return nil, err
			}
			k = &full
		}
		suspects, before = append(suspects, e), append(before, k)
	}
	for ; at < len(files); at++ {
		if err := gone(files[at]); err != nil {
			return nil, err
		}
	}
	if differ := differing(v, suspects, before); differ > max(maxDeltaFiles, len(files)/4) && 2*differ > len(suspects) {
		d.rebuild = true
		return d, nil
	}
	for n, e := range suspects {
		f, skip, err := i.folder.Files.Read(e.Path)
		if err != nil {
			return nil, err
		}
		k := before[n]
		if skip == nil && k != nil && k.Info.Hash == snapshot.ContentHash(f.Data) {
			if hasOtherTime(e, k) {
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
// most do, reading them only to compare would be wasted, because a rebuild reads them
// again. Indexed files without a trusted mtime count as unchanged, which most are. Of
// files that are not indexed, as many count as unreadable as were skipped before.
func differing(v *snapshot.View, suspects []crawl.Entry, before []*snapshot.File) int {
	unknown, changed := 0, 0
	for n, k := range before {
		switch {
		case k == nil:
			unknown++
		case hasOtherTime(suspects[n], k):
			changed++
		}
	}
	return changed + max(unknown-v.Meta.Skips, 0)
}

// hasOtherTime reports whether the index has a time for a file, and the file another.
func hasOtherTime(e crawl.Entry, k *snapshot.File) bool {
	return k.Info.ModTime != 0 && k.Info.ModTime != e.ModTime.UnixNano()
}

// checked records that all files were compared at a time, if the next program needs to
// know: where that is quick, it compares them in any case.
func (i *committed) checked(at time.Time, took time.Duration) {
	k := check{at, took, bootID()}
	if k.isSlow() || i.last.isSlow() || i.rebooted() {
		k.save(i.corpus)
	}
	i.last = k
}

// A power cut takes from files what was written to them in the last moments, and may
// leave them their size and time: the system writes texts to disk later than names. An
// index that was written meanwhile knows the texts that are lost. So after a start of the
// system, files with a time close to the last commit, or after it, are read again.
//
// flushTime is how close. Linux writes after 30 seconds, and looks every 5 seconds for
// what is due; others are quicker.
const flushTime = time.Minute

// rebooted reports whether the system was started since the files were last compared,
// or may have been.
func (i *committed) rebooted() bool {
	boot := bootID()
	return boot == "" || i.view.Meta.Boot != boot && i.last.Boot != boot
}

// trusts reports whether the size and time of an indexed file tell that it is unchanged.
func (i *committed) trusts(modTime int64) bool {
	return modTime != 0 && (!i.rebooted() || modTime < i.view.Meta.Updated.Add(-flushTime).UnixNano())
}
