package grep

import "strings"

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
