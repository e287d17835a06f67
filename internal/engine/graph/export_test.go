package graph

import "strings"

// MaxTarget is the length of the longest target that is kept whole.
const MaxTarget = maxTarget

// HeadingNumber is headingNumber.
func HeadingNumber(title string) string {
	word, num := headingNumber(title)
	return numberText(word, num)
}

// ResolveSlowly finds where a link leads by looking at every file, without keys
// and without preparing anything: what Resolve must equal.
func (w *Walker) ResolveSlowly(from ID, l Link) (*Place, error) {
	var all []*page
	for s := range w.segments {
		for row := range w.segments[s].Reader.Files() {
			if id := (ID{s, row}); w.alive(id) {
				p, err := w.page(id)
				if err != nil {
					return nil, err
				}
				if err := w.name(p); err != nil {
					return nil, err
				}
				all = append(all, p)
			}
		}
	}
	src, err := w.page(from)
	if err != nil {
		return nil, err
	}
	var p plan
	p.make(src.path, &l)
	if p.self {
		return &Place{File: from, Path: src.path}, nil
	}
	for i := range p.tries {
		t := &p.tries[i]
		var best *page
		var bestRank rank
		bestNear, found := 0, 0
		for _, q := range all {
			var r rank
			ok := false
			switch t.kind {
			case ruled:
				at, err := w.places(q)
				if err != nil {
					return nil, err
				}
				for _, a := range at.extra {
					ok = ok || fold(a.ID) == t.key
				}
			case numbered:
				at, err := w.places(q)
				if err != nil {
					return nil, err
				}
				if q == src {
					if _, ok := at.numbers.find(t.key); ok {
						return &Place{File: from, Path: src.path}, nil
					}
				}
				_, ok = at.numbers[t.key]
				ok = ok && isGlobal(t.key) || fold(fileChapter(q.path)) == t.key
			default:
				r, ok = t.rank(q)
			}
			if !ok {
				continue
			}
			found++
			near := 0
			if t.isNear() {
				for dir := src.dir; ; dir = folder(dir) {
					if dir == "" || q.dir == dir || strings.HasPrefix(q.dir, dir+"/") {
						near = strings.Count(dir, "/")
						if dir != "" {
							near++
						}
						break
					}
				}
			}
			c := r.compare(bestRank, near, bestNear)
			if best == nil || c < 0 || c == 0 && q.path < best.path {
				best, bestRank, bestNear = q, r, near
			}
		}
		if t.kind == numbered && found > 1 {
			return nil, nil
		}
		if best != nil {
			return &Place{File: best.id, Path: best.path}, nil
		}
	}
	return nil, nil
}
