package grep

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// controls are the characters that have an escape of one letter.
var controls = map[rune]rune{'a': '\a', 'f': '\f', 't': '\t', 'n': '\n', 'r': '\r', 'v': '\v'}

// places are the escapes that match no character.
var places = map[rune]look{
	'A': lineStart, 'z': lineEnd, 'b': wordEdge, 'B': notWordEdge, '<': wordStart, '>': wordEnd,
}

// edges are the places \b{...} can name.
var edges = map[string]look{
	"start": wordStart, "end": wordEnd, "start-half": halfStart, "end-half": halfEnd,
}

// escape reads an escape outside a class.
func (p *parser) escape() *node {
	from := p.at
	if l := p.place(); l != 0 {
		return &node{op: opLook, look: l}
	}
	r, c, isClass := p.escaped()
	if isClass {
		return p.classNode(from, c)
	}
	return p.runeNode(from, r)
}

// place reads an escape that matches no character, or nothing and returns 0.
func (p *parser) place() look {
	if len(p.src)-p.at < 2 {
		return 0
	}
	letter := p.src[p.at+1]
	l := places[rune(letter)]
	if l == 0 {
		return 0
	}
	p.at += 2
	if letter == 'b' && strings.HasPrefix(p.src[p.at:], "{") {
		if name, _, ok := strings.Cut(p.src[p.at+1:], "}"); ok && edges[name] != 0 {
			p.at += len(name) + 2
			l = edges[name]
		}
	}
	return l
}

// escaped reads any other escape: the class c, or the character r.
func (p *parser) escaped() (r rune, c class, isClass bool) {
	from := p.at
	p.take()
	if !p.more() {
		p.fail(from, "nothing follows the backslash; write \\\\ for a plain one")
	}
	switch r = p.take(); r {
	case 'd', 'D':
		return 0, unless(r == 'D', digitClass()), true
	case 's', 'S':
		return 0, unless(r == 'S', spaceClass()), true
	case 'w', 'W':
		return 0, unless(r == 'W', wordClass()), true
	case 'p', 'P':
		return 0, p.property(from, r == 'P'), true
	case 'x':
		return p.hex(from, 2), nil, false
	case 'u':
		return p.hex(from, 4), nil, false
	case 'U':
		return p.hex(from, 8), nil, false
	}
	switch control, ok := controls[r]; {
	case ok:
		return control, nil, false
	case '0' <= r && r <= '9':
		p.fail(from, "references to groups are not supported")
	case r >= utf8.RuneSelf, 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
		p.fail(from, "there is no such escape; write \\\\ for a plain backslash")
	}
	return r, nil, false
}

func unless(negated bool, c class) class {
	if negated {
		return c.negate()
	}
	return c
}

// hex reads the digits of \x, \u and \U, so many of them or any number in braces.
func (p *parser) hex(from, digits int) rune {
	problem := "the escape needs " + strconv.Itoa(digits) + " hexadecimal digits, or any number of them in {}"
	end := p.at + digits
	var number string
	if p.accept("{") {
		rest, _, closed := strings.Cut(p.src[p.at:], "}")
		if !closed {
			p.fail(from, "the escape has no closing }")
		}
		number, end = rest, p.at+len(rest)+1
	} else {
		if end > len(p.src) {
			p.fail(from, problem)
		}
		number = p.src[p.at:end]
	}
	n, err := strconv.ParseUint(number, 16, 32)
	if errors.Is(err, strconv.ErrSyntax) {
		p.fail(from, problem)
	}
	p.at = end
	if n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		p.fail(from, "there is no character of that number")
	}
	return rune(n)
}

// property reads what follows \p or \P at src[from].
func (p *parser) property(from int, negated bool) class {
	if !p.more() {
		p.fail(from, "no name of a property follows")
	}
	var name string
	if p.accept("{") {
		var closed bool
		name, _, closed = strings.Cut(p.src[p.at:], "}")
		if !closed {
			p.fail(from, "the name of the property has no closing }")
		}
		p.at += len(name) + 1
	} else {
		name = string(p.take())
	}
	if pair := strings.Replace(name, "!=", "=", 1); pair != name {
		name, negated = pair, !negated
	}
	c, ok := property(name)
	if !ok {
		p.fail(from, "no such property is known here; there are general categories, scripts and the properties of package unicode")
	}
	if p.flags.fold {
		c = c.fold()
	}
	return unless(negated, c)
}

