package web

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/surface/web/linkmap"
	"github.com/docent-md/docent/internal/surface/web/sitetree"
)

// mapListed is how many entries of its folder the list beside a map has. Any other is found
// by its name.
const mapListed = 100

// A mapPage shows the links between documents as circles and lines, with a list beside it
// of what is in the folder that is shown.
type mapPage struct {
	*frame
	pager   // of a folder with more entries than a map has room for
	Dir     string
	At      string // the page that is looked for
	Filter  string // words of pages that are looked for
	Crumbs  []place
	Chart   template.HTML
	Level   *treeLevel // what is in the folder
	Found   []treeItem // the pages that have the words
	Matches int        // of them
	FindAt  string     // where pages are looked for
	MoreAt  string     // where the details of the circles are
}

// A mapChart is the map of one folder, and what is told of its circles, as JSON.
type mapChart struct {
	html    template.HTML
	details []byte
}

func (s *site) mapPage(w http.ResponseWriter, r *http.Request, f *frame) error {
	f.Title, f.Here = "Map", "map"
	q := r.URL.Query()
	p := mapPage{frame: f, Dir: strings.Trim(clip(q.Get("dir"), 500), "/"), Filter: strings.TrimSpace(clip(q.Get("q"), 200))}
	now, err := f.release(r.Context())
	if err != nil {
		return err
	}
	g, err := compute(r.Context(), now, "graph", linkmap.NewGraph)
	if err != nil {
		return err
	}
	p.pager = newPager(r, g.Entries(p.Dir), linkmap.MaxSpots, f.mapAddress(p.Dir))
	if at := q.Get("at"); at != "" {
		part, ok := g.PartWith(at)
		if !ok {
			return noFolder(at)
		}
		p.At, p.Dir = at, part.Dir
		p.pager = pagerAt(part.Page+1, g.Entries(p.Dir), linkmap.MaxSpots, f.mapAddress(p.Dir))
	}
	part := linkmap.Part{Dir: p.Dir, Page: p.Page - 1}
	chart, err := s.chart(r.Context(), f, now, g, part)
	if err != nil {
		return err
	}
	p.Chart = chart.html
	tree, err := now.tree(r.Context())
	if err != nil {
		return err
	}
	p.list(tree, g, part)
	if q.Get("part") != "" {
		return s.write(w, r, http.StatusOK, "map-body", p)
	}
	return s.write(w, r, http.StatusOK, "map", p)
}

// mapAddress returns the addresses of the maps of a folder.
func (f *frame) mapAddress(dir string) func(page string) string {
	return func(page string) string { return f.address("/map", "", "dir", dir, "page", page) }
}

// list fills in the list beside the map.
func (p *mapPage) list(tree *sitetree.Tree, g *linkmap.Graph, part linkmap.Part) {
	p.FindAt, p.MoreAt = p.address("/map", ""), p.address("/map/details", "", "dir", p.Dir)
	if p.Page > 1 {
		p.MoreAt = p.address("/map/details", "", "dir", p.Dir, "page", strconv.Itoa(p.Page))
	}
	p.Crumbs = []place{{p.Name, p.address("/map", "")}}
	p.Crumbs = append(p.Crumbs, p.crumbs("/map", p.Dir+"/")...)
	if p.Dir == "" {
		p.Crumbs = nil
	}
	if dir := tree.Dir(p.Dir); dir != nil {
		if p.LastPage > 1 {
			names, here := g.Names(part), *dir
			here.Kids = slices.DeleteFunc(slices.Clone(dir.Kids), func(n *sitetree.Node) bool { return !names[path.Base(n.Path)] })
			dir = &here
		}
		p.Level = p.window(dir, 0, min(len(dir.Kids), mapListed), len(dir.Kids))
		for i, n := range dir.Kids[:len(p.Level.Items)] {
			if n.Folder {
				p.Level.Items[i].URL = p.address("/map", "", "dir", n.Path)
			}
		}
		if dir.Page != "" {
			p.Level.Items = append([]treeItem{{Title: dir.Title, Path: dir.Page, URL: p.readURL(dir.Page)}}, p.Level.Items...)
		}
	}
	found, total := tree.Find(p.Filter, treeFound)
	p.Matches = total
	for _, n := range found {
		p.Found = append(p.Found, treeItem{Title: n.Title, Path: n.Page, URL: p.address("/map", "", "at", n.Page)})
	}
}

// chart returns the map of a part of the documents.
func (s *site) chart(ctx context.Context, f *frame, now *release, g *linkmap.Graph, part linkmap.Part) (*mapChart, error) {
	key := fmt.Sprintf("map %s %d", part.Dir, part.Page)
	return compute(ctx, now, key, func(context.Context, *docent.Library) (*mapChart, error) {
		v := linkmap.New(g, part, f.mapAddresses())
		details, err := json.Marshal(v.Details())
		if err != nil {
			return nil, err
		}
		html, err := s.pages.fragment("chart", v)
		return &mapChart{html, details}, err
	})
}

// mapDetails writes what is told of the circles of a map.
func (s *site) mapDetails(w http.ResponseWriter, r *http.Request, f *frame) error {
	now, err := f.release(r.Context())
	if err != nil {
		return err
	}
	g, err := compute(r.Context(), now, "graph", linkmap.NewGraph)
	if err != nil {
		return err
	}
	dir := strings.Trim(clip(r.URL.Query().Get("dir"), 500), "/")
	chart, err := s.chart(r.Context(), f, now, g, linkmap.Part{Dir: dir, Page: newPager(r, g.Entries(dir), linkmap.MaxSpots, f.mapAddress(dir)).Page - 1})
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	if r.Method != http.MethodHead {
		_, _ = w.Write(chart.details)
	}
	return nil
}

func (f *frame) mapAddresses() linkmap.Addresses {
	if f.Report {
		nowhere := func(string) string { return "" }
		return linkmap.Addresses{File: nowhere, Folder: nowhere}
	}
	return linkmap.Addresses{
		File:   func(file string) string { return f.address("/read/"+file, "") },
		Folder: func(dir string) string { return f.address("/map", "", "dir", dir) },
	}
}
