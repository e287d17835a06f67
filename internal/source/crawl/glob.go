package crawl

import "strings"

// A glob is one compiled pattern. Patterns and paths are bytes, not characters,
// as they are to git: "?" does not match "é".
//
//   - any bytes but "/"
//     ?       one byte but "/"
//     [a-z]   one byte of a set, never "/"; [!a-z] and [^a-z] one not of it;
//     [[:alpha:]] and the other eleven POSIX names, ASCII only
//     **/     any number of whole folders, none included
//     **      at the end: all that is left
//     \x      the byte x
//
// The two forms of "**" hold only at the beginning of the pattern or after "/";
// elsewhere it means "*". (To git, "the beginning" is where the wildcards
// begin: the literal text before the first of them is compared on its own. So
// "doc/a**" does reach below doc/ab. We do as git does, not as it says.) A
// pattern that ends inside a set or after a backslash, or names an unknown
// POSIX class, matches nothing.
//
// Matching keeps two points to return to, the last "*" and the last "**",
// instead of one for each wildcard. That suffices: a later "*" of the same path
// element can take up whatever an earlier one would have, elements are told
// apart by their "/" alone, and "**/" can take up everything before it. So the
// time is at most that of trying the pattern at every byte of the path.
type glob struct {
	prefix, suffix string // literal text around ops
	ops            []op
	min            int // bytes that ops match at least
}

type op struct {
	kind opKind
	char byte       // of literal
	set  *[4]uint64 // of oneOf: a bit for each byte
}

type opKind uint8

const (
	literal opKind = iota
	oneOf          // a set
	star           // "*"
	folders        // "**/"
	all            // "**"
)

// anyByte is what "?" stands for.
var anyByte = func() *[4]uint64 {
	set := &[4]uint64{}
	for i := range set {
		set[i] = ^uint64(0)
	}
	set['/'>>6] &^= 1 << ('/' & 63)
	return set
}()

// compile reads a pattern. It is false for one that can match nothing.
func compile(pattern string) (glob, bool) {
	start := strings.IndexAny(pattern, `*?[\`)
	if start < 0 {
		return glob{prefix: pattern}, true
	}
	var ops []op
	for i := 0; i < len(pattern); {
		switch c := pattern[i]; c {
		case '*':
			from := i
			for i < len(pattern) && pattern[i] == '*' {
				i++
			}
			deep := i-from > 1 && (from == start || pattern[from-1] == '/')
			switch rest := pattern[i:]; {
			case deep && rest == "":
				ops = append(ops, op{kind: all})
			case deep && rest[0] == '/':
				ops = append(ops, op{kind: folders})
				i++
			case deep && strings.HasPrefix(rest, `\/`):
				ops = append(ops, op{kind: all}, op{kind: literal, char: '/'})
				i += 2
			default:
				ops = append(ops, op{kind: star})
			}
		case '?':
			ops = append(ops, op{kind: oneOf, set: anyByte})
			i++
		case '[':
			set, n := parseSet(pattern[i+1:])
			if n == 0 {
				return glob{}, false
			}
			ops = append(ops, op{kind: oneOf, set: set})
			i += 1 + n
		case '\\':
			if i++; i == len(pattern) {
				return glob{}, false
			}
			ops = append(ops, op{kind: literal, char: pattern[i]})
			i++
		default:
			ops = append(ops, op{kind: literal, char: c})
			i++
		}
	}
	return trimLiterals(ops), true
}

// trimLiterals moves the literals at both ends of ops into strings, which are
// quick to compare and rule out most paths.
func trimLiterals(ops []op) glob {
	var g glob
	head := 0
	for head < len(ops) && ops[head].kind == literal {
		head++
	}
	tail := len(ops)
	for tail > head && ops[tail-1].kind == literal {
		tail--
	}
	text := func(ops []op) string {
		b := make([]byte, len(ops))
		for i, o := range ops {
			b[i] = o.char
		}
		return string(b)
	}
	for _, o := range ops[head:tail] {
		if o.kind == literal || o.kind == oneOf {
			g.min++
		}
	}
	g.prefix, g.ops, g.suffix = text(ops[:head]), ops[head:tail:tail], text(ops[tail:])
	return g
}

// isLiteral reports whether g matches one text only, which then is g.prefix.
func (g *glob) isLiteral() bool { return len(g.ops) == 0 && g.suffix == "" }

// isExtension reports whether g matches the names that end in g.suffix, of
// which only the first byte is a dot.
func (g *glob) isExtension() bool {
	return g.prefix == "" && len(g.ops) == 1 && g.ops[0].kind != oneOf && strings.LastIndexByte(g.suffix, '.') == 0
}

// match reports whether g matches the whole of s.
func (g *glob) match(s string) bool {
	if len(s) < len(g.prefix)+g.min+len(g.suffix) || !strings.HasSuffix(s, g.suffix) || !strings.HasPrefix(s, g.prefix) {
		return false
	}
	s = s[len(g.prefix) : len(s)-len(g.suffix)]
	var (
		i, j         int     // place in the pattern, place in s
		starI, starJ = -1, 0 // after the last "*", and how far it has reached
		deepI, deepJ = -1, 0 // after the last "**", and how far it has reached
	)
	for {
		if i == len(g.ops) {
			if j == len(s) {
				return true
			}
		} else {
			switch o := &g.ops[i]; o.kind {
			case literal:
				if j < len(s) && s[j] == o.char {
					i, j = i+1, j+1
					continue
				}
			case oneOf:
				if j < len(s) && has(o.set, s[j]) {
					i, j = i+1, j+1
					continue
				}
			case star:
				i++
				starI, starJ = i, j
				continue
			case folders, all:
				i++
				deepI, deepJ, starI = i, j, -1
				continue
			}
		}
		switch {
		case starI >= 0 && starJ < len(s) && s[starJ] != '/':
			starJ++
			i, j = starI, starJ
		case deepI >= 0 && g.ops[deepI-1].kind == all && deepJ < len(s):
			deepJ++
			i, j, starI = deepI, deepJ, -1
		case deepI >= 0 && g.ops[deepI-1].kind == folders:
			n := strings.IndexByte(s[deepJ:], '/')
			if n < 0 {
				return false
			}
			deepJ += n + 1
			i, j, starI = deepI, deepJ, -1
		default:
			return false
		}
	}
}

func has(set *[4]uint64, c byte) bool { return set[c>>6]>>(c&63)&1 != 0 }
