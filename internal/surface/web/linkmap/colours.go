package linkmap

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// colour assigns colours to the largest top folders.
func (v *View) colour(at Addresses, top string, spots []*spot) {
	tops := topFolders(top, spots)
	name := func(s *spot) string {
		d := s.dir
		if s.folder {
			d = s.path
		}
		for ; d != ""; d = parent(d) {
			if _, ok := tops[d]; ok {
				return d
			}
		}
		return ""
	}
	names := slices.SortedFunc(maps.Keys(tops), func(a, b string) int {
		return cmp.Or(cmp.Compare(tops[b], tops[a]), cmp.Compare(a, b))
	})
	group := map[string]int{}
	for i, n := range names {
		if i == colours {
			break
		}
		group[n] = i + 1
		v.Legend = append(v.Legend, Legend{Class: fmt.Sprintf("c%d", i+1), Name: n, Files: tops[n], URL: at.Folder(n)})
	}
	for _, s := range spots {
		s.group = group[name(s)]
	}
}

// topFolders chooses the folders that get a colour, and counts the files in each: the
// folders at the top, with one that has more than half of all files replaced by its
// own folders.
func topFolders(top string, spots []*spot) map[string]int {
	files, total := map[string]int{}, 0
	inner := map[string]map[string]bool{}
	for _, s := range spots {
		total += s.files
		start := s.dir
		if s.folder {
			start = s.path
		}
		for d := start; d != top && d != ""; d = parent(d) {
			files[d] += s.files
			up := parent(d)
			if inner[up] == nil {
				inner[up] = map[string]bool{}
			}
			inner[up][d] = true
		}
	}
	out := map[string]int{}
	open := func(d string) {
		for in := range inner[d] {
			out[in] = files[in]
		}
	}
	open(top)
	for {
		best := ""
		for d, n := range out {
			large := 0 // files in folders of it that are worth a colour
			for in := range inner[d] {
				if 30*files[in] > total {
					large += files[in]
				}
			}
			if 2*n > total && 2*large > n {
				best = d
			}
		}
		if best == "" {
			return out
		}
		delete(out, best)
		open(best)
	}
}
