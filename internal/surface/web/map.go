package web

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/docent-md/docent"
)

type mapPage struct {
	*frame
	Dir    string
	Crumbs []place
	Chart  template.HTML
}

// A mapView is the map as it is drawn.
type mapView struct {
	Spots  []spotView
	Rings  []ringView
	Lines  []lineView
	Legend []legend
	Labels []label

	Files, Links, Drawn, Broken, Orphans int
	Folded                               int    // files that are shown as part of a folder
	Weight                               string // how strongly links are drawn: the fewer, the stronger
	Most, Lonely, Faulty                 []spotView
}

type spotView struct {
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

type ringView struct {
	circle
	Path string
}

type label struct {
	X, Y, Size float64
	Text       string
	Class      string
}

// A lineView is all the links from the spots of a colour.
type lineView struct {
	Class string
	D     string
}

type legend struct {
	Class, Name, URL string
	Files            int
}

const (
	colours   = 9    // folders told apart by colour; the others are grey
	maxDrawn  = 6000 // links drawn; those that stand for most links first
	maxListed = 25
)

// X, Y and R are what templates see of a circle, to a tenth of a unit.
func (c circle) X() float64 { return tenth(c.x) }

// Y is the other coordinate.
func (c circle) Y() float64 { return tenth(c.y) }

// R is the radius.
func (c circle) R() float64 { return tenth(c.r) }

func (s *site) mapPage(w http.ResponseWriter, r *http.Request, f *frame) error {
	f.Title, f.Here = "Map", "map"
	p := mapPage{frame: f, Dir: strings.Trim(clip(r.URL.Query().Get("dir"), 500), "/")}
	now, err := f.release(r.Context())
	if err != nil {
		return err
	}
	g, err := compute(r.Context(), now, "graph", newLinkGraph)
	if err == nil {
		p.Chart, err = compute(r.Context(), now, "map "+p.Dir, func(context.Context, *docent.Library) (template.HTML, error) {
			return s.pages.fragment("chart", newMap(f, g, p.Dir))
		})
	}
	if err != nil {
		return err
	}
	if p.Dir != "" {
		p.Crumbs = append([]place{{f.Name, f.address("/map", "")}}, f.crumbs("/map", p.Dir+"/")...)
	}
	return s.write(w, r, http.StatusOK, "map", p)
}

// newMap draws the links between the files of a folder.
func newMap(f *frame, g *linkGraph, dir string) *mapView {
	spots, of := g.spots(dir)
	edges := g.between(spots, of)
	rings := arrange(dir, spots)
	v := &mapView{Links: len(edges)}
	if len(rings) == 0 || len(spots) == 0 {
		return v
	}
	v.colour(f, rings[0].path, spots)
	to := make([][]string, len(spots))
	for _, e := range edges {
		to[e.from] = append(to[e.from], fmt.Sprint(e.to))
	}
	for i, s := range spots {
		v.Spots = append(v.Spots, s.view(f, to[i]))
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
		v.Rings = append(v.Rings, ringView{r.circle, r.path})
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
func (v *mapView) name(r *ring) {
	size := min(max(r.r/7, 9), 17)
	l := label{tenth(r.x), tenth(r.y - r.r + size*0.4), tenth(size), clip(r.label, int(3.2*r.r/size)), "ring"}
	for _, o := range v.Labels {
		wide := 0.27 * (l.Size*float64(len(l.Text)) + o.Size*float64(len(o.Text)))
		if o.Class == l.Class && math.Abs(o.X-l.X) < wide && math.Abs(o.Y-l.Y) < (l.Size+o.Size)/2 {
			return
		}
	}
	v.Labels = append(v.Labels, l)
}

func (s *spot) view(f *frame, to []string) spotView {
	v := spotView{
		circle: s.circle, Class: fmt.Sprintf("spot c%d", s.group), Title: plainTitle(s.title), Path: s.path, To: strings.Join(to, " "),
		Folder: s.folder, Files: s.files, In: s.in, Out: s.out, Broken: s.broken, Orphan: s.orphans > 0 && !s.folder,
	}
	switch {
	case f.Report:
	case s.folder:
		v.URL = f.address("/map", "", "dir", s.path)
	default:
		v.URL = f.address("/read/"+s.path, "")
	}
	if s.folder {
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
func (s *spot) label() (label, bool) {
	size := min(s.r/2.6, 12)
	room := int(1.8 * s.r / size / 0.6)
	if size < 5 || room < 4 {
		return label{}, false
	}
	text := []rune(plainTitle(s.title))
	if len(text) > room {
		text = append(text[:room-1], '…')
	}
	class := "name"
	if s.orphans > 0 && !s.folder {
		class = "name pale"
	}
	return label{tenth(s.x), tenth(s.y + size*0.35), tenth(size), string(text), class}, true
}

// draw makes the lines: curves that bend towards the folder that both ends share, so
// that links between two folders run together.
func (v *mapView) draw(spots []*spot, edges []edge, rings []*ring) {
	by := map[string]*ring{}
	for _, r := range rings {
		by[r.path] = r
	}
	drawn := slices.Clone(edges)
	if len(drawn) > maxDrawn {
		slices.SortStableFunc(drawn, func(a, b edge) int { return cmp.Compare(b.count, a.count) })
		drawn = drawn[:maxDrawn]
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
			v.Lines = append(v.Lines, lineView{fmt.Sprintf("c%d", i), paths[i].String()})
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
func (v *mapView) lists() {
	pick := func(keep func(spotView) bool, less func(a, b spotView) int) []spotView {
		out := slices.DeleteFunc(slices.Clone(v.Spots), func(s spotView) bool { return !keep(s) })
		slices.SortStableFunc(out, less)
		return out[:min(len(out), maxListed)]
	}
	v.Most = pick(func(s spotView) bool { return s.In > 0 }, func(a, b spotView) int { return b.In - a.In })
	v.Lonely = pick(func(s spotView) bool { return s.Orphan }, func(a, b spotView) int { return strings.Compare(a.Path, b.Path) })
	v.Faulty = pick(func(s spotView) bool { return s.Broken > 0 }, func(a, b spotView) int { return b.Broken - a.Broken })
}
