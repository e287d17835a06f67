package graph

// A longTarget is what the place that a link leads to depends on, besides its file.
type longTarget struct {
	kind   Kind
	cut    bool
	target string
}

// resolve finds where a link leads. A long target is looked up once a file: see longString.
func (w *Walker) resolve(from *page, l Link) (Edge, error) {
	if len(l.Target) < longString {
		return w.lookUp(from, l)
	}
	if w.resolvedOf != from {
		w.resolvedOf, w.resolved = from, map[longTarget]Edge{}
	}
	key := longTarget{l.Kind, l.cut, l.Target}
	e, ok := w.resolved[key]
	if !ok {
		var err error
		if e, err = w.lookUp(from, l); err != nil {
			return e, err
		}
		w.resolved[key] = e
	}
	e.Link, e.From.Section = l, l.Section
	return e, nil
}

func (w *Walker) lookUp(from *page, l Link) (Edge, error) {
	e := Edge{Link: l, From: Place{from.id, from.path, l.Section}, To: Place{Section: -1}}
	p := &w.plan
	p.make(from.path, &l)
	e.State, e.Anchor = p.state, p.anchor
	if p.self {
		return e, w.land(&e, p, from)
	}
	for i := range p.tries {
		t := &p.tries[i]
		if t.kind == numbered {
			return e, w.landNumber(&e, t, from)
		}
		to, loose, err := w.find(t, from)
		if err != nil {
			return e, err
		}
		if to != nil {
			e.Loose = loose || t.loose
			if t.kind == ruled {
				p.anchor = t.path
			}
			return e, w.land(&e, p, to)
		}
	}
	e.Path = p.path
	if p.folder != "" {
		e.Path = p.folder + "/" + p.path
	}
	return e, nil
}

// land completes an edge that leads to a page.
func (w *Walker) land(e *Edge, p *plan, to *page) error {
	e.State, e.To = Found, Place{to.id, to.path, -1}
	if p.anchor == "" {
		return nil
	}
	at, err := w.places(to)
	if err != nil {
		return err
	}
	section, ok := at.find(p.anchor, p.words)
	if !ok {
		e.State = NoAnchor
		return nil
	}
	e.To.Section = section
	return nil
}

// landNumber completes an edge that names a number: a section of its own file, or
// of the one other file that has a section of that number.
func (w *Walker) landNumber(e *Edge, t *try, from *page) error {
	at, err := w.places(from)
	if err != nil {
		return err
	}
	if s, ok := at.numbers.find(t.key); ok {
		e.State, e.To = Found, Place{from.id, from.path, s}
		return nil
	}
	h, ok := t.hash()
	if !ok {
		return nil
	}
	c, err := w.candidates(h)
	if err != nil {
		return err
	}
	var to *page
	section := -1
	for _, p := range c.pages {
		at, err := w.places(p)
		if err != nil {
			return err
		}
		i, ok := at.numbers[t.key]
		if !ok {
			if fold(fileChapter(p.path)) != t.key {
				continue
			}
			i = -1
		}
		if to != nil {
			return nil // not the only one
		}
		to, section = p, i
	}
	if to != nil {
		e.State, e.To, e.Loose = Found, Place{to.id, to.path, section}, true
	}
	return nil
}
