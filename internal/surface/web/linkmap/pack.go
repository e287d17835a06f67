package linkmap

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// How the map is laid out.
//
// Springs and charges give every corpus of a thousand linked files the same ball
// of wool, differently each time. Here files lie in circles of their folders,
// those in circles of theirs, packed as closely as circles can be: the place of a
// file says where it is kept, its size how many documents link to it, and links
// are drawn over that, bent towards the folder that both ends have in common. The
// layout depends on nothing but the paths and the sizes, so that a corpus always
// looks like itself.
//
// Circles are packed one by one, each touching two that lie already, as near to
// the middle as the front of those outside allows (Wang et al., Visualization of
// Large Hierarchical Data by Circle Packing, 2006).

type circle struct{ x, y, r float64 }

// A ring is a folder on the map.
type ring struct {
	path  string
	label string
	depth int
	files int
	circle
}

// mapSize is the width and height of the map, in its own units.
const mapSize = 1000

// arrange gives every spot its place, and returns the folders around them, those
// further out first.
func arrange(dir string, spots []*spot) []*ring {
	root := &nest{ring: &ring{path: dir}}
	nests := map[string]*nest{dir: root}
	var find func(p string) *nest
	find = func(p string) *nest {
		if n, ok := nests[p]; ok {
			return n
		}
		up := find(parent(p))
		n := &nest{ring: &ring{path: p, label: p[strings.LastIndexByte(p, '/')+1:]}}
		nests[p] = n
		up.inner = append(up.inner, n)
		return n
	}
	for _, s := range spots {
		n := find(s.dir)
		n.spots = append(n.spots, s)
		weight := float64(s.in)
		if s.folder {
			weight = float64(s.files) * 2
		}
		s.r = 3 + 1.6*math.Sqrt(weight)
	}
	root = root.simple()
	root.pack()
	scale := mapSize / 2 / root.r
	var rings []*ring
	root.place(mapSize/2, mapSize/2, scale, 0, &rings)
	return rings
}

// A nest is a folder while it is being packed.
type nest struct {
	*ring
	inner []*nest
	spots []*spot
}

// simple takes away folders that hold nothing but one folder, and rings around a
// single file.
func (n *nest) simple() *nest {
	kept := n.inner[:0]
	for _, in := range n.inner {
		in = in.simple()
		if len(in.inner) == 0 && len(in.spots) == 1 {
			n.spots = append(n.spots, in.spots...)
			continue
		}
		kept = append(kept, in)
	}
	n.inner = kept
	if len(n.spots) == 0 && len(n.inner) == 1 {
		only := n.inner[0]
		only.label = strings.TrimPrefix(n.label+"/"+only.label, "/")
		return only
	}
	return n
}

// pack packs what is in a folder around its middle, and says how large it is.
func (n *nest) pack() {
	var all []*circle
	for _, s := range n.spots {
		n.files += s.files
		all = append(all, &s.circle)
	}
	for _, in := range n.inner {
		in.pack()
		n.files += in.files
		all = append(all, &in.circle)
	}
	slices.SortStableFunc(all, func(a, b *circle) int { return cmp.Compare(b.r, a.r) })
	const gap = 1.2
	for _, c := range all {
		c.r += gap
	}
	packCircles(all)
	n.r = enclose(all) + 3
	for _, c := range all {
		c.r -= gap
	}
}

// place turns what was packed around a folder's own middle into places on the map.
func (n *nest) place(x, y, scale float64, depth int, rings *[]*ring) {
	n.x, n.y, n.r, n.depth = x, y, n.r*scale, depth
	*rings = append(*rings, n.ring)
	for _, s := range n.spots {
		s.x, s.y, s.r = x+s.x*scale, y+s.y*scale, s.r*scale
	}
	for _, in := range n.inner {
		in.place(x+in.x*scale, y+in.y*scale, scale, depth+1, rings)
	}
}

// A front is a circle on the outside of those that lie already.
type front struct {
	*circle
	next, last *front
}

