package graph

import (
	"cmp"
	"slices"
	"strings"
)

// candidates are the files that share a key.
type candidates struct {
	pages []*page // in the order of paths
	memo  map[string]winners
	tails map[int]map[string]*candidates // by how many components, and which
}

// candidates looks a key up in all segments.
func (w *Walker) candidates(hash uint32) (*candidates, error) {
	if c := w.found[hash]; c != nil {
		return c, nil
	}
	c := &candidates{}
	for s := range w.segments {
		r := w.segments[s].Reader
		rows, err := r.names.find(nil, hash, r.Files())
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			id := ID{s, int(row)}
			if !w.alive(id) {
				continue
			}
			p, err := w.page(id)
			if err != nil {
				return nil, err
			}
			if err := w.name(p); err != nil {
				return nil, err
			}
			c.pages = append(c.pages, p)
		}
	}
	slices.SortFunc(c.pages, func(a, b *page) int { return strings.Compare(a.path, b.path) })
	w.found[hash] = c
	return c, nil
}

// longer returns those candidates that have a name with this tail of n components.
func (c *candidates) longer(key string, n int) *candidates {
	byTail := c.tails[n]
	if byTail == nil {
		byTail = map[string]*candidates{}
		for _, p := range c.pages {
			for _, name := range p.named.paths {
				if strings.Count(name.key, "/") < n-1 {
					continue
				}
				key := tail(name.key, n)
				l := byTail[key]
				if l == nil {
					l = &candidates{}
					byTail[key] = l
				}
				if k := len(l.pages); k == 0 || l.pages[k-1] != p {
					l.pages = append(l.pages, p)
				}
			}
		}
		if c.tails == nil {
			c.tails = map[int]map[string]*candidates{}
		}
		c.tails[n] = byTail
	}
	if l := byTail[key]; l != nil {
		return l
	}
	return &candidates{}
}

// manyPages is from how many files on the nearest is not found by looking at all
// of them. A corpus may have a README in each of its 5,000 folders, and refer to
// "README" from all of them.
const manyPages = 32

// winners are, for one try, the best files under each folder, the best class first.
type winners []class

type class struct {
	class uint8
	best  map[string]ranked // by folder
}

type ranked struct {
	page *page
	rank rank
}

// winners prepares the answer to a try from any folder.
func (c *candidates) winners(t *try) winners {
	key := string([]byte{byte(t.kind), btoi(t.slash)}) + t.prefix + "\x00" + t.path + "\x00" + t.file
	if m, ok := c.memo[key]; ok {
		return m
	}
	var m winners
	for _, p := range c.pages {
		r, ok := t.rank(p)
		if !ok {
			continue
		}
		i := slices.IndexFunc(m, func(k class) bool { return k.class == r.class })
		if i < 0 {
			i = len(m)
			m = append(m, class{r.class, map[string]ranked{}})
		}
		best := m[i].best
		for dir := p.dir; ; dir = folder(dir) {
			if !t.isNear() {
				dir = ""
			}
			old, ok := best[dir]
			if !ok || r.compare(old.rank, 0, 0) < 0 {
				best[dir] = ranked{p, r}
			}
			if dir == "" {
				break
			}
		}
	}
	slices.SortFunc(m, func(a, b class) int { return cmp.Compare(a.class, b.class) })
	if c.memo == nil {
		c.memo = map[string]winners{}
	}
	c.memo[key] = m
	return m
}

func btoi(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// nearest returns the best file as seen from a folder.
func (m winners) nearest(dir string) (*page, bool) {
	if len(m) == 0 {
		return nil, false
	}
	best := m[0].best
	for ; ; dir = folder(dir) {
		if r, ok := best[dir]; ok {
			return r.page, r.rank.loose
		}
		if dir == "" {
			return nil, false
		}
	}
}