// bracket reads a class in brackets. Inside, items are joined until an operator
// comes; &&, -- and ~~ have the same rank and are applied from left to right.
//
// Case is folded as ripgrep does it: an operand before its operator, and the
// whole before it is negated, so that (?i)[^x] takes out X as well.
func (p *parser) bracket() class {
	from := p.at
	p.take()
	p.skip()
	negated := p.accept("^")
	p.skip()

	var left, items class
	operator := ""
	apply := func() {
		right := items
		if operator != "" && p.flags.fold {
			left, right = left.fold(), right.fold()
		}
		switch operator {
		case "":
			left = right
		case "&&":
			left = left.intersect(right)
		case "--":
			left = left.minus(right)
		case "~~":
			left = left.minus(right).union(right.minus(left))
		}
		items = nil
	}

	for p.accept("-") { // any number at the beginning is plain
		items = items.union(class{{'-', '-'}})
		p.skip()
	}
	if len(items) == 0 && p.accept("]") {
		items = class{{']', ']'}}
	}
	for {
		p.skip()
		switch {
		case !p.more():
			p.at = from + 1
			p.fail(from, "the class has no closing ]; write \\[ for a plain bracket")
		case p.accept("]"):
			apply()
			if p.flags.fold {
				left = left.fold()
			}
			return unless(negated, left)
		case p.peek() == '[':
			named, ok := p.asciiClass()
			if !ok {
				named = p.bracket()
			}
			items = items.union(named)
		default:
			next := p.src[p.at:min(p.at+2, len(p.src))]
			if next == "&&" || next == "--" || next == "~~" {
				apply()
				operator = next
				p.at += 2
				continue
			}
			items = items.union(p.item(from))
		}
	}
}

// asciiClass reads a class like [:alpha:]. Where there is no such name the
// brackets are those of a plain class, so nothing is read.
func (p *parser) asciiClass() (class, bool) {
	name, ok := strings.CutPrefix(p.src[p.at:], "[:")
	if !ok {
		return nil, false
	}
	name, _, ok = strings.Cut(name, ":]")
	if !ok {
		return nil, false
	}
	plain, negated := strings.CutPrefix(name, "^")
	c, ok := asciiClasses()[plain]
	if !ok {
		return nil, false
	}
	p.at += len(name) + len("[::]")
	if p.flags.fold {
		c = c.fold()
	}
	return unless(negated, c), true
}

// item reads a character, a range or an escape in a class that opened at
// src[open].
func (p *parser) item(open int) class {
	from := p.at
	lo, c, isClass := p.member()
	p.skip()
	if p.peek() != '-' || p.rangeless() {
		if isClass {
			return c
		}
		return class{{lo, lo}}
	}
	if isClass {
		p.fail(from, "a range must begin and end with a character")
	}
	p.take()
	p.skip()
	if !p.more() {
		p.at = open + 1
		p.fail(open, "the class has no closing ]; write \\[ for a plain bracket")
	}
	second := p.at
	hi, _, isClass := p.member()
	if isClass {
		p.fail(second, "a range must begin and end with a character")
	}
	if lo > hi {
		p.fail(from, "the range ends before it begins")
	}
	return class{{lo, hi}}
}

// rangeless reports whether the "-" that is next makes no range, because the
// class ends behind it or an operator begins with it.
func (p *parser) rangeless() bool {
	q := p.scanner
	q.take()
	q.skip()
	return q.peek() == ']' || q.peek() == '-'
}

// member reads one character or escape of a class.
func (p *parser) member() (r rune, c class, isClass bool) {
	if p.peek() == '\\' {
		if from := p.at; p.place() != 0 {
			p.fail(from, "a class cannot contain a place")
		}
		return p.escaped()
	}
	return p.take(), nil, false
}
