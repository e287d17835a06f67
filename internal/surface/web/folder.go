package web

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/docent-md/docent/answer"
)

// A folderPage lists what is in a folder.
type folderPage struct {
	*frame
	treeView
	Dir    string
	Crumbs []place
	Level  *treeLevel
	Count  int // of pages in it
	pager
}

// folderRows is how many entries of a folder a page lists.
const folderRows = 200

var errNoFolder = errors.New("there is no such folder")

func noFolder(dir string) error {
	return &answer.NotFoundError{Name: clip(dir, 200), Err: errNoFolder}
}

func (s *site) folderPage(w http.ResponseWriter, r *http.Request, f *frame) error {
	f.Here = "folder"
	now, err := f.release(r.Context())
	if err != nil {
		return err
	}
	tree, err := now.tree(r.Context())
	if err != nil {
		return err
	}
	dir := strings.Trim(r.PathValue("path"), "/")
	n := tree.Dir(dir)
	if n == nil {
		return noFolder(dir)
	}
	p := folderPage{frame: f, Dir: dir, Count: n.Pages}
	f.Title = n.Title
	if n.Parent == nil {
		f.Title = f.Name
	}
	p.treeView = f.treeAt(tree, n)
	p.Crumbs = []place{{f.Name, f.address("/", "")}}
	for _, up := range n.Chain() {
		if up.Parent != nil && up != n {
			p.Crumbs = append(p.Crumbs, place{up.Title, f.nodeURL(up)})
		}
	}
	p.pager = newPager(r, len(n.Kids), folderRows, func(page string) string { return f.address("/folder/"+dir, "", "page", page) })
	p.Level = f.window(n, p.From, p.To, p.To)
	if n.Page != "" {
		p.Level.Items = append([]treeItem{{Title: n.Title, Path: n.Page, URL: f.readURL(n.Page)}}, p.Level.Items...)
	}
	return s.write(w, r, http.StatusOK, "folder", p)
}

// raw writes the Markdown of a document, as it is.
func (s *site) raw(w http.ResponseWriter, r *http.Request, f *frame) error {
	now, err := f.release(r.Context())
	if err != nil {
		return err
	}
	reading, err := now.lib.Read(r.Context(), r.PathValue("path"), wholeText)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Length", fmt.Sprint(len(reading.Text)))
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(reading.Text))
	}
	return nil
}
