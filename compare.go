package docent

import (
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/source/crawl"
)

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
			k, err := l.known(i, row)
			if err != nil {
				return nil, err
			}
			out = append(out, k)
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

// known is all that the index has of the file in a row.
func (l *Library) known(seg, row int) (known, error) {
	f, err := l.segs[seg].cat.File(row)
	return known{f.Path, seg, row, f}, err
}

// compare finds what has changed.
func (l *Library) compare(entries []crawl.Entry) (*diff, error) {
	files, err := l.briefs()
	if err != nil {
		return nil, err
	}
	d := &diff{all: true}
	gone := func(b brief) error {
		k, err := l.known(b.seg, b.row)
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
			full, err := l.known(b.seg, b.row)
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

func contentHash(data []byte) doctable.Hash {
	sum := sha256.Sum256(data)
	return doctable.Hash(sum[:16])
}
