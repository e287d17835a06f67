// Package linkmap draws the links between the documents of a library as a map: which
// circles there are, where they lie and which lines join them. What becomes of it on a
// page is for the caller, who also says what the addresses are.
package linkmap

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// A Graph has the links between documents, broken links and orphans.
type Graph struct {
	files []graphFile
	edges []edge // in order, each pair once
}

type graphFile struct {
	answer.FileInfo
	in, out int // other documents that link to it, and that it links to
	broken  int
	orphan  bool
}

type edge struct{ from, to, count int }

// NewGraph reads the links of a library.
func NewGraph(ctx context.Context, lib *docent.Library) (*Graph, error) {
	list, err := lib.Files(ctx, "")
	if err != nil {
		return nil, err
	}
	health, err := lib.Check(ctx, answer.CheckOptions{Only: "broken-link,broken-anchor,outside,missing-file,missing-image,orphan"})
	if err != nil {
		return nil, err
	}
	g := &Graph{files: make([]graphFile, len(list.Files))}
	number := map[string]int{}
	for i, f := range list.Files {
		g.files[i].FileInfo = f
		number[f.File] = i
	}
	for _, p := range health.Problems {
		i, known := number[p.File]
		if !known { // it was added meanwhile
			continue
		}
		f := &g.files[i]
		if p.Kind == "orphan" {
			f.orphan = true
		} else {
			f.broken++
		}
	}
	counts := map[[2]int]int{}
	add := func(from, to string) {
		a, known := number[from]
		b, alsoKnown := number[to]
		if known && alsoKnown && a != b {
			counts[[2]int{a, b}]++
		}
	}
	if err := lib.EachLink(ctx, add); err != nil {
		return nil, err
	}
	g.edges = sortedEdges(counts)
	for _, e := range g.edges {
		g.files[e.from].out++
		g.files[e.to].in++
	}
	return g, nil
}

