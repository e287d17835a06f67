package web

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

type indexPage struct {
	*frame
	*indexView
	Dir    string
	Filter string // words of paths and titles
	All    string // the address of the whole list
	Disk   bool
	Table  template.HTML // the files
	pager
}

type indexView struct {
	Status  *answer.Status
	Stats   *answer.Stats
	Bars    []bar // chunks by their tokens
	Mean    int
	Largest *answer.FileInfo
	files   []answer.FileInfo
}

type fileView struct {
	answer.FileInfo
	URL string
}

// fileRows is how many files a page lists, maxFiles how many a report.
const (
	fileRows = 200
	maxFiles = 500
)

func (s *site) indexPage(w http.ResponseWriter, r *http.Request, f *frame) error {
	f.Title, f.Here = "Index", "index"
	q := r.URL.Query()
	p := indexPage{frame: f, Dir: strings.Trim(clip(q.Get("dir"), 500), "/"), Filter: strings.TrimSpace(clip(q.Get("q"), 200)), Disk: s.opts.Disk}
	p.All = f.address("/index", "")
	now, err := f.release(r.Context())
	if err != nil {
		return err
	}
	v, err := compute(r.Context(), now, "index", newIndexView)
	if err != nil {
		return err
	}
	files := v.filtered(p.Dir, p.Filter)
	p.pager = newPager(r, len(files), fileRows, func(page string) string {
		return f.address("/index", "docent-files", "dir", p.Dir, "q", p.Filter, "page", page)
	})
	if p.Table, err = s.pages.fragment("files", fileTable{f.fileViews(files[p.From:p.To]), 0}); err != nil {
		return err
	}
	view := *v
	view.Status = now.status // its freshness is that of this moment
	p.indexView = &view
	return s.write(w, r, http.StatusOK, "index", p)
}

type fileTable struct {
	Shown []fileView
	More  int
}

// list returns the first files, for a report.
func (v *indexView) list(f *frame) fileTable {
	n := min(len(v.files), maxFiles)
	return fileTable{f.fileViews(v.files[:n]), len(v.files) - n}
}

// filtered returns the files below a folder whose path and title have all words.
func (v *indexView) filtered(dir, text string) []answer.FileInfo {
	words := strings.Fields(strings.ToLower(text))
	var out []answer.FileInfo
	for _, file := range v.files {
		name := strings.ToLower(file.File + " " + file.Title)
		if under(file.File, dir) && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(name, w) }) {
			out = append(out, file)
		}
	}
	return out
}

func (f *frame) fileViews(files []answer.FileInfo) []fileView {
	out := make([]fileView, len(files))
	for i, file := range files {
		out[i] = fileView{file, f.readURL(file.File)}
	}
	return out
}

// newIndexView counts the files and chunks of a library.
func newIndexView(ctx context.Context, lib *docent.Library) (*indexView, error) {
	v := &indexView{}
	var err error
	if v.Status, err = lib.Status(ctx, answer.StatusOptions{}); err != nil {
		return nil, err
	}
	if v.Stats, err = lib.Stats(ctx); err != nil {
		return nil, err
	}
	list, err := lib.Files(ctx, "")
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
		chunks, err := lib.Info(ctx, f.File)
		if errors.Is(err, docent.ErrNotFound) { // it was removed meanwhile
			continue
		}
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

// steps are the sizes in tokens at which the bars of the histogram begin.
var steps = []int{0, 25, 50, 100, 200, 300, 400, 600, 800, 1000, 1500, 2000}

func step(tokens int) int {
	i, _ := slices.BinarySearch(steps, tokens+1)
	return max(i-1, 0)
}

func bars(counts []int) []bar {
	most := max(1, slices.Max(counts))
	out := make([]bar, len(counts))
	for i, n := range counts {
		out[i] = bar{Label: fmt.Sprintf("%d+", steps[i]), Count: n, Height: tenth(100 * float64(n) / float64(most))}
		if i+1 < len(steps) {
			out[i].Label = fmt.Sprintf("%d–%d", steps[i], steps[i+1]-1)
		}
	}
	return out
}

func under(file, dir string) bool { return dir == "" || strings.HasPrefix(file, dir+"/") }
