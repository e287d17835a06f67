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
