package linkmap

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"pgregory.net/rapid"
)

// Packed circles touch but never overlap, and lie within the one around them.
func TestPacking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		radii := rapid.SliceOfN(rapid.Float64Range(1, 40), 0, 60).Draw(t, "radii")
		cs := make([]*circle, len(radii))
		area := 0.
		for i, r := range radii {
			cs[i] = &circle{r: r}
			area += r * r
		}
		packCircles(cs)
		around := enclose(cs)
		for i, a := range cs {
			if math.IsNaN(a.x+a.y) || math.Hypot(a.x, a.y)+a.r > around+1e-6 {
				t.Fatalf("circle %d at %.2f,%.2f sticks out of %.2f", i, a.x, a.y, around)
			}
			for _, b := range cs[:i] {
				if math.Hypot(a.x-b.x, a.y-b.y) < a.r+b.r-1e-3 {
					t.Fatalf("circles overlap: %+v %+v", a, b)
				}
			}
		}
		if n := len(cs); n > 20 && area < 0.3*around*around {
			t.Fatalf("%d circles fill only %.2f of the one around them", n, area/around/around)
		}
	})
}

// made is a graph of n files in folders, each linked to some others.
func made(n int) *Graph {
	g := &Graph{}
	for i := range n {
		name := fmt.Sprintf("part%d/chapter%d/page%d.md", i%7, i%31, i)
		g.files = append(g.files, graphFile{FileInfo: answer.FileInfo{File: name, Title: fmt.Sprint("Page ", i)}})
		for k := 1; k <= i%5; k++ {
			g.edges = append(g.edges, edge{i, i * k % n, 1})
		}
	}
	return g
}

// The same files give the same map; a thousand files are told apart; more are
// folded into folders, none is lost.
func TestMap(t *testing.T) {
	to := func(path string) string { return "/" + path }
	at := Addresses{to, to}
	for _, n := range []int{0, 1, 2, 40, 1000, 1200, 1201, 12000} {
		one, two := New(made(n), Part{}, at), New(made(n), Part{}, at)
		if fmt.Sprint(one) != fmt.Sprint(two) {
			t.Errorf("%d files give two maps", n)
		}
		if one.Files != n || len(one.Spots) > MaxSpots || n <= MaxSpots && len(one.Spots) != n {
			t.Errorf("%d files: %d in %d spots", n, one.Files, len(one.Spots))
		}
		for _, s := range one.Spots {
			if s.x-s.r < -1 || s.y-s.r < -1 || s.x+s.r > mapSize+1 || s.y+s.r > mapSize+1 || s.r < 1 && n < 5000 {
				t.Fatalf("%d files: %+v lies outside, or is too small to be seen", n, s)
			}
		}
	}
	// Every folder of a folded map can be opened, down to the files.
	g := made(12000)
	seen := map[string]bool{}
	var open func(dir string)
	open = func(dir string) {
		for _, s := range New(g, Part{Dir: dir}, at).Spots {
			if !s.Folder {
				seen[s.Path] = true
			} else if s.Path == dir {
				t.Fatalf("%s opens into itself", dir)
			} else {
				open(s.Path)
			}
		}
	}
	open("")
	if len(seen) != 12000 {
		t.Errorf("%d of 12000 files can be reached", len(seen))
	}
}

func TestLinkGraph(t *testing.T) {
	lib, err := docent.FromFS(t.Context(), fstest.MapFS{
		"readme.md":     {Data: []byte("# Harbour\n\nStart with the [keys](guide/keys.md#rotate) or [nowhere](gone.md).\n")},
		"guide/keys.md": {Data: []byte("# Keys\n\nSee [limits](../limits.md) and [below](#rotate).\n\n## Rotate\n")},
		"limits.md":     {Data: []byte("# Limits\n")},
		"alone.md":      {Data: []byte("# Alone\n\n[[limits]] is a wiki link.\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	g, err := NewGraph(t.Context(), lib)
	if err != nil {
		t.Fatal(err)
	}
	got := &strings.Builder{}
	for _, f := range g.files {
		fmt.Fprintf(got, "%s in %d out %d broken %d orphan %v\n", f.File, f.in, f.out, f.broken, f.orphan)
	}
	want := `alone.md in 0 out 1 broken 0 orphan true
guide/keys.md in 1 out 1 broken 0 orphan false
limits.md in 2 out 0 broken 0 orphan false
readme.md in 0 out 1 broken 1 orphan false
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
