package web

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"github.com/docent-md/docent"
)

type indexPage struct {
	*frame
	*indexView
	Dir   string
	Disk  bool
	Table template.HTML // the files
}

// indexView is what is indexed.
type indexView struct {
	Status  *docent.Status
	Stats   *docent.Stats
	Bars    []bar // chunks by their tokens
	Mean    int
	Largest *docent.FileInfo
	files   []docent.FileInfo
}

type fileView struct {
	docent.FileInfo
	URL string
}

// A bar of a histogram.
type bar struct {
	Label  string
	Count  int
	Height float64 // of 100
}

// maxFiles is how many files the page lists.
const maxFiles = 500

func (s *site) indexPage(w http.ResponseWriter, r *http.Request, f *frame) error {
	f.Title, f.Here = "Index", "index"
	p := indexPage{frame: f, Dir: strings.Trim(r.URL.Query().Get("dir"), "/"), Disk: s.opts.Disk}
	v, err := learn(r.Context(), f.corpus, "index", newIndexView)
	if err != nil {
		return err
	}
	p.Table, err = learn(r.Context(), f.corpus, "files "+p.Dir, func(context.Context, *docent.Library) (template.HTML, error) {
		return s.pages.fragment("files", v.list(f, p.Dir))
	})
	if err != nil {
		return err
	}
	now, status := *v, *v.Status
	now.Status = &status
	err = f.with(r.Context(), func(lib *docent.Library, _ *memory) error {
		status.Freshness = lib.Freshness() // of this moment
		return nil
	})
	if err != nil {
		return err
	}
	p.indexView = &now
	return s.write(w, r, http.StatusOK, "index", p)
}

// fileTable lists files.
type fileTable struct {
	Shown []fileView
	More  int
}

// list gives the files of a folder.
func (v *indexView) list(f *frame, dir string) fileTable {
	var t fileTable
	for _, file := range v.files {
		if !under(file.File, dir) {
			continue
		}
		if len(t.Shown) == maxFiles {
			t.More++
			continue
		}
		t.Shown = append(t.Shown, fileView{file, f.readURL(file.File)})
	}
	return t
}

// newIndexView counts what a library holds.
func newIndexView(ctx context.Context, lib *docent.Library) (*indexView, error) {
	v := &indexView{Status: lib.Status()}
	var err error
	if v.Stats, err = lib.Stats(); err != nil {
		return nil, err
	}
	list, err := lib.Files("")
	if err != nil {
		return nil, err
	}
	v.files = list.Files
	counts := make([]int, len(steps))
	for i, f := range list.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if v.Largest == nil || f.Tokens > v.Largest.Tokens {
			v.Largest = &list.Files[i]
		}
		chunks, err := lib.Info(f.File)
		if err != nil {
			return nil, err
		}
		for _, c := range chunks.List {
			counts[step(c.Tokens)]++
		}
	}
	v.Mean = list.Tokens / max(list.Chunks, 1)
	v.Bars = bars(counts)
	return v, nil
}

// steps are the sizes of chunks, in tokens, at which the bars of the histogram
// begin.
var steps = []int{0, 25, 50, 100, 200, 300, 400, 600, 800, 1000, 1500, 2000}

func step(tokens int) int {
	i := 0
	for i+1 < len(steps) && tokens >= steps[i+1] {
		i++
	}
	return i
}

func bars(counts []int) []bar {
	most := 1
	for _, n := range counts {
		most = max(most, n)
	}
	out := make([]bar, len(counts))
	for i, n := range counts {
		out[i] = bar{Label: fmt.Sprintf("%d+", steps[i]), Count: n, Height: tenth(100 * float64(n) / float64(most))}
		if i+1 < len(steps) {
			out[i].Label = fmt.Sprintf("%d–%d", steps[i], steps[i+1]-1)
		}
	}
	return out
}
