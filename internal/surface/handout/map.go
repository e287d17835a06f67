package handout

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/docent-md/docent/answer"
)

// A map of the documents that fits a budget of bytes.
//
// It shows folders and the files in each at one of five levels of detail:
//
// What is said of a folder follows its name.
//
//	0  guide/ (5 files)
//	1  guide/ deploy, keys, retries, scheduling, workers
//	2  guide/
//	     keys.md API keys
//	3    keys.md API keys: Make a key; Rotate a key
//	4    keys.md API keys: Make a key; Rotate a key (By hand; On a schedule)
//
// All folders get a level before any gets the next; levels 3 and 4 are given file by
// file. If there is no room for all, folders near the top of the tree come first, in
// the order of paths, and what does not fit is skipped. Folders are shown to the depth
// at which a line for each takes no more than two thirds of the budget; a prefix of all
// paths is shown once. Headings that many files share ("What's next") are left out.
const (
	maxTitle    = 70  // characters of a title or heading
	maxHeadings = 320 // bytes of a file's headings at level 3; twice that at level 4
)

// An area is a folder of the map. At the greatest depth shown it includes the files of
// all folders below it.
type area struct {
	name  string // below the common folder, with a slash at the end; "" for the top
	about string // what is said of it, in a sentence; may be empty
	step  int    // 0, 1, 2
	files []*entry
}

type entry struct {
	line [5]string // by level, from 1
	step int       // 2, 3 or 4, when its area is at 2
}

func (a *area) size(step int) int { return len(a.text(step)) }

func (a *area) text(step int) string {
	b := &strings.Builder{}
	name := cmp.Or(a.name, "./")
	if a.about != "" {
		name += " " + a.about
	}
	switch step {
	case 0:
		fmt.Fprintf(b, "%s (%s)\n", name, count(len(a.files), "file"))
	case 1:
		names := make([]string, len(a.files))
		for i, e := range a.files {
			names[i] = e.line[1]
		}
		if a.about != "" {
			name += ":"
		}
		fmt.Fprintf(b, "%s %s\n", name, strings.Join(names, ", "))
	default:
		b.WriteString(name + "\n")
		for _, e := range a.files {
			b.WriteString("  " + e.line[max(e.step, 2)] + "\n")
		}
	}
	return b.String()
}

// drawMap returns the map in at most budget bytes and lines lines, and a note for the
// reader: that names lack their extension, or that files are missing.
func drawMap(files []answer.ManifestFile, folders []answer.Folder, budget, lines int) (text, note string) {
	above := commonFolder(files)
	head := ""
	if above != "" {
		head = "in " + visible(above) + "\n"
		lines--
	}
	areas := fold(files, folders, above, budget)
	limitAbout(areas, budget/4)
	room := budget - len(head)
	tooMany := len(areas) - fitting(areas, room, lines)
	if tooMany > 0 { // the last line says how many
		shown := fitting(areas, room-len("and 100000 more folders\n"), lines-1)
		areas, tooMany = areas[:shown], len(areas)-shown
		lines--
	}
	for _, a := range areas {
		room -= a.size(0)
	}
	lines -= len(areas)
	order := slices.Clone(areas)
	slices.SortStableFunc(order, func(a, b *area) int {
		return cmp.Compare(strings.Count(a.name, "/"), strings.Count(b.name, "/"))
	})
	for step := 1; step <= 2; step++ {
		for _, a := range order {
			more := a.size(step) - a.size(step-1)
			rows := 0
			if step == 2 {
				rows = len(a.files)
			}
			if a.step == step-1 && more <= room && rows <= lines {
				a.step, room, lines = step, room-more, lines-rows
			}
		}
	}
	for step := 3; step <= 4; step++ {
		for _, a := range order {
			for _, e := range a.files {
				more := len(e.line[step]) - len(e.line[max(e.step, 2)])
				if a.step == 2 && more <= room {
					e.step, room = step, room-more
				}
			}
		}
	}
	b := &strings.Builder{}
	b.WriteString(head)
	listed, partial := false, tooMany > 0
	for _, a := range areas {
		b.WriteString(a.text(a.step))
		listed = listed || a.step == 1
		partial = partial || a.step == 0
	}
	if tooMany > 0 {
		fmt.Fprintf(b, "and %s\n", count(tooMany, "more folder"))
	}
	if listed {
		note += " Names on one line leave .md off."
	}
	if partial {
		note += " Not all files are named."
	}
	return b.String(), note
}

