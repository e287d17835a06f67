package linkmap

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Addresses say where files and folders are shown; they return "" where they are not.
type Addresses struct{ File, Folder func(path string) string }

// A View is the map as it is drawn.
type View struct {
	Spots  []Spot
	Rings  []Ring
	Lines  []Line
	Legend []Legend
	Labels []Label

	Files, Links, Drawn, Broken, Orphans int
	Folded                               int    // files that are shown as part of a folder
	Weight                               string // how strongly links are drawn: the fewer, the stronger
	Most, Lonely, Faulty                 []Spot
}

// A Spot is one circle of the map: a file, or a whole folder.
type Spot struct {
	circle  // in units of the map
	URL     string
	Class   string
	Title   string
	Path    string
	To      string // numbers of the spots it links to
	Folder  bool
	Files   int
	In, Out int
	Broken  int
	Orphan  bool
}

// A Ring is the circle around the files of a folder.
type Ring struct {
	circle
	Path string
}

// A Label is a name on the map.
type Label struct {
	X, Y, Size float64
	Text       string
	Class      string
}

// A Line is all the links from the spots of a colour.
type Line struct {
	Class string
	D     string
}

// A Legend says which folder has a colour.
type Legend struct {
	Class, Name, URL string
	Files            int
}

const (
	colours   = 9    // folders told apart by colour; the others are grey
	maxDrawn  = 1500 // links drawn; those that stand for most links first
	maxAmong  = 900  // links drawn among more circles than maxLinked, where more cannot be told apart
	maxListed = 25
	maxLinked = 400 // circles of a map that are links by themselves; those of a larger one become links later
)

// X, Y and R are what templates see of a circle, to a tenth of a unit.
func (c circle) X() float64 { return tenth(c.x) }

// Y is the other coordinate.
func (c circle) Y() float64 { return tenth(c.y) }

// R is the radius.
func (c circle) R() float64 { return tenth(c.r) }

// A Detail is what is told of a spot when it is pointed at.
type Detail struct {
	Title  string `json:"title"`
	In     int    `json:"in,omitempty"`
	Out    int    `json:"out,omitempty"`
	Broken int    `json:"broken,omitempty"`
	Files  int    `json:"files,omitempty"` // of a folder
	To     string `json:"to,omitempty"`    // numbers of the spots it links to

	// What the spots of a large map do not have themselves.
	Path string `json:"path,omitempty"`
	URL  string `json:"url,omitempty"`
}

// Details takes what is not needed to draw the spots out of them, in their order: a page
// can load that later. Of many spots it takes their links too, so that the page of a folder
// of any size is small.
func (v *View) Details() []Detail {
	out := make([]Detail, len(v.Spots))
	for i := range v.Spots {
		s := &v.Spots[i]
		out[i] = Detail{Title: s.Title, In: s.In, Out: s.Out, Broken: s.Broken, To: s.To}
		if len(v.Spots) > maxLinked {
			out[i].Path, out[i].URL = s.Path, s.URL
			s.Path, s.URL = "", ""
		}
		if s.Folder {
			out[i].Files = s.Files
		}
		s.Title, s.In, s.Out, s.Broken, s.Files, s.To = "", 0, 0, 0, 0, ""
	}
	return out
}

// New draws the links between the files of a part.
func New(g *Graph, part Part, at Addresses) *View {
	dir := part.Dir
	spots, of := g.spots(part)
	edges := g.between(spots, of)
	rings := arrange(dir, spots)
	v := &View{Links: len(edges)}
	if len(rings) == 0 || len(spots) == 0 {
		return v
	}
	v.colour(at, rings[0].path, spots)
	to := make([][]string, len(spots))
	for _, e := range edges {
		to[e.from] = append(to[e.from], fmt.Sprint(e.to))
	}
	for i, s := range spots {
		v.Spots = append(v.Spots, s.view(at, to[i]))
		v.Files += s.files
		v.Broken += s.broken
		v.Orphans += s.orphans
		if s.folder {
			v.Folded += s.files
		}
		if l, ok := s.label(); ok {
			v.Labels = append(v.Labels, l)
		}
	}
	for _, r := range rings {
		v.Rings = append(v.Rings, Ring{r.circle, r.path})
		if r.depth > 0 && r.r > 34 {
			v.name(r)
		}
	}
	v.draw(spots, edges, rings)
	v.lists()
	return v
}

