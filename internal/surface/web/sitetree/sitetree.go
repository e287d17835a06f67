// Package sitetree orders the documents of a corpus as readers browse them: a tree of
// folders and pages, which page comes before and after another, and pages by what their
// names contain.
//
// A folder is shown as its index page, if it has one: index, _index, README or a page of
// the folder's own name. A folder with nothing but that page is a page.
package sitetree

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
)

// A Node is a page, a folder, or a folder with its index page.
type Node struct {
	Title  string
	Path   string // of the folder, else of the page
	Page   string // the file that is shown; "" for a folder without an index page
	Folder bool
	Pages  int // that are in it, itself included
	Kids   []*Node
	Parent *Node // nil for the root

	place float64 // among siblings; those of one place are ordered by name
	name  string
	text  string // what is looked through, in lower case
}

// A Tree has all documents of a corpus. It never changes.
type Tree struct {
	Root   *Node
	pages  map[string]*Node
	places map[string]int // of pages in order
	dirs   map[string]*Node
	order  []*Node // pages as they are read one after another
}

// New makes the tree of a list of files. Siblings are ordered as their writers ask for,
// else by name.
func New(files []answer.FileInfo, order *Order) *Tree {
	t := &Tree{
		Root: &Node{Folder: true}, pages: make(map[string]*Node, len(files)), places: make(map[string]int, len(files)), dirs: map[string]*Node{},
	}
	t.dirs[""] = t.Root
	for _, f := range files {
		up := t.folder(parent(f.File))
		name := path.Base(f.File)
		up.Kids = append(up.Kids, &Node{Title: titleOf(f), Path: f.File, Page: f.File, Pages: 1, Parent: up, place: order.place(f.File), name: strings.ToLower(name)})
	}
	t.settle(t.Root, order)
	t.walk(t.Root)
	return t
}

// folder returns the node of a folder, and makes it and those above it.
func (t *Tree) folder(dir string) *Node {
	if n := t.dirs[dir]; n != nil {
		return n
	}
	up := t.folder(parent(dir))
	name := path.Base(dir)
	n := &Node{Title: name, Path: dir, Folder: true, Parent: up, name: strings.ToLower(name)}
	up.Kids = append(up.Kids, n)
	t.dirs[dir] = n
	return n
}

// settle gives the folders below a node their index pages, puts everything in order and
// counts it.
func (t *Tree) settle(n *Node, order *Order) {
	n.place = order.place(n.Path)
	n.Title = cmp.Or(order.titles[n.Path], n.Title)
	if i := n.index(); i >= 0 {
		first := n.Kids[i]
		n.Page = first.Page
		n.Pages++
		n.Title = cmp.Or(order.titles[n.Path], first.Title)
		n.place = min(n.place, first.place)
		n.Kids = slices.Delete(n.Kids, i, i+1)
	}
	for _, k := range n.Kids {
		if k.Folder {
			t.settle(k, order)
		}
		n.Pages += k.Pages
	}
	n.Folder = len(n.Kids) > 0 || n.Page == "" || n.Parent == nil
	slices.SortStableFunc(n.Kids, func(a, b *Node) int { return cmp.Or(cmp.Compare(a.place, b.place), natural(a.name, b.name)) })
}

// index returns which of a folder's pages stands for it, -1 if none does.
func (n *Node) index() int {
	best, at := 0, -1
	for i, k := range n.Kids {
		if k.Folder {
			continue
		}
		rank := 0
		switch strings.TrimSuffix(k.name, path.Ext(k.name)) {
		case "index", "_index":
			rank = 3
		case "readme":
			rank = 2
		case n.name:
			rank = 1
		}
		if rank > best {
			best, at = rank, i
		}
	}
	return at
}

// walk numbers the pages in order.
func (t *Tree) walk(n *Node) {
	if n.Page != "" {
		t.pages[n.Page] = n
		t.places[n.Page] = len(t.order)
		t.order = append(t.order, n)
		n.text = strings.ToLower(n.Title + " " + n.Page)
	}
	for _, k := range n.Kids {
		t.walk(k)
	}
}

// Page returns the node of a file; nil if there is none.
func (t *Tree) Page(file string) *Node { return t.pages[file] }

// Dir returns the node of a folder; nil if there is none.
func (t *Tree) Dir(dir string) *Node { return t.dirs[dir] }

// Len is the number of pages.
func (t *Tree) Len() int { return len(t.order) }

// Around returns the pages before and after one; nil at the ends.
func (t *Tree) Around(file string) (before, after *Node) {
	i, ok := t.places[file]
	if !ok {
		return nil, nil
	}
	if i > 0 {
		before = t.order[i-1]
	}
	if i+1 < len(t.order) {
		after = t.order[i+1]
	}
	return before, after
}

// Find returns the pages whose titles and paths contain all words, at most limit of them,
// and how many there are. Those whose title begins with the words come first.
func (t *Tree) Find(text string, limit int) (found []*Node, total int) {
	text = strings.ToLower(strings.TrimSpace(text))
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil, 0
	}
	rank := map[*Node]int{}
	for _, n := range t.order {
		if !hasAll(n.text, words) {
			continue
		}
		title := strings.ToLower(n.Title)
		switch {
		case title == text:
			rank[n] = 0
		case strings.HasPrefix(title, text):
			rank[n] = 1
		case strings.Contains(title, text):
			rank[n] = 2
		case hasAll(title, words):
			rank[n] = 3
		default:
			rank[n] = 4
		}
		found = append(found, n)
	}
	slices.SortStableFunc(found, func(a, b *Node) int {
		return cmp.Or(cmp.Compare(rank[a], rank[b]), cmp.Compare(len(a.Title), len(b.Title)), cmp.Compare(a.Page, b.Page))
	})
	return found[:min(len(found), limit)], len(found)
}

func hasAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// Chain returns the nodes from the root down to n, both included.
func (n *Node) Chain() []*Node {
	var out []*Node
	for ; n != nil; n = n.Parent {
		out = append(out, n)
	}
	slices.Reverse(out)
	return out
}

// titleOf returns the title of a file without backticks, else its name.
func titleOf(f answer.FileInfo) string {
	name := path.Base(f.File)
	return cmp.Or(strings.TrimSpace(strings.ReplaceAll(f.Title, "`", "")), strings.TrimSuffix(name, path.Ext(name)))
}

// parent returns the folder of a path; "" at the top.
func parent(p string) string {
	if d := path.Dir(p); d != "." {
		return d
	}
	return ""
}

// natural compares names so that "2-setup" comes before "10-run".
func natural(a, b string) int {
	for a != "" && b != "" {
		n, m := digits(a), digits(b)
		if n > 0 && m > 0 {
			x, y := strings.TrimLeft(a[:n], "0"), strings.TrimLeft(b[:m], "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
			a, b = a[n:], b[m:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits returns how many digits a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}