// score is how far a place between two circles of the front is from the middle.
func (f *front) score() float64 {
	a, b := f.circle, f.next.circle
	ab := a.r + b.r
	dx, dy := (a.x*b.r+b.x*a.r)/ab, (a.y*b.r+b.y*a.r)/ab
	return dx*dx + dy*dy
}

// packCircles gives circles their places, the first in the middle.
func packCircles(cs []*circle) {
	if len(cs) == 0 {
		return
	}
	cs[0].x, cs[0].y = 0, 0
	if len(cs) == 1 {
		return
	}
	cs[0].x, cs[1].x, cs[1].y = -cs[1].r, cs[0].r, 0
	if len(cs) == 2 {
		return
	}
	touch(cs[1], cs[0], cs[2])
	a, b, c := &front{circle: cs[0]}, &front{circle: cs[1]}, &front{circle: cs[2]}
	a.next, c.last = b, b
	b.next, a.last = c, c
	c.next, b.last = a, a
next:
	for _, circle := range cs[3:] {
		for {
			touch(a.circle, b.circle, circle)
			c = &front{circle: circle}
			// The nearest circle of the front that lies in the way, looked for in
			// both directions.
			j, k := b.next, a.last
			sj, sk := b.r, a.r
			clear := true
			for {
				if sj <= sk {
					if overlap(j.circle, circle) {
						b, clear = j, false
						break
					}
					sj += j.r
					j = j.next
				} else {
					if overlap(k.circle, circle) {
						a, clear = k, false
						break
					}
					sk += k.r
					k = k.last
				}
				if j == k.next {
					break
				}
			}
			if clear {
				break
			}
			a.next, b.last = b, a
			if a == b { // all of the front is in the way: cannot be, but would not end
				continue next
			}
		}
		c.last, c.next = a, b
		a.next, b.last = c, c
		b = c
		// Go on where the front is nearest to the middle.
		best := a.score()
		for f := c.next; f != c; f = f.next {
			if s := f.score(); s < best {
				a, best = f, s
			}
		}
		b = a.next
	}
}

// touch places c so that it touches a and b.
func touch(b, a, c *circle) {
	dx, dy := b.x-a.x, b.y-a.y
	d2 := dx*dx + dy*dy
	if d2 == 0 {
		c.x, c.y = a.x+c.r, a.y
		return
	}
	a2, b2 := (a.r+c.r)*(a.r+c.r), (b.r+c.r)*(b.r+c.r)
	if a2 > b2 {
		x := (d2 + b2 - a2) / (2 * d2)
		y := math.Sqrt(max(0, b2/d2-x*x))
		c.x, c.y = b.x-x*dx-y*dy, b.y-x*dy+y*dx
	} else {
		x := (d2 + a2 - b2) / (2 * d2)
		y := math.Sqrt(max(0, a2/d2-x*x))
		c.x, c.y = a.x+x*dx-y*dy, a.y+x*dy+y*dx
	}
}

func overlap(a, b *circle) bool {
	r := a.r + b.r - 1e-6
	dx, dy := b.x-a.x, b.y-a.y
	return r > 0 && r*r > dx*dx+dy*dy
}

// enclose moves circles so that the smallest circle around them lies in the
// middle, and returns its radius: a step towards the furthest, again and again,
// each shorter than the last (Bădoiu and Clarkson, 2003).
func enclose(cs []*circle) float64 {
	if len(cs) == 0 {
		return 1
	}
	x, y := cs[0].x, cs[0].y
	furthest := func() (*circle, float64) {
		var far *circle
		most := -1.0
		for _, c := range cs {
			if d := math.Hypot(c.x-x, c.y-y) + c.r; d > most {
				far, most = c, d
			}
		}
		return far, most
	}
	for i := range 60 {
		far, _ := furthest()
		x += (far.x - x) / float64(i+2)
		y += (far.y - y) / float64(i+2)
	}
	_, r := furthest()
	for _, c := range cs {
		c.x -= x
		c.y -= y
	}
	return r
}
