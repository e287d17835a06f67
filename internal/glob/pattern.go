package glob

import (
	"strings"
	"unicode/utf8"
)

// A Pattern is a compiled pattern of the kind that users type. Paths have
// forward slashes, and a pattern matches the whole of a path:
//
//   - any characters but "/"
//     ?        one character but "/"
//     [a-z]    one character of a class, never "/"; [!a-z] and [^a-z] one not of it
//     **/      any number of whole folders, none included
//     /**      at the end: the folder itself and all that is in it
//     {a,b}    a or b, each a pattern; what they hold may go on behind the brace
//     \x       the character x
//
// "**" means "*" unless it is a whole path element. These are the rules of the
// package doublestar, which the tests compare with.
type Pattern struct {
	any []Glob // the pattern matches what any of them does
}

// {a,b}{a,b}{a,b} stands for 8 patterns without braces, and twenty such braces
// for a million. So writing them out may cost maxWork: a byte costs 1, and a
// pattern stepCost besides, which makes at most a thousand patterns.
const (
	maxWork  = 1 << 20
	stepCost = 1 << 10
)

// Match reports whether a valid pattern matches a path. To match many paths,
// compile the pattern once.
func Match(pattern, path string) bool {
	p, ok := Compile(pattern)
	return ok && p.Match(path)
}

// Valid reports whether a pattern can be compiled: its classes are closed and
// not empty, its braces are paired and stand for a thousand patterns at most,
// and it does not end in a backslash.
func Valid(pattern string) bool {
	_, ok := Compile(pattern)
	return ok
}

// Compile compiles a pattern. It is false for one that is not valid.
func Compile(pattern string) (Pattern, bool) {
	if !wellFormed(pattern) {
		return Pattern{}, false
	}
	var p Pattern
	work := maxWork
	ok := p.expand(pattern, &work)
	return p, ok
}

// Match reports whether p matches a path.
func (p *Pattern) Match(path string) bool {
	for i := range p.any {
		if p.any[i].Match(path) {
			return true
		}
	}
	return false
}

// add adds a pattern without braces. What ends in "/**" matches the folder
// itself too.
func (p *Pattern) add(text string) {
	for strings.HasSuffix(text, "/**/**") {
		text = text[:len(text)-len("/**")]
	}
	if folder, ok := strings.CutSuffix(text, "/**"); ok && wellFormed(folder) { // not of an escaped slash
		p.any = append(p.any, compilePlain(folder))
	}
	p.any = append(p.any, compilePlain(text))
}

// wellFormed reports whether classes and braces are closed, and whether every
// backslash has something behind it.
func wellFormed(s string) bool {
	depth := 0
	for i := 0; i < len(s); {
		if s[i] == '{' {
			depth++
		} else if s[i] == '}' {
			depth--
		}
		n := tokenLen(s[i:])
		if n == 0 || depth < 0 {
			return false
		}
		i += n
	}
	return depth == 0
}

// tokenLen returns the length of what cannot be taken apart at the beginning of
// s: a class, an escaped byte, or one byte. It is 0 if that is not closed.
func tokenLen(s string) int {
	switch s[0] {
	case '\\':
		if len(s) < 2 {
			return 0
		}
		return 2
	case '[':
		i := 1
		if i < len(s) && (s[i] == '!' || s[i] == '^') {
			i++
		}
		for from := i; i < len(s); i++ {
			if s[i] == '\\' {
				i++
			} else if s[i] == ']' {
				if i == from {
					return 0 // an empty class
				}
				return i + 1
			}
		}
		return 0
	}
	return 1
}

// expand adds the patterns without braces that a well-formed pattern stands for.
// It is false if there are too many.
func (p *Pattern) expand(s string, work *int) bool {
	if *work -= stepCost + len(s); *work < 0 {
		return false
	}
	open := 0
	for open < len(s) && s[open] != '{' {
		open += tokenLen(s[open:])
	}
	if open == len(s) {
		p.add(s)
		return true
	}
	ends := alternatives(s, open+1)
	from, rest := open+1, s[ends[len(ends)-1]+1:]
	for _, to := range ends {
		if !p.expand(s[:open]+s[from:to]+rest, work) {
			return false
		}
		from = to + 1
	}
	return true
}

// alternatives returns where each alternative ends in the braces whose inside
// begins at s[i:]: at the commas, and at the closing brace.
func alternatives(s string, i int) (ends []int) {
	for depth := 1; depth > 0; i += tokenLen(s[i:]) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 || depth == 1 && s[i] == ',' {
			ends = append(ends, i)
		}
	}
	return ends
}

// compilePlain compiles a well-formed pattern without braces.
func compilePlain(s string) Glob {
	if !strings.ContainsAny(s, `*?[\`) {
		return Glob{prefix: s}
	}
	ops := make([]op, 0, len(s))
	for i := 0; i < len(s); {
		n := tokenLen(s[i:])
		switch s[i] {
		case '*':
			stars := len(s[i:]) - len(strings.TrimLeft(s[i:], "*"))
			wild, size := starOp(s, i, stars)
			ops = append(ops, op{kind: wild})
			n = size
		case '?':
			ops = append(ops, op{kind: oneRune, class: notSlash})
		case '[':
			ops = append(ops, op{kind: oneRune, class: parseClass(s[i+1 : i+n-1])})
		case '\\':
			ops = append(ops, op{kind: literal, char: s[i+1]})
		default:
			ops = append(ops, op{kind: literal, char: s[i]})
		}
		i += n
	}
	return newGlob(ops, true)
}

// starOp returns what the stars at s[i:] mean and how many bytes say so.
func starOp(s string, i, stars int) (opKind, int) {
	switch end := i + stars; {
	case stars != 2 || i > 0 && s[i-1] != '/':
		return star, stars
	case end == len(s):
		return all, stars
	case s[end] == '/':
		return folders, stars + 1
	}
	return star, stars
}

// A class is a set of characters, never with "/".
type class struct {
	ranges  [][2]rune
	negated bool
}

// notSlash is what "?" stands for.
var notSlash = &class{negated: true}

func (c *class) has(r rune) bool {
	if r == '/' {
		return false
	}
	for _, x := range c.ranges {
		if x[0] <= r && r <= x[1] {
			return !c.negated
		}
	}
	return c.negated
}

// parseClass reads what stands between the brackets of a class. "-" is a member
// where it cannot make a range: first, last, or right after a range.
func parseClass(s string) *class {
	c := &class{}
	if s[0] == '!' || s[0] == '^' {
		c.negated, s = true, s[1:]
	}
	next := func() rune {
		s = strings.TrimPrefix(s, `\`)
		r, n := utf8.DecodeRuneInString(s)
		s = s[n:]
		return r
	}
	for s != "" {
		from := next()
		to := from
		if len(s) > 1 && s[0] == '-' {
			s = s[1:]
			to = next()
		}
		c.ranges = append(c.ranges, [2]rune{from, to})
	}
	return c
}