// fitting returns how many areas fit at level 0.
func fitting(areas []*area, room, lines int) int {
	for i, a := range areas {
		if room -= a.size(0); room < 0 || i >= lines {
			return i
		}
	}
	return len(areas)
}

// maxNote is the longest note of drawMap.
const maxNote = 60

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

// fold groups the files by folder, as deep as the budget allows.
func fold(files []answer.ManifestFile, folders []answer.Folder, above string, budget int) []*area {
	deepest := 1
	for i := range files {
		deepest = max(deepest, strings.Count(files[i].File[len(above):], "/"))
	}
	depth := min(deepest, 32)
	for ; depth > 1; depth-- {
		size, seen := 0, map[string]bool{}
		for i := range files {
			if name := folderAt(files[i].File[len(above):], depth); !seen[name] {
				seen[name] = true
				size += len(name) + len(" (100 files)\n")
			}
		}
		if size <= budget/3*2 {
			break
		}
	}
	common := commonHeadings(files)
	byName := map[string]*area{}
	var areas []*area
	for i := range files {
		name := folderAt(files[i].File[len(above):], depth)
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

func newEntry(f *answer.ManifestFile, folder string, common map[string]bool) *entry {
	e := &entry{}
	name := visible(strings.TrimPrefix(f.File, folder))
	title := quote(f.Title, maxTitle)
	if slug(title) == slug(strings.TrimSuffix(path.Base(name), path.Ext(name))) {
		title = ""
	}
	e.line[1] = strings.TrimSuffix(name, ".md")
	e.line[2] = strings.TrimRight(name+" "+title, " ")
	e.line[3] = withHeadings(e.line[2], f, 2, maxHeadings, common)
	e.line[4] = withHeadings(e.line[2], f, 3, 2*maxHeadings, common)
	return e
}

// withHeadings adds a file's headings down to a heading level, as many as fit into n
// bytes. Those below level 2 are in brackets after their parent.
func withHeadings(line string, f *answer.ManifestFile, deepest, n int, common map[string]bool) string {
	b := &strings.Builder{}
	inside := false
	for _, h := range f.Headings {
		text := quote(h.Title, maxTitle)
		if h.Level < 2 || h.Level > deepest || text == "" || common[slug(text)] {
			continue
		}
		if b.Len()+len(text) > n {
			text = "…"
		}
		switch {
		case h.Level == 2 && inside:
			b.WriteString("); " + text)
		case b.Len() == 0 || h.Level > 2 && inside || h.Level == 2:
			if b.Len() > 0 {
				b.WriteString("; ")
			}
			b.WriteString(text)
		default:
			b.WriteString(" (" + text)
			inside = true
		}
		inside = inside && h.Level > 2
		if text == "…" {
			break
		}
	}
	if b.Len() == 0 {
		return line
	}
	if inside {
		b.WriteString(")")
	}
	return line + ": " + b.String()
}

// commonHeadings returns those that more than a tenth of the files have, and at least
// six files.
func commonHeadings(files []answer.ManifestFile) map[string]bool {
	n := map[string]int{}
	for _, f := range files {
		seen := map[string]bool{}
		for _, h := range f.Headings {
			if s := slug(quote(h.Title, maxTitle)); !seen[s] {
				seen[s] = true
				n[s]++
			}
		}
	}
	common := map[string]bool{}
	for s, k := range n {
		common[s] = k > max(5, len(files)/10)
	}
	return common
}

// slug returns the words of a text in lower case, joined by hyphens.
func slug(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
	return strings.Join(words, "-")
}

// isHidden reports whether a character is invisible or reorders others.
func isHidden(r rune) bool {
	return unicode.Is(unicode.C, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
