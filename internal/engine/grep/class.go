package grep

import (
	"cmp"
	"slices"
	"sync"
	"unicode"
)

// A class is a set of characters: ranges in ascending order that neither
// overlap nor touch.
type class []span

// A span is the range of characters from lo to hi, both included.
type span struct{ lo, hi rune }

// classOf returns the set of characters in any of the ranges. It reorders them.
func classOf(ranges ...span) class {
	slices.SortFunc(ranges, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	out := ranges[:0]
	for _, s := range ranges {
		if n := len(out); n > 0 && s.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, s.hi)
			continue
		}
		out = append(out, s)
	}
	return out
}

func classOfTables(tables ...*unicode.RangeTable) class {
	var out []span
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			out = append(out, span{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			out = append(out, span{r, r})
		}
	}
	for _, t := range tables {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return classOf(out...)
}

func (c class) has(r rune) bool {
	_, found := slices.BinarySearchFunc(c, r, func(s span, r rune) int {
		switch {
		case s.hi < r:
			return -1
		case s.lo > r:
			return 1
		}
		return 0
	})
	return found
}

func (c class) union(d class) class {
	return classOf(slices.Concat(c, d)...)
}

func (c class) negate() class {
	var out class
	next := rune(0)
	for _, s := range c {
		if s.lo > next {
			out = append(out, span{next, s.lo - 1})
		}
		next = s.hi + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, span{next, unicode.MaxRune})
	}
	return out
}

func (c class) intersect(d class) class {
	var out class
	for i, j := 0, 0; i < len(c) && j < len(d); {
		if lo, hi := max(c[i].lo, d[j].lo), min(c[i].hi, d[j].hi); lo <= hi {
			out = append(out, span{lo, hi})
		}
		if c[i].hi < d[j].hi {
			i++
		} else {
			j++
		}
	}
	return out
}

func (c class) minus(d class) class { return c.intersect(d.negate()) }

// casedClass is the set of characters that have another case.
var casedClass = sync.OnceValue(func() class {
	var out []span
	for _, c := range unicode.CaseRanges {
		for r := rune(c.Lo); r <= rune(c.Hi); r++ {
			// Some of these have none, while \u00df has one and is not there
			// itself, only \u1e9e.
			if !caseless(r) {
				for _, o := range orbit(r) {
					out = append(out, span{o, o})
				}
			}
		}
	}
	return classOf(out...)
})

// fold adds every character that equals one of the class when case does not
// matter. Only the few thousand that have a case are looked at, so the time does
// not depend on how much of Unicode the class covers.
func (c class) fold() class {
	var more []span
	for _, s := range c.intersect(casedClass()) {
		for r := s.lo; r <= s.hi; r++ {
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				if !c.has(f) {
					more = append(more, span{f, f})
				}
			}
		}
	}
	if len(more) == 0 {
		return c
	}
	return classOf(append(more, c...)...)
}

// orbit returns the characters that equal r when case does not matter, r among
// them, in ascending order.
func orbit(r rune) []rune {
	out := []rune{r}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		out = append(out, f)
	}
	slices.Sort(out)
	return out
}

// foldRune returns the character that stands for all that equal r when case
// does not matter. For a letter of ASCII it is the small letter.
func foldRune(r rune) rune {
	if r < 0x80 {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	if least < 0x80 {
		return foldRune(least)
	}
	return least
}

func caseless(r rune) bool { return unicode.SimpleFold(r) == r }
