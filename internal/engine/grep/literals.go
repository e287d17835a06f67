package grep

import (
	"math"
	"slices"
	"unicode/utf8"
)

// literals are what a search looks for before anything else: every matching line
// contains one of them.
type literals struct {
	list  []finder // empty if looking for them is not worth it
	exact bool     // a line that contains one matches
}

// newLiterals chooses what to look for, given the description of a pattern.
func newLiterals(whole part, need Need) literals {
	if list := exactLiterals(whole.strings); list != nil {
		if c := cost(list) + likelihood(list)*costLine; len(list) == 1 || c < costMatch {
			return literals{list, true}
		}
		return literals{}
	}
	list := cheapest(need)
	if list == nil || cost(list)+verifyCost(list) > costMatch {
		return literals{}
	}
	return literals{list: list}
}

// exactLiterals returns finders for list if they say all there is to know of a
// pattern that stands for these strings, else nil.
func exactLiterals(list []str) []finder {
	var out []finder
	for _, s := range list {
		if s.inexact || s.text == "" {
			return nil
		}
		out = append(out, newFinder(s.text, s.fold, s.pre, s.post))
	}
	return out
}

// cheapest returns the literals to look for that cost least among those of which
// a line must contain one.
func cheapest(n Need) []finder {
	switch n.Op {
	case NeedLiteral:
		return []finder{newFinder(n.Literal.Text, n.Literal.fold, 0, 0)}
	case NeedOne:
		var all []finder
		for _, sub := range n.Sub {
			all = append(all, cheapest(sub)...)
		}
		return all
	case NeedAll:
		var best []finder
		for _, sub := range n.Sub {
			list := cheapest(sub)
			if best == nil || cost(list)+verifyCost(list) < cost(best)+verifyCost(best) {
				best = list
			}
		}
		return best
	}
	return nil
}

// cost guesses what looking for all of list costs, in nanoseconds a byte.
func cost(list []finder) float64 {
	sum := 0.0
	for i := range list {
		sum += list[i].cost
	}
	return sum
}

// likelihood guesses how likely one of list begins at a byte.
func likelihood(list []finder) float64 {
	sum := 0.0
	for i := range list {
		sum += list[i].likelihood()
	}
	return sum
}

// verifyCost guesses what matching the lines that contain one of list costs.
func verifyCost(list []finder) float64 {
	lines := min(1, likelihood(list)*lineBytes)
	return lines * (costMatch + costLine/lineBytes)
}

// often says how often each character of ASCII occurs in 100,000 bytes of
// Markdown. Counted over the documentation of Kubernetes, Rust and Vue (10 MB,
// each set given the same weight). A number need not be right: it decides which
// way to search is tried, not what is found.
var often = [utf8.RuneSelf]uint16{
	'\t': 10, '\n': 2573, '\r': 10, ' ': 13752, '!': 59, '"': 398, '#': 333, '$': 21, '%': 21, '&': 33, '\'': 171,
	'(': 302, ')': 302, '*': 233, '+': 47, ',': 523, '-': 1112, '.': 1067, '/': 849,
	'0': 187, '1': 225, '2': 154, '3': 112, '4': 82, '5': 74, '6': 75, '7': 56, '8': 88, '9': 58, ':': 559, ';': 81,
	'<': 468, '=': 235, '>': 550, '?': 17, '@': 10,
	'A': 242, 'B': 103, 'C': 248, 'D': 137, 'E': 165, 'F': 120, 'G': 73, 'H': 80, 'I': 233, 'J': 50, 'K': 73, 'L': 125,
	'M': 129, 'N': 127, 'O': 119, 'P': 224, 'Q': 39, 'R': 183, 'S': 259, 'T': 343, 'U': 89, 'V': 132, 'W': 107, 'X': 41,
	'Y': 58, 'Z': 38, '[': 242, '\\': 10, ']': 241, '^': 10, '_': 197, '`': 1538,
	'a': 4855, 'b': 1057, 'c': 2739, 'd': 2467, 'e': 8888, 'f': 1378, 'g': 1235, 'h': 2208, 'i': 4792, 'j': 154,
	'k': 469, 'l': 3028, 'm': 1849, 'n': 4854, 'o': 5051, 'p': 2116, 'q': 114, 'r': 4289, 's': 4735, 't': 6686,
	'u': 2388, 'v': 876, 'w': 816, 'x': 402, 'y': 994, 'z': 94, '{': 265, '|': 105, '}': 265, '~': 10,
}

// What searching costs, in nanoseconds a byte as measured on one core of a
// server. Only their relation matters.
const (
	costByte  = 0.08 // IndexByte, per case
	costPair  = 0.35 // pair.index
	costStop  = 40.0 // stopping at what they find, to compare
	costMatch = 1.7  // running a dfa
	costLine  = 60.0 // finding the line around a hit and setting out on it
	lineBytes = 60.0
)

// frequency returns how likely a byte of a text begins character i of the
// literal.
func (f *finder) frequency(i int) float64 {
	sum := 0.0
	for _, r := range f.cases(i) {
		switch {
		case r < utf8.RuneSelf:
			sum += float64(max(often[r], 1)) / 100_000
		case r < 0x3000:
			sum += 1.0 / 2_000
		default:
			sum += 1.0 / 50_000
		}
	}
	return sum
}

// byteCost guesses the cost of looking for character i.
func (f *finder) byteCost(i int) float64 {
	return float64(len(f.cases(i)))*costByte + f.frequency(i)*costStop
}

// pairCost guesses the cost of looking for character i and the next. They must
// be one byte each in every case, which k and s are not.
func (f *finder) pairCost(i int) float64 {
	if slices.Max(slices.Concat(f.cases(i), f.cases(i+1))) >= utf8.RuneSelf {
		return math.Inf(1)
	}
	return costPair + 4*f.frequency(i)*f.frequency(i+1)*costStop
}

// likelihood guesses how likely a byte of a text begins the literal. Characters
// of a word depend on one another, so each counts for less than it would alone.
func (f *finder) likelihood() float64 {
	p := 1.0
	for i := range min(len(f.runes), maxAnchor) {
		p = min(p, f.frequency(i))
	}
	return p * math.Pow(0.3, float64(len(f.runes)-1))
}
