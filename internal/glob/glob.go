// Package glob matches paths against patterns with wildcards, in the two
// dialects that we need: what users type (Compile) and what stands in a
// .gitignore file (Git). Both compile to the same few operations and share one
// matcher.
package glob

import (
	"strings"
	"unicode/utf8"
)

// A Glob is one compiled pattern without alternatives.
//
// Matching keeps two points to return to, the last "*" and the last "**",
// instead of one for each wildcard. That suffices: a later "*" of the same path
// element can take up whatever an earlier one would have, elements are told
// apart by their "/" alone (no set has it), and "**/" can take up everything
// before it. So the time is at most that of trying the pattern at every byte of
// the path.
type Glob struct {
	prefix, suffix string // literal text around ops
	ops            []op
	min            int  // bytes that ops match at least
	runes          bool // "*" takes whole characters, not bytes
}

type op struct {
	kind  opKind
	char  byte       // of literal
	set   *[4]uint64 // of oneByte: a bit for each byte
	class *class     // of oneRune
}

type opKind uint8

const (
	literal opKind = iota
	oneByte        // one byte of a set
	oneRune        // one character of a class
	star           // "*": any text but "/"
	folders        // "**/": any number of whole folders
	all            // "**": any text
)

// newGlob moves the literals at both ends of ops into strings, which are quick
// to compare and rule out most paths.
func newGlob(ops []op, runes bool) Glob {
	g := Glob{runes: runes}
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
		if o.kind <= oneRune {
			g.min++
		}
	}
	g.prefix, g.ops, g.suffix = text(ops[:head]), ops[head:tail:tail], text(ops[tail:])
	return g
}

// Literal returns the only text that g matches; ok is false if it may match
// others.
func (g *Glob) Literal() (text string, ok bool) {
	return g.prefix, len(g.ops) == 0 && g.suffix == ""
}

// Extension returns the extension of all file names that g matches, if that is
// all it says: ".log" for "*.log".
func (g *Glob) Extension() (ext string, ok bool) {
	ok = g.prefix == "" && len(g.ops) == 1 && g.ops[0].kind >= star && strings.LastIndexByte(g.suffix, '.') == 0
	return g.suffix, ok
}

// Match reports whether g matches the whole of s.
func (g *Glob) Match(s string) bool {
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
			case star:
				i++
				starI, starJ = i, j
				continue
			case folders, all:
				i++
				deepI, deepJ, starI = i, j, -1
				continue
			default:
				if n := o.width(s[j:]); n > 0 {
					i, j = i+1, j+n
					continue
				}
			}
		}
		switch {
		case starI >= 0 && starJ < len(s) && s[starJ] != '/':
			starJ += g.step(s[starJ:])
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

// width returns how many bytes at the beginning of s match o, which is a
// literal, a set or a class; 0 means that it does not match.
func (o *op) width(s string) int {
	switch {
	case s == "":
	case o.kind == literal:
		if s[0] == o.char {
			return 1
		}
	case o.kind == oneByte:
		if has(o.set, s[0]) {
			return 1
		}
	default:
		if r, n := utf8.DecodeRuneInString(s); o.class.has(r) {
			return n
		}
	}
	return 0
}

// step returns by how much a "*" grows over s.
func (g *Glob) step(s string) int {
	if !g.runes || s[0] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}
