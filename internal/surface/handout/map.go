package handout

import (
	"cmp"
	"fmt"
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
// the order of paths, and what does not fit is skipped. Folders are divided into those
// in them, level by level and the smallest first, as long as a line for each takes no
// more than two thirds of the budget; what stays at level 0 names what it holds as far
// as there is room. A prefix of all paths is shown once. Headings that many files share
// ("What's next") and those of changelogs are left out, and files of hardly any text
// share a line.
const (
	maxTitle    = 70  // characters of a title or heading
	maxHeadings = 320 // bytes of a file's headings at level 3; twice that at level 4
	stubTokens  = 60  // a file without headings that has fewer tokens is a stub
	minStubs    = 3   // this many stubs of a folder share a line
)

// An area is a folder of the map. At the greatest depth shown it includes the files of
// all folders below it.
type area struct {
	name  string // below the common folder, with a slash at the end; "" for the top
	about string // what is said of it, in a sentence; may be empty
	step  int    // 0, 1, 2
	files []*entry
	holds []string // names of what it holds, for level 0
}

type entry struct {
	name string    // below its area
	line [5]string // by level, from 1
	step int       // 2, 3 or 4, when its area is at 2
	stub bool      // hardly any text
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
		fmt.Fprintf(b, "%s (%s)", name, count(len(a.files), "file"))
		if len(a.holds) > 0 {
			b.WriteString(" " + strings.Join(a.holds, ", ") + ", …")
		}
		b.WriteString("\n")
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
		var stubs []string
		for _, e := range a.files {
			if e.stub {
				stubs = append(stubs, e.name)
			}
		}
		for _, e := range a.files {
			if !e.stub || len(stubs) < minStubs {
				b.WriteString("  " + e.line[max(e.step, 2)] + "\n")
			}
		}
		if len(stubs) >= minStubs {
			b.WriteString("  " + strings.Join(stubs, ", ") + "\n")
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
	nameContents(order, room)
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

// nameContents spends what room is left on names of what folders hold that were shown
// at level 0, an equal share for each.
func nameContents(areas []*area, room int) {
	var closed []*area
	for _, a := range areas {
		if a.step == 0 {
			closed = append(closed, a)
		}
	}
	slices.SortStableFunc(closed, func(a, b *area) int { return cmp.Compare(len(a.files), len(b.files)) })
	for i, a := range closed {
		share := room/(len(closed)-i) - len(", …")
		used, last := 0, ""
		for _, e := range a.files {
			name := e.name
			if folder, _, below := strings.Cut(name, "/"); below {
				name = folder + "/"
			}
			if name == last {
				continue
			}
			last = name
			if used += len(name) + len(", "); used > share {
				used -= len(name) + len(", ")
				break
			}
			a.holds = append(a.holds, name)
		}
		if len(a.holds) > 0 {
			room -= used + len(", …")
		}
	}
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
