package grep

import (
	"slices"
	"unicode/utf8"
)

// How the Need of an expression is found.
//
// From the leaves up, every part of the expression is described by the few
// strings it stands for, where it stands for no others ("colou?r", "[bc]at"), or
// else by what its matches contain. In a sequence, strings are joined as long as
// they stay few. A part that is not a set of strings, such as \w+, ends those
// before it, which go into the Need, and begins new ones.
//
// A place is an edge if it cannot lie inside a word: a \b, the start or end of a
// line, or next to a character that is no word character. A string that begins or
// ends at an edge begins or ends a word, which the Need says.

const (
	maxStrings  = 16 // after joining two sets of several strings
	maxBranches = 64 // of an alternation
	maxMembers  = 8  // strings that a class stands for
	maxCopies   = 32 // of a repeated part that are joined
)

// A str is one string that a part of an expression stands for.
type str struct {
	text      string
	fold      bool // has characters that match in any case
	sensitive bool // has characters that match in one case only
	inexact   bool // it matches only some of what text, fold and the looks say
	pre, post look // what must hold before and after it; the same if it is empty
}

func (s str) beginsAtEdge() bool {
	r, _ := utf8.DecodeRuneInString(s.text)
	return s.pre&edgeLooks != 0 || s.text != "" && !isWord(r)
}

func (s str) endsAtEdge() bool {
	r, _ := utf8.DecodeLastRuneInString(s.text)
	return s.post&edgeLooks != 0 || s.text != "" && !isWord(r)
}

func (s str) then(t str) str {
	out := str{
		text:      s.text + t.text,
		fold:      s.fold || t.fold,
		sensitive: s.sensitive || t.sensitive,
		inexact:   s.inexact || t.inexact,
		pre:       s.pre,
		post:      t.post,
	}
	if s.text == "" {
		out.pre |= t.pre
	}
	if t.text == "" {
		out.post |= s.post
	}
	if s.text != "" && t.text != "" && s.post|t.pre != 0 || out.fold && out.sensitive {
		out.inexact = true
	}
	return out
}

// literal returns s for a Need, given whether its neighbours make its ends
// edges.
func (s str) literal(left, right bool) Literal {
	first, _ := utf8.DecodeRuneInString(s.text)
	last, _ := utf8.DecodeLastRuneInString(s.text)
	return Literal{
		Text:  s.text,
		Left:  (left || s.pre&edgeLooks != 0) && isWord(first),
		Right: (right || s.post&edgeLooks != 0) && isWord(last),
		fold:  s.fold,
	}
}

// A part describes a part of an expression.
type part struct {
	strings     []str // all it stands for; nil if they are many
	need        Need  // else, what its matches contain
	left, right bool  // else, they begin and end at an edge
}

// open describes p without strings.
func (p part) open() part {
	if p.strings == nil {
		return p
	}
	return part{
		need:  needStrings(p.strings, false, false),
		left:  startsAtEdge(p.strings, false),
		right: endsAtEdge(p.strings, false),
	}
}

// needStrings returns the need for one of list, given whether the places before
// and after are edges.
func needStrings(list []str, left, right bool) Need {
	subs := make([]Need, len(list))
	for i, s := range list {
		if s.text == "" {
			return Need{}
		}
		subs[i] = Need{Op: NeedLiteral, Literal: s.literal(left, right)}
	}
	return needOne(subs...)
}

func describe(n *node) part {
	switch n.op {
	case opEmpty:
		return part{strings: []str{{}}}
	case opLook:
		return part{strings: []str{{pre: n.look, post: n.look}}}
	case opRune:
		return part{strings: []str{{text: string(n.r), fold: n.fold, sensitive: !n.fold && !caseless(n.r)}}}
	case opClass:
		return describeClass(n.class)
	case opAlternate:
		return describeAlternate(n.sub)
	}
	return sequence(parts(nil, n))
}

// parts appends the descriptions of what n is a sequence of.
func parts(list []part, n *node) []part {
	switch n.op {
	case opConcat:
		if n.look == lineEnd { // "$": what stands before it is followed by no word character
			return append(list, part{left: true, right: true})
		}
		for _, sub := range n.sub {
			list = parts(list, sub)
		}
		return list
	case opRepeat:
		return repeatParts(list, n)
	}
	return append(list, describe(n))
}

