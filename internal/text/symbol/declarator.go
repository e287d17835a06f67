package symbol

import (
	"strings"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

// A declarator is what is known of a declaration of C or C++ while it is read.
type declarator struct {
	clike
	words      int  // of the type and the name
	name       int  // the last of them, or -1
	qualified  bool // it stands behind "::"
	destructor bool
}

// declarators reads a declaration from token i on and declares its names.
func (s clike) declarators(i int) int {
	d := declarator{clike: s, name: -1}
	for done := false; !done && i < len(s.Toks); {
		switch s.Toks[i].Kind {
		case lex.Word:
			i, done = d.word(i)
		case lex.Mark:
			i, done = d.mark(i)
		default:
			i, done = s.skip(i), true
		}
	}
	return i
}

// word reads a word of a type, or the name behind it. It reports whether the
// declaration was read to its end.
func (d *declarator) word(i int) (next int, done bool) {
	next = i + 1
	switch name := d.Text(i); {
	case oneOf(name, "struct", "class", "union", "enum"):
		j, defined := d.tagged(i)
		if !defined {
			d.words, d.name = d.words+1, -1
			return j, false
		}
		// What follows the body are names of that type.
		if d.Is(j, '(') && d.Is(j+1, '*') && d.IsWord(j+2) {
			d.declare(j + 2)
		}
		return d.moreNames(j), true
	case argued(name) && d.Is(next, '('):
		return d.Past(next), false
	case oneOf(name, "decltype", "_Atomic", "typeof") && d.Is(next, '('):
		d.words++
		return d.Past(next), false
	case name == "operator":
		return d.skip(i), true
	case qualifier(name):
		return next, false
	}
	d.words, d.name, d.qualified, d.destructor = d.words+1, i, false, false
	return d.qualifiedName(next)
}

// qualifiedName reads the template arguments and the further parts of a name
// whose first part is before token i.
func (d *declarator) qualifiedName(i int) (next int, done bool) {
	for i = d.arguments(i); d.IsPair(i, ':', ':'); i = d.arguments(i) {
		switch j := i + 2; {
		case d.IsWord(j) && d.Text(j) != "operator":
			d.name, d.qualified, i = j, true, j+1
		case d.Is(j, '~') && d.IsWord(j+1):
			d.destructor, d.qualified, i = true, true, j+2
		case d.Is(j, '*'): // a pointer to a member
			d.name = -1
			return j, false
		default:
			return d.skip(i), true
		}
	}
	return i, false
}

// arguments returns the token behind the template arguments at i, or i if there
// are none.
func (s clike) arguments(i int) int {
	if s.Is(i, '<') && !s.IsPair(i, '<', '<') {
		return s.PastAngles(i)
	}
	return i
}

// mark reads a mark, of which most end what can be declared. It
// reports whether the declaration was read to its end.
func (d *declarator) mark(i int) (next int, done bool) {
	next = i + 1
	switch d.Toks[i].Mark {
	case '*', '&', '^', '%':
		if d.words > 0 {
			return next, false
		}
	case ':':
		if d.words == 0 && d.IsPair(i, ':', ':') {
			return i + 2, false
		}
		if d.words == 1 && d.name >= 0 && !d.qualified { // a label
			return next, true
		}
	case '(':
		return d.called(i), true
	case '[':
		if d.name >= 0 && d.Text(d.name) == "auto" { // a structured binding
			for j, end := next, d.Past(i); j < end; j++ {
				d.declareWord(j)
			}
			return d.skip(i), true
		}
		if d.Is(next, '[') && d.words < 2 { // an attribute
			return d.Past(i), false
		}
		return d.named(i), true
	case ';', ',', '{':
		return d.named(i), true
	case '=':
		if d.IsAssign(i) {
			return d.named(i), true
		}
	}
	return d.skip(i), true
}

// named declares a name that is behind a type and before token i, and then the
// further ones in the list.
func (d *declarator) named(i int) int {
	if d.words < 2 || d.name < 0 || typeWord(d.Text(d.name)) {
		return d.skip(i)
	}
	d.declare(d.name)
	return d.moreNames(i)
}

// isMacro reports whether a name is in capitals, as macros are.
func isMacro(name string) bool { return strings.ToUpper(name) == name }

// called reads what follows a name and "(" at i: parameters, arguments, or the
// declarator of a pointer.
func (d *declarator) called(i int) int {
	after := d.Past(i)
	if d.words > 0 && d.IsAny(after, "([") && (d.IsAny(i+1, "*^") || isConvention(d.Word(i+1)) && d.Is(i+2, '*')) {
		j := i + 1
		for d.IsAny(j, "*^") || isConvention(d.Word(j)) || d.Word(j) == "const" {
			j++
		}
		d.declareWord(j)
		return d.moreNames(d.Past(after))
	}
	if d.name < 0 || typeWord(d.Text(d.name)) {
		return d.skip(i)
	}
	if d.words >= 2 {
		return d.function(after, d.name)
	}
	switch {
	case d.destructor:
	case d.qualified:
		if d.IsAny(after, "{:") || d.Word(after) == "noexcept" {
			d.declare(d.name)
		}
	case d.IsWord(after) && !d.First(after): // an annotation
		return after
	case d.Is(after, '{') && !isMacro(d.Text(d.name)),
		d.Is(after, ':') && d.IsWord(after+1) && d.IsAny(after+2, "({"):
		d.declare(d.name)
	case d.First(after) && !d.IsAny(after, "{:"):
		return after // a macro on a line of its own
	}
	return d.skip(after)
}

// isConvention reports whether a name may be that of a calling convention:
// WINAPI, __stdcall.
func isConvention(name string) bool {
	return strings.HasPrefix(name, "__") || name != "" && isMacro(name)
}
