package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
)

// A rank says how well a file fits a try; smaller is better. Class comes before
// nearness, the rest after it.
type rank struct {
	class uint8
	fine  uint8
	depth int // folders in the name that fits
	loose bool
}

func (r rank) compare(o rank, near, otherNear int) int {
	return cmp.Or(cmp.Compare(r.class, o.class), cmp.Compare(otherNear, near),
		cmp.Compare(r.depth, o.depth), cmp.Compare(r.fine, o.fine))
}

func (w *Walker) find(t *try, from *page) (*page, bool, error) {
	h, ok := t.hash()
	if !ok {
		return nil, false, nil
	}
	c, err := w.candidates(h)
	if err != nil || len(c.pages) == 0 {
		return nil, false, err
	}
	if t.kind == ruled {
		for _, p := range c.pages {
			if err := w.readRules(p); err != nil {
				return nil, false, err
			}
		}
	}
	if len(c.pages) > manyPages {
		if n := strings.Count(t.key, "/") + 1; n > maxTail && spaces[t.kind] == pathEnd {
			c = c.longer(t.key, n)
		}
		p, loose := c.winners(t).nearest(from.dir)
		return p, loose, nil
	}
	var best *page
	var bestRank rank
	common := 0
	for _, p := range c.pages {
		r, ok := t.rank(p)
		if !ok {
			continue
		}
		near := 0
		if t.isNear() {
			near = sharedFolders(p.dir, from.dir)
		}
		if best == nil || r.compare(bestRank, near, common) < 0 {
			best, bestRank, common = p, r, near
		}
	}
	return best, bestRank.loose, nil
}

// isNear reports whether the nearest file wins.
func (t *try) isNear() bool { return t.kind != exact && t.kind != under }

// rank says how well a page fits a try, or that it does not.
func (t *try) rank(p *page) (rank, bool) {
	switch t.kind {
	case titled:
		return rank{}, slices.Contains(p.named.texts, t.key)
	case ruled:
		return rank{}, slices.Contains(p.named.rules, t.key)
	}
	best, found := rank{}, false
	// A folder's page goes by the folder's name; its own is too common to be filed
	// by more than its last component.
	folderOnly := p.named.index > 0 && spaces[t.kind] == pathEnd && strings.Contains(t.key, "/")
	for i := range p.named.paths {
		n := &p.named.paths[i]
		if folderOnly && n.kind == ownPath {
			continue
		}
		r, ok := t.rankName(n)
		if !ok {
			continue
		}
		r.depth, r.fine = strings.Count(n.path, "/"), p.fine(n, t)
		if !found || r.compare(best, 0, 0) < 0 {
			best, found = r, true
		}
	}
	return best, found
}

// rankName compares a try with one path name.
func (t *try) rankName(n *pathName) (r rank, ok bool) {
	whole := n.key == t.key
	switch t.kind {
	case exact:
		if !whole {
			return r, false
		}
		r.class = 2
		switch {
		case n.path == t.path:
			r.class = 0
		case strings.EqualFold(n.path, t.path):
			r.class, r.loose = 1, true
		default:
			r.loose = true
		}
		return r, true
	case under:
		if !hasTail(n.key, t.key) || !strings.HasPrefix(n.key, t.prefix+"/") {
			return r, false
		}
		if len(n.key) != len(t.prefix)+1+len(t.key) {
			r.class = 1
		}
		return r, true
	}
	if !hasTail(n.key, t.key) {
		return r, false
	}
	// Of [[Name]] the nearest is meant, though one lie at the root.
	if !whole && (t.kind != nearest || strings.Contains(t.key, "/")) {
		r.class = 1
		r.loose = t.kind == rest
	}
	if len(n.path) < len(t.path) || !strings.EqualFold(n.path[len(n.path)-len(t.path):], t.path) {
		r.class += 2
	}
	if n.kind == declared && t.kind == nearest {
		r.class += 4
	}
	return r, true
}

// fine orders the files that fit a try equally well.
func (p *page) fine(n *pathName, t *try) uint8 {
	var f uint8
	switch {
	case t.file != "" && (hasTail(p.path, t.file) || hasTail(trimExt(p.path), t.file)):
		return 0
	case n.kind == folderPath:
		f = uint8(p.named.index) << 2
		if !t.slash {
			f += 16
		}
	case n.kind == ownPath:
		if t.slash {
			f = 4 << 2
		}
	default:
		f = 8 << 2
	}
	if p.named.ext > 0 {
		f |= uint8(min(p.named.ext, 3))
	}
	if !strings.HasSuffix(n.path, t.path) {
		f |= 128
	}
	return f + 1
}

// sharedFolders returns how many folders two have in common from the root down.
func sharedFolders(a, b string) int {
	n, i := 0, 0
	for ; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	if i > 0 && (i == len(a) || a[i] == '/') && (i == len(b) || b[i] == '/') {
		n++
	}
	return n
}

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

type names struct {
	paths    []pathName
	texts    []string // title and aliases, folded
	rules    []string // ids of rules and other places, folded; read when asked for
	declared []Name
	index    int // see isIndex
	ext      int // rank of its extension
}

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
