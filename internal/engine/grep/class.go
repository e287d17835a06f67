package grep

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
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

// What \w, \d, \s and \p{...} stand for. They are those of Unicode, as in
// ripgrep, and not the ASCII ones of package regexp:
//
//	\w  Alphabetic, M, Nd, Pc, Join_Control
//	\d  Nd
//	\s  White_Space
var (
	wordClass = sync.OnceValue(func() class {
		return classOfTables(unicode.L, unicode.Nl, unicode.Other_Alphabetic,
			unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control)
	})
	digitClass = sync.OnceValue(func() class { return classOfTables(unicode.Nd) })
	spaceClass = sync.OnceValue(func() class { return classOfTables(unicode.White_Space) })
)

var everything = class{{0, unicode.MaxRune}}

// isWord reports whether r is a word character, \w.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return wordClass().has(r)
}

// asciiClasses are the names that stand between [: and :].
var asciiClasses = sync.OnceValue(func() map[string]class {
	return map[string]class{
		"alnum":  {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}},
		"alpha":  {{'A', 'Z'}, {'a', 'z'}},
		"ascii":  {{0, 0x7f}},
		"blank":  {{'\t', '\t'}, {' ', ' '}},
		"cntrl":  {{0, 0x1f}, {0x7f, 0x7f}},
		"digit":  {{'0', '9'}},
		"graph":  {{'!', '~'}},
		"lower":  {{'a', 'z'}},
		"print":  {{' ', '~'}},
		"punct":  {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}},
		"space":  {{'\t', '\r'}, {' ', ' '}},
		"upper":  {{'A', 'Z'}},
		"word":   {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}},
		"xdigit": {{'0', '9'}, {'A', 'F'}, {'a', 'f'}},
	}
})

// derived are the properties that the tables of package unicode do not hold but
// add up to.
var derived = sync.OnceValue(func() map[string]func() class {
	return map[string]func() class{
		"any":   func() class { return everything },
		"ascii": func() class { return class{{0, 0x7f}} },
		"assigned": func() class {
			return classOfTables(unicode.C, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z)
		},
		"alphabetic": func() class { return classOfTables(unicode.L, unicode.Nl, unicode.Other_Alphabetic) },
		"lowercase":  func() class { return classOfTables(unicode.Ll, unicode.Other_Lowercase) },
		"uppercase":  func() class { return classOfTables(unicode.Lu, unicode.Other_Uppercase) },
		"math":       func() class { return classOfTables(unicode.Sm, unicode.Other_Math) },
		"cased": func() class {
			return classOfTables(unicode.Ll, unicode.Lu, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
		},
	}
})

// propertyNames finds tables by the loose form of their names. Where a name is
// both, a category wins over a property and a property over a script.
var propertyNames = sync.OnceValue(func() map[string]*unicode.RangeTable {
	m := map[string]*unicode.RangeTable{}
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Scripts, unicode.Properties, unicode.Categories} {
		for name, t := range tables {
			m[loose(name)] = t
		}
	}
	for alias, name := range unicode.CategoryAliases {
		if t, ok := unicode.Categories[name]; ok {
			m[loose(alias)] = t
		}
	}
	return m
})

// property returns the class \p{name} stands for.
func property(name string) (class, bool) {
	kind, value, isPair := strings.Cut(strings.Replace(name, ":", "=", 1), "=")
	if isPair {
		tables := unicode.Scripts
		switch loose(kind) {
		case "sc", "script":
		case "gc", "generalcategory":
			tables = unicode.Categories
		default:
			return nil, false
		}
		t, ok := propertyNames()[loose(value)]
		for _, of := range tables {
			if ok && of == t {
				return classOfTables(t), true
			}
		}
		return nil, false
	}
	short := loose(name)
	if c, ok := derived()[short]; ok {
		return c(), true
	}
	if t, ok := propertyNames()[short]; ok {
		return classOfTables(t), true
	}
	if rest, ok := strings.CutPrefix(short, "is"); ok && rest != "" {
		return property(rest)
	}
	return nil, false
}

// loose drops what Unicode says does not count in a name: case, spaces, hyphens
// and underscores.
func loose(name string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '_' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
