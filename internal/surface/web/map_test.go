package web

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
	"pgregory.net/rapid"
)

var noLinks = &answer.Links{}

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
func made(n int) *linkGraph {
	g := &linkGraph{}
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
	f := &frame{Names: []string{"x"}}
	for _, n := range []int{0, 1, 2, 40, 1000, 1200, 1201, 12000} {
		one, two := newMap(f, made(n), ""), newMap(f, made(n), "")
		if fmt.Sprint(one) != fmt.Sprint(two) {
			t.Errorf("%d files give two maps", n)
		}
		if one.Files != n || len(one.Spots) > maxSpots || n <= maxSpots && len(one.Spots) != n {
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
		for _, s := range newMap(f, g, dir).Spots {
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
	g, err := newLinkGraph(context.Background(), library(t, docs))
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

// A report is one file that asks for nothing, and allows nothing but its own
// style and script.
func TestReport(t *testing.T) {
	b := &strings.Builder{}
	if err := Report(context.Background(), "harbour", library(t, docs), b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{"gone.md leads nowhere", "Tokens in a chunk", `class="spot`, "default-src &#39;none&#39;; style-src &#39;sha256-"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the report", want)
		}
	}
	for _, m := range tagPattern.FindAllStringSubmatch(page, -1) {
		for _, a := range attrPattern.FindAllStringSubmatch(m[2], -1) {
			if a[1] == "src" || a[1] == "href" && !strings.HasPrefix(a[2], "#") || strings.HasPrefix(a[1], "on") || a[1] == "style" {
				t.Errorf("the report has %s", m[0])
			}
		}
	}
	script := page[strings.Index(page, "<script>")+8 : strings.Index(page, "</script>")]
	style := page[strings.Index(page, "<style>")+7 : strings.Index(page, "</style>")]
	p := loadPages()
	if script != p.scripts || style != p.styles {
		t.Error("what stands in the report is not what its policy names")
	}
}
