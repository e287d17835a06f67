package snapshot

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// A textOrder numbers the texts of several segments as if they were one: by path, then
// by position in the file. It is a list of runs, because the texts of the base are in
// order already and few files come in between.
type textOrder []textRun

// A textRun is texts that follow each other in both numberings.
type textRun struct{ first, place uint32 }

// place returns the number of a text among all. That of a dead text means nothing.
func (o textOrder) place(text uint32) uint32 {
	i := sort.Search(len(o), func(i int) bool { return o[i].first > text }) - 1
	return o[i].place + (text - o[i].first)
}

// pathOrder orders the texts of all segments. Only where the files of the others
// come in between those of the base is looked up, so that opening does not read a
// table of all files.
func pathOrder(v *View) (textOrder, error) {
	type insert struct {
		File
		before int // text of the base
	}
	var files []insert
	bases := min(v.Meta.Bases(), len(v.Segments))
	end := v.first[bases-1] + v.Segments[bases-1].Table.Chunks()
	for i, s := range v.Segments[bases:] {
		for row := range s.Table.Files() {
			if s.Dead[row] {
				continue
			}
			k, err := v.File(bases+i, row)
			if err != nil {
				return nil, err
			}
			before, err := textAfter(v, v.Segments[:bases], k.Path)
			if err != nil {
				return nil, err
			}
			files = append(files, insert{k, min(before, end)})
		}
	}
	slices.SortFunc(files, func(a, b insert) int { return cmp.Compare(a.Path, b.Path) })
	order := textOrder{{0, 0}}
	inserted := 0
	for _, k := range files {
		if k.Info.Chunks == 0 {
			continue
		}
		order = append(order, textRun{uint32(v.first[k.Seg] + k.Info.FirstChunk), uint32(k.before + inserted)})
		inserted += k.Info.Chunks
		if k.before < end {
			order = append(order, textRun{uint32(k.before), uint32(k.before + inserted)})
		}
	}
	// Of runs that begin with the same text of the base the last holds: between the
	// others nothing is left of it.
	slices.SortStableFunc(order, func(a, b textRun) int { return cmp.Compare(a.first, b.first) })
	return order, nil
}

// textAfter returns the first text of the files in base that do not come before path;
// a very large number when all do.
func textAfter(v *View, base []*Segment, path string) (int, error) {
	for i, s := range base {
		at, _, err := s.Table.Find(path)
		if err != nil {
			return 0, err
		}
		if at < s.Table.Files() {
			first, _, err := s.Table.ChunksOf(at)
			return v.first[i] + first, err
		}
	}
	return math.MaxInt, nil
}
