package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-md/docent/internal/surface/web/sitetree"
)

// The tree beside a page has the folders above the page open, all others closed: what is
// in them is loaded when they are opened. Of a long folder a window around the page is
// shown, so that a page of a corpus of any size stays small: a browser lays out all of it
// before it shows the page, in sight or not.
const (
	treeWhole  = 40 // entries of a folder that a page has all of
	treeWindow = 24 // entries that it has of a longer one
	treeMore   = 200
	treeFound  = 50 // pages that the filter shows
)

// A treeView is the tree beside a page.
type treeView struct {
	Tree    *treeLevel
	Front   *treeItem // the front page of the corpus; nil if it has none
	Pages   int
	TreeURL string // where parts of it are loaded from
}

// A treeLevel is what is shown of a folder.
type treeLevel struct {
	Items         []treeItem
	Before, After *treeRest
}

// A treeItem is a folder or page of the tree.
type treeItem struct {
	Title, Path, URL   string
	Folder, Open, Here bool
	Pages              int
	Load               string     // the address of what is in it
	Level              *treeLevel // what is in it, if it is open
}

// A treeRest stands for entries of a folder that are not shown.
type treeRest struct {
	Count     int
	URL, Load string
}

// treeAt returns the tree with the folders above a node open, and the node marked. A nil
// node opens none.
func (f *frame) treeAt(t *sitetree.Tree, at *sitetree.Node) treeView {
	v := treeView{Pages: t.Len(), TreeURL: f.address("/tree", "")}
	if t.Root.Page != "" {
		v.Front = &treeItem{Title: t.Root.Title, Path: t.Root.Page, URL: f.readURL(t.Root.Page), Here: at == t.Root}
	}
	chain := []*sitetree.Node{t.Root}
	if at != nil {
		chain = at.Chain()
	}
	v.Tree = f.level(chain)
	return v
}

// level returns what is in the first folder of a chain, around the next one, which is
// open.
func (f *frame) level(chain []*sitetree.Node) *treeLevel {
	dir := chain[0]
	at := 0
	if len(chain) > 1 {
		at = max(slices.Index(dir.Kids, chain[1]), 0)
	}
	from, to := 0, len(dir.Kids)
	if to > treeWhole {
		from = max(min(at-treeWindow/2, to-treeWindow), 0)
		to = from + treeWindow
	}
	l := f.window(dir, from, to, len(dir.Kids))
	if from > 0 {
		l.Before = f.rest(dir, 0, from)
	}
	for i := range l.Items {
		if len(chain) < 2 || dir.Kids[from+i] != chain[1] {
			continue
		}
		item := &l.Items[i]
		item.Here = len(chain) == 2
		if item.Folder {
			item.Open, item.Level = true, f.level(chain[1:])
		}
	}
	return l
}

// window returns what is in a folder between from and to, all of it closed; what is left
// before end is said to be more.
func (f *frame) window(dir *sitetree.Node, from, to, end int) *treeLevel {
	l := &treeLevel{}
	for _, n := range dir.Kids[from:to] {
		l.Items = append(l.Items, f.item(n))
	}
	if to < end {
		l.After = f.rest(dir, to, end)
	}
	return l
}

func (f *frame) item(n *sitetree.Node) treeItem {
	item := treeItem{Title: n.Title, Path: n.Path, URL: f.nodeURL(n), Folder: n.Folder, Pages: n.Pages}
	if n.Folder {
		item.Load = f.address("/tree", "", "dir", n.Path)
	}
	return item
}

func (f *frame) rest(dir *sitetree.Node, from, to int) *treeRest {
	load := f.address("/tree", "", "dir", dir.Path, "from", strconv.Itoa(from), "to", strconv.Itoa(to))
	return &treeRest{to - from, f.folderURL(dir.Path), load}
}

// nodeURL returns the address of a node: that of its page, else of its folder.
func (f *frame) nodeURL(n *sitetree.Node) string {
	if n.Page != "" {
		return f.readURL(n.Page)
	}
	return f.folderURL(n.Path)
}

func (f *frame) folderURL(dir string) string { return f.address("/folder/"+dir, "") }

// trailOf returns the folders above a file, the front page first.
func (f *frame) trailOf(t *sitetree.Tree, file string) []place {
	out := []place{{f.Name, f.address("/", "")}}
	n := t.Page(file)
	if n == nil {
		return out
	}
	for _, up := range n.Chain() {
		if up.Parent != nil && up != n {
			out = append(out, place{up.Title, f.nodeURL(up)})
		}
	}
	return out
}

// neighbour returns the link to the page before or after; nil if there is none.
func (f *frame) neighbour(n *sitetree.Node) *reference {
	if n == nil {
		return nil
	}
	return &reference{URL: f.readURL(n.Page), Title: n.Title, Note: n.Page}
}

// treePart writes a part of the tree: what is in a folder, or the pages that a filter
// finds.
func (s *site) treePart(w http.ResponseWriter, r *http.Request, f *frame) error {
	now, err := f.release(r.Context())
	if err != nil {
		return err
	}
	tree, err := now.tree(r.Context())
	if err != nil {
		return err
	}
	q := r.URL.Query()
	if words := clip(q.Get("q"), 200); strings.TrimSpace(words) != "" {
		found, total := tree.Find(words, treeFound)
		part := foundPages{Total: total}
		for _, n := range found {
			part.Items = append(part.Items, treeItem{Title: n.Title, Path: n.Page, URL: f.readURL(n.Page)})
		}
		return s.write(w, r, http.StatusOK, "tree-found", part)
	}
	dir := tree.Dir(strings.Trim(q.Get("dir"), "/"))
	if dir == nil {
		return noFolder(q.Get("dir"))
	}
	from := number(q.Get("from"), 0, len(dir.Kids))
	to := number(q.Get("to"), len(dir.Kids), len(dir.Kids))
	to = max(from, to)
	return s.write(w, r, http.StatusOK, "tree-level", f.window(dir, from, min(to, from+treeMore), to))
}

type foundPages struct {
	Items []treeItem
	Total int
}

// number reads a number between 0 and most; what is none is otherwise.
func number(s string, otherwise, most int) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		n = otherwise
	}
	return min(max(n, 0), most)
}