// sortedEdges returns an edge for each pair, in order.
func sortedEdges(counts map[[2]int]int) []edge {
	out := make([]edge, 0, len(counts))
	for pair, n := range counts {
		out = append(out, edge{pair[0], pair[1], n})
	}
	slices.SortFunc(out, func(a, b edge) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	return out
}

// A spot is one circle of the map: a file, or a whole folder if there are too many
// files to tell apart.
type spot struct {
	path    string // of the file or folder
	title   string
	folder  bool
	files   int
	in, out int
	broken  int
	orphans int
	dir     string // its folder
	group   int    // its colour

	circle
}

// MaxSpots limits the spots of a map to about as many as can be told apart on a
// screen. A folder with more entries than that has several maps.
const MaxSpots = 1200

// A Part is what one map shows: the entries of a folder, or MaxSpots of them.
type Part struct {
	Dir  string
	Page int // from 0
}

// entries numbers what is right in a folder, in the order of the files.
func (g *Graph) entries(dir string) map[string]int {
	out := map[string]int{}
	for _, f := range g.files {
		if under(f.File, dir) {
			if name := entry(f.File, dir); out[name] == 0 {
				out[name] = len(out) + 1
			}
		}
	}
	return out
}

// Entries counts what is right in a folder.
func (g *Graph) Entries(dir string) int { return len(g.entries(dir)) }

// entry is the name of what is right in a folder and has the file in it, or is it.
func entry(file, dir string) string {
	if dir != "" {
		file = file[len(dir)+1:]
	}
	name, _, _ := strings.Cut(file, "/")
	return name
}

// Names are those of the entries that a part has.
func (g *Graph) Names(part Part) map[string]bool {
	out := map[string]bool{}
	for name, n := range g.entries(part.Dir) {
		if (n-1)/MaxSpots == part.Page {
			out[name] = true
		}
	}
	return out
}

// shown lists which files are in a part.
func (g *Graph) shown(part Part) (in []bool, count int) {
	in = make([]bool, len(g.files))
	names := g.Names(part)
	for i, f := range g.files {
		if under(f.File, part.Dir) && names[entry(f.File, part.Dir)] {
			in[i] = true
			count++
		}
	}
	return in, count
}

// spots divides the files of a part into at most MaxSpots spots: each file
// by itself if they are few enough, else the largest folders are opened one after
// another until there are some hundreds. It returns which spot each file is
// in, -1 for those outside the part.
func (g *Graph) spots(part Part) (out []*spot, of []int) {
	dir := part.Dir
	of = make([]int, len(g.files))
	in, inside := g.shown(part)
	closed := map[string]bool{} // folders shown as one spot
	if inside > MaxSpots {
		closed = g.closedFolders(dir, in)
	}
	at := map[string]int{}
	for i, f := range g.files {
		if of[i] = -1; !in[i] {
			continue
		}
		name, folder := f.File, false
		for d := path.Dir(f.File); d != "." && d != dir; d = path.Dir(d) {
			if closed[d] {
				name, folder = d, true
			}
		}
		n, ok := at[name]
		if !ok {
			n = len(out)
			at[name] = n
			out = append(out, &spot{path: name, title: f.Title, folder: folder, dir: parent(name)})
			if folder {
				out[n].title = path.Base(name)
			}
		}
		of[i] = n
		s := out[n]
		s.files++
		s.broken += f.broken
		if f.orphan {
			s.orphans++
		}
	}
	for i, n := range of { // a folder of one file is that file
		if n >= 0 && out[n].folder && out[n].files == 1 {
			s := out[n]
			s.path, s.title, s.folder = g.files[i].File, g.files[i].Title, false
		}
	}
	return out, of
}

// PartWith returns the part whose map shows a file as a circle of its own: of the first of
// the folders above it, from the top; ok is false if there is no such file.
func (g *Graph) PartWith(file string) (part Part, ok bool) {
	i := slices.IndexFunc(g.files, func(f graphFile) bool { return f.File == file })
	for i >= 0 {
		part.Page = (g.entries(part.Dir)[entry(file, part.Dir)] - 1) / MaxSpots
		spots, of := g.spots(part)
		s := spots[of[i]]
		if !s.folder {
			return part, true
		}
		part.Dir = s.path
	}
	return Part{}, false
}

// closedFolders opens the largest folder again and again, as long as its content fits,
// and returns those that stay closed.
func (g *Graph) closedFolders(dir string, in []bool) map[string]bool {
	const wanted = 400
	total := map[string]int{}                // files below a folder
	children := map[string]map[string]bool{} // its folders
	loose := map[string]int{}                // files right in it
	for i, f := range g.files {
		if !in[i] {
			continue
		}
		loose[parent(f.File)]++
		for d := parent(f.File); ; d = parent(d) {
			total[d]++
			if d == dir || d == "" {
				break
			}
			up := parent(d)
			if children[up] == nil {
				children[up] = map[string]bool{}
			}
			children[up][d] = true
		}
	}
	closed := map[string]bool{}
	count := 0
	open := func(d string) {
		delete(closed, d)
		for c := range children[d] {
			closed[c] = true
		}
		count += loose[d] + len(children[d])
	}
	open(dir)
	for {
		best := ""
		for d := range closed {
			fits := count-1+loose[d]+len(children[d]) <= wanted
			if fits && (best == "" || total[d] > total[best] || total[d] == total[best] && d < best) {
				best = d
			}
		}
		if best == "" {
			return closed
		}
		count--
		open(best)
	}
}

func under(file, dir string) bool { return dir == "" || strings.HasPrefix(file, dir+"/") }

// parent returns the folder of a path; "" at the top.
func parent(p string) string {
	if d := path.Dir(p); d != "." {
		return d
	}
	return ""
}

func (g *Graph) between(spots []*spot, of []int) []edge {
	counts := map[[2]int]int{}
	for _, e := range g.edges {
		if a, b := of[e.from], of[e.to]; a != b || a < 0 {
			if a >= 0 {
				spots[a].out++
			}
			if b >= 0 {
				spots[b].in++
			}
			if a >= 0 && b >= 0 {
				counts[[2]int{a, b}] += e.count
			}
		}
	}
	return sortedEdges(counts)
}