// name writes the name of a folder at the top of its ring, unless it would cover
// another.
func (v *View) name(r *ring) {
	size := min(max(r.r/7, 9), 17)
	l := Label{tenth(r.x), tenth(r.y - r.r + size*0.4), tenth(size), clip(r.label, int(3.2*r.r/size)), "ring"}
	for _, o := range v.Labels {
		wide := 0.27 * (l.Size*float64(len(l.Text)) + o.Size*float64(len(o.Text)))
		if o.Class == l.Class && math.Abs(o.X-l.X) < wide && math.Abs(o.Y-l.Y) < (l.Size+o.Size)/2 {
			return
		}
	}
	v.Labels = append(v.Labels, l)
}

func (s *spot) view(at Addresses, to []string) Spot {
	v := Spot{
		circle: s.circle, Class: fmt.Sprintf("spot c%d", s.group), Title: plainTitle(s.title), Path: s.path, To: strings.Join(to, " "),
		Folder: s.folder, Files: s.files, In: s.in, Out: s.out, Broken: s.broken, Orphan: s.orphans > 0 && !s.folder,
	}
	v.URL = at.File(s.path)
	if s.folder {
		v.URL = at.Folder(s.path)
		v.Class += " folder"
	}
	if v.Broken > 0 {
		v.Class += " broken"
	}
	if v.Orphan {
		v.Class += " orphan"
	}
	return v
}

// label returns the name of a spot, if the spot is large enough for it.
func (s *spot) label() (Label, bool) {
	size := min(s.r/2.6, 12)
	room := int(1.8 * s.r / size / 0.6)
	if size < 5 || room < 4 {
		return Label{}, false
	}
	text := []rune(plainTitle(s.title))
	if len(text) > room {
		text = append(text[:room-1], '…')
	}
	class := "name"
	if s.orphans > 0 && !s.folder {
		class = "name pale"
	}
	return Label{tenth(s.x), tenth(s.y + size*0.35), tenth(size), string(text), class}, true
}

// draw makes the lines: curves that bend towards the folder that both ends share, so
// that links between two folders run together.
func (v *View) draw(spots []*spot, edges []edge, rings []*ring) {
	by := map[string]*ring{}
	for _, r := range rings {
		by[r.path] = r
	}
	drawn := slices.Clone(edges)
	most := maxDrawn
	if len(spots) > maxLinked {
		most = maxAmong
	}
	if len(drawn) > most {
		slices.SortStableFunc(drawn, func(a, b edge) int { return cmp.Compare(b.count, a.count) })
		drawn = drawn[:most]
	}
	v.Drawn = len(drawn)
	switch {
	case v.Drawn < 300:
		v.Weight = "few"
	case v.Drawn < 1500:
		v.Weight = "some"
	}
	paths := make([]strings.Builder, colours+1)
	for _, e := range drawn {
		a, b := spots[e.from], spots[e.to]
		hub := by[shared(a.dir, b.dir)]
		for dir := shared(a.dir, b.dir); hub == nil && dir != ""; hub = by[dir] {
			dir = parent(dir)
		}
		if hub == nil {
			hub = rings[0]
		}
		const bend = 0.45
		cx, cy := (a.x+b.x)/2, (a.y+b.y)/2
		cx, cy = cx+(hub.x-cx)*bend, cy+(hub.y-cy)*bend
		fmt.Fprintf(&paths[a.group], "M%.0f %.0fQ%.0f %.0f %.0f %.0f", a.x, a.y, cx, cy, b.x, b.y)
	}
	for i := range paths {
		if paths[i].Len() > 0 {
			v.Lines = append(v.Lines, Line{fmt.Sprintf("c%d", i), paths[i].String()})
		}
	}
}

// shared returns the deepest folder above two folders.
func shared(a, b string) string {
	for !under(a+"/", b) {
		b = parent(b)
	}
	return b
}

// lists repeats the map as text, for readers who cannot see it or want exact numbers.
func (v *View) lists() {
	pick := func(keep func(Spot) bool, less func(a, b Spot) int) []Spot {
		out := slices.DeleteFunc(slices.Clone(v.Spots), func(s Spot) bool { return !keep(s) })
		slices.SortStableFunc(out, less)
		return out[:min(len(out), maxListed)]
	}
	v.Most = pick(func(s Spot) bool { return s.In > 0 }, func(a, b Spot) int { return b.In - a.In })
	v.Lonely = pick(func(s Spot) bool { return s.Orphan }, func(a, b Spot) int { return strings.Compare(a.Path, b.Path) })
	v.Faulty = pick(func(s Spot) bool { return s.Broken > 0 }, func(a, b Spot) int { return b.Broken - a.Broken })
}

func tenth(x float64) float64 { return math.Round(x*10) / 10 }

// plainTitle removes backticks from a title.
func plainTitle(s string) string { return strings.ReplaceAll(s, "`", "") }

// clip shortens a text to n bytes or so.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
