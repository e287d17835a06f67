package graph

import (
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
)

// A page is a file as references see it.
type page struct {
	id     ID
	path   string
	dir    string
	title  string
	named  *names  // read when it is asked about as a target
	places *places // the same
}

// page returns a file that is alive.
func (w *Walker) page(id ID) (*page, error) {
	if p := w.pages[id]; p != nil {
		return p, nil
	}
	path, title, err := w.segments[id.Segment].Page(id.Row)
	if err != nil {
		return nil, err
	}
	p := &page{id: id, path: path, dir: folder(path), title: title}
	w.pages[id] = p
	return p, nil
}

// names are what a file is called.
type names struct {
	paths    []pathName
	texts    []string // title and aliases, folded
	rules    []string // ids of rules and other places, folded; read when asked for
	declared []Name
	index    int // see isIndex
	ext      int // rank of its extension
}

// name reads the names of a page.
func (w *Walker) name(p *page) error {
	if p.named != nil {
		return nil
	}
	declared, err := w.segments[p.id.Segment].Reader.Names(p.id.Row)
	if err != nil {
		return err
	}
	n := &names{declared: declared, paths: pathNames(p.path, declared)}
	n.index = isIndex(trimExt(strings.TrimPrefix(p.path[len(p.dir):], "/")))
	n.ext = slices.IndexFunc(doc.Extensions, func(ext string) bool { return strings.HasSuffix(p.path, ext) })
	if t := foldText(p.title); t != "" {
		n.texts = append(n.texts, t)
	}
	for _, d := range declared {
		if t := foldText(d.Text); !d.Path && t != "" {
			n.texts = append(n.texts, t)
		}
	}
	p.named = n
	return nil
}

// readRules reads the ids of a page among which those of its rules are.
func (w *Walker) readRules(p *page) error {
	at, err := w.places(p)
	if err != nil || p.named.rules != nil {
		return err
	}
	p.named.rules = []string{}
	for _, a := range at.extra {
		p.named.rules = append(p.named.rules, fold(a.ID))
	}
	return nil
}