func describeClass(c class) part {
	if members := classStrings(c); members != nil {
		return part{strings: members}
	}
	edge := len(c.intersect(wordClass())) == 0
	return part{left: edge, right: edge}
}

// classStrings returns the members of a small class, or nil.
func classStrings(c class) []str {
	var out []str
	for _, s := range c {
		if s.hi-s.lo > 4*maxMembers {
			return nil
		}
		for r := s.lo; r <= s.hi; r++ {
			member := str{text: string(r), sensitive: !caseless(r)}
			if cases := orbit(r); len(cases) > 1 && !slices.ContainsFunc(cases, func(o rune) bool { return !c.has(o) }) {
				if r != cases[0] {
					continue // it came with the first
				}
				member = str{text: string(foldRune(r)), fold: true}
			}
			if out = append(out, member); len(out) > maxMembers {
				return nil
			}
		}
	}
	return out
}

func describeAlternate(branches []*node) part {
	out := part{left: true, right: true}
	var list []str
	var needs []Need
	closed := true
	for _, sub := range branches {
		p := describe(sub)
		closed = closed && p.strings != nil && len(list)+len(p.strings) <= maxBranches
		list = append(list, p.strings...)
		p = p.open()
		needs = append(needs, p.need)
		out.left = out.left && p.left
		out.right = out.right && p.right
	}
	if closed {
		return part{strings: list}
	}
	out.need = needOne(needs...)
	return out
}

// repeatParts appends the descriptions of what a repetition is a sequence of:
// the copies there must be, and the others.
func repeatParts(list []part, n *node) []part {
	p := describe(n.sub[0])
	switch {
	case n.min == 0 && n.max == 1 && p.strings != nil:
		return append(list, part{strings: append(slices.Clip(p.strings), str{})})
	case n.min == 0:
		return append(list, part{})
	case p.strings == nil:
		return append(list, p)
	}
	copies := min(n.min, maxCopies)
	for range copies {
		list = append(list, p)
	}
	if copies != n.max {
		list = append(list, part{right: endsAtEdge(p.strings, false)})
	}
	return list
}

// sequence describes parts that follow one another.
func sequence(parts []part) part {
	var out part
	var needs []Need
	list := []str{{}} // the strings not yet in needs
	edge := false     // the place before them is one
	closed := true    // nothing is in needs yet
	flush := func(nextEdge bool) {
		if closed {
			out.left = startsAtEdge(list, nextEdge)
			closed = false
		}
		needs = append(needs, needStrings(list, edge, nextEdge))
	}
	for _, p := range parts {
		if p.strings == nil {
			flush(p.left)
			needs = append(needs, p.need)
			list, edge = []str{{}}, p.right
			continue
		}
		if joined := join(list, p.strings); joined != nil {
			list = joined
			continue
		}
		flush(startsAtEdge(p.strings, false))
		list, edge = p.strings, endsAtEdge(list, edge)
	}
	if closed {
		return part{strings: list}
	}
	flush(false)
	out.right = endsAtEdge(list, edge)
	out.need = needAll(needs...)
	return out
}

// startsAtEdge reports whether every string begins at an edge, given whether
// there is one behind those that are empty.
func startsAtEdge(list []str, behind bool) bool {
	return !slices.ContainsFunc(list, func(s str) bool {
		return !s.beginsAtEdge() && (s.text != "" || !behind)
	})
}

// endsAtEdge reports whether every string ends at an edge, given whether there
// is one before those that are empty.
func endsAtEdge(list []str, before bool) bool {
	return !slices.ContainsFunc(list, func(s str) bool {
		return !s.endsAtEdge() && (s.text != "" || !before)
	})
}

// join returns every string of a followed by every one of b, or nil if these are
// too many.
func join(a, b []str) []str {
	if len(a) > 1 && len(b) > 1 && len(a)*len(b) > maxStrings {
		return nil
	}
	out := make([]str, 0, len(a)*len(b))
	for _, s := range a {
		for _, t := range b {
			out = append(out, s.then(t))
		}
	}
	return out
}
