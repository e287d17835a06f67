package symbol

import "strings"

// PHP: functions, classes and their like, constants, and methods and properties
// that stand alone in a fragment. Namespaces are looked through.

func (s *scanner) phpBoundary(i int) bool {
	for n := 0; n < 3 && oneOf(s.word(i), "abstract", "final", "readonly"); n++ {
		i++
	}
	switch s.word(i) {
	case "class", "interface", "trait", "enum", "namespace":
		return s.isWord(i+1) && !s.first(i+1)
	}
	return false
}

func (s *scanner) phpStatement(i int) int {
	if s.is(i, '#') && s.is(i+1, '[') { // an attribute
		return s.past(i + 1)
	}
	member := false
	for oneOf(s.word(i), "abstract", "final", "readonly", "public", "protected", "private", "static", "var") {
		if s.is(i+1, '(') { // private(set)
			i = s.past(i+1) - 1
		}
		member = member || s.text(i) != "static"
		i++
	}
	next := i + 1
	switch s.word(i) {
	case "function":
		if s.is(next, '&') {
			next++
		}
		if s.isWord(next) {
			s.declare(next)
		}
	case "class", "interface", "trait", "enum":
		if s.isWord(next) && !s.first(next) && (s.text(i) != "enum" || s.is(next+1, ':') || s.is(next+1, '{') || s.word(next+1) == "implements" || s.first(next+1)) {
			s.declare(next)
		}
	case "const":
		for ; next < len(s.toks) && !s.is(next, ';') && !(s.first(next) && !s.continues(next)); next = s.past(next) {
			if s.isWord(next) && s.isAssign(next+1) {
				s.declare(next)
			}
		}
		return next
	case "define":
		if s.is(next, '(') && next+1 < len(s.toks) && s.toks[next+1].kind == text {
			s.declareQuoted(next + 1)
		}
	case "namespace":
		for ; !s.first(next) && (s.isWord(next) || s.is(next, '\\')); next++ {
		}
		if s.is(next, '{') {
			return next + 1
		}
	default:
		if member {
			s.phpProperty(i)
		}
	}
	return s.skip(i)
}

// phpProperty declares the variable behind the type at i.
func (s *scanner) phpProperty(i int) {
	for (s.isWord(i) || s.is(i, '?') || s.is(i, '|') || s.is(i, '\\') || s.is(i, '&')) && !s.first(i+1) {
		i++
	}
	if i < len(s.toks) && s.toks[i].kind == word && s.toks[i].mark == '$' {
		s.declare(i)
	}
}

// declareQuoted records the name in the string that token i is.
func (s *scanner) declareQuoted(i int) {
	name := strings.Trim(s.text(i), `'"`)
	if name != "" && !isDigit(name[0]) && wordEnd(name, 0, false) == len(name) {
		s.declared.add(name)
	}
}
