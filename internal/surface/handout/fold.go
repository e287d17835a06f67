package handout

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
)

// commonFolder returns the deepest folder of all files, with a slash at the end; "" for
// the top.
func commonFolder(files []answer.ManifestFile) string {
	if len(files) == 0 {
		return ""
	}
	common := path.Dir(files[0].File) + "/"
	for i := range files {
		for common != "./" && !strings.HasPrefix(files[i].File, common) {
			common = path.Dir(strings.TrimSuffix(common, "/")) + "/"
		}
	}
	return strings.TrimPrefix(common, "./")
}

// fold groups the files by folder, as deep as the budget allows: folders at the top
// first, then those in each, as long as there is room for a line each. A folder of one
// file is no group: the file stays with those above it.
func fold(files []answer.ManifestFile, folders []answer.Folder, above string, budget int) []*area {
	common := commonHeadings(files)
	filesIn := countFiles(files, above)
	room := budget / 3 * 2
	divided := map[string]bool{"": true}
	for level, folders := range foldersByLevel(files, above, filesIn) {
		if level == 0 { // always shown
			for _, lines := range folders {
				room -= lines
			}
			continue
		}
		names := slices.SortedFunc(maps.Keys(folders), func(a, b string) int {
			return cmp.Or(cmp.Compare(folders[a], folders[b]), strings.Compare(a, b))
		})
		for _, name := range names {
			if divided[folderAt(name, level-1)] && folders[name] <= room {
				divided[name] = true
				room -= folders[name]
			}
		}
	}
	byName := map[string]*area{}
	var areas []*area
	for i := range files {
		rel := files[i].File[len(above):]
		name := ""
		for level := 0; divided[name]; level++ {
			next := folderAt(rel, level+1)
			if next == name || filesIn[next] == 1 && level > 0 {
				break
			}
			name = next
		}
		a := byName[name]
		if a == nil {
			a = &area{name: visible(name), about: aboutOf(folders, above+name)}
			byName[name] = a
			areas = append(areas, a)
		}
		a.files = append(a.files, newEntry(&files[i], above+name, common))
	}
	slices.SortStableFunc(areas, func(a, b *area) int { return strings.Compare(a.name, b.name) })
	return areas
}

// limitAbout leaves out what is said of the deepest folders, so that what is left takes no
// more than most bytes.
func limitAbout(areas []*area, most int) {
	order := slices.Clone(areas)
	slices.SortStableFunc(order, func(a, b *area) int {
		return cmp.Compare(strings.Count(a.name, "/"), strings.Count(b.name, "/"))
	})
	for _, a := range order {
		if most -= len(a.about) + 1; most < 0 {
			a.about = ""
		}
	}
}

// aboutOf returns what is said of a folder, whose name ends in a slash.
func aboutOf(folders []answer.Folder, name string) string {
	for _, f := range folders {
		if f.Folder+"/" == name {
			return quote(f.About, 2*maxTitle)
		}
	}
	return ""
}

// countFiles returns how many files are in each folder, and in those below it.
func countFiles(files []answer.ManifestFile, above string) map[string]int {
	n := map[string]int{}
	for i := range files {
		rel := files[i].File[len(above):]
		for at, c := range rel {
			if c == '/' {
				n[rel[:at+1]]++
			}
		}
	}
	return n
}

// foldersByLevel returns, for each level, the bytes that lines for the folders in each
// folder take: at level 0 of the top, at level 1 of the folders in it, and so on.
func foldersByLevel(files []answer.ManifestFile, above string, filesIn map[string]int) []map[string]int {
	var levels []map[string]int
	seen := map[string]bool{}
	for i := range files {
		rel := files[i].File[len(above):]
		for level := 0; level < 32; level++ {
			in, folder := folderAt(rel, level), folderAt(rel, level+1)
			if folder == in {
				break
			}
			if len(levels) == level {
				levels = append(levels, map[string]int{})
			}
			if !seen[folder] && (filesIn[folder] > 1 || level == 0) {
				seen[folder] = true
				levels[level][in] += len(folder) + len(" (100 files)\n")
			}
		}
	}
	return levels
}

// folderAt returns the first n folders of a file's path.
func folderAt(file string, n int) string {
	at := 0
	for range n {
		i := strings.IndexByte(file[at:], '/')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return file[:at]
}
