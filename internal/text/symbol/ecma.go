package symbol

import "strings"

// JavaScript, TypeScript and both with JSX: functions, classes, what const, let
// and var bind, TypeScript's types, and methods that stand alone in a fragment.
// TypeScript's words are looked for in JavaScript too: Flow and mislabelled
// blocks have them, and plain JavaScript has nothing that looks the same.

func (s *scanner) ecmaBoundary(i int) bool {
	next := i + 1
	switch s.word(i) {
	case "function":
		return s.isWord(next) || s.is(next, '*') && s.isWord(next+1)
	case "class", "interface", "enum", "namespace":
		return s.isWord(next) && !s.first(next)
	case "export":
		return s.isWord(next) || s.is(next, '{') || s.is(next, '*')
	case "import":
		return s.isWord(next) || s.is(next, '{') || s.is(next, '*') || next < len(s.toks) && s.toks[next].kind == text
	case "async":
		return s.word(next) == "function"
	case "abstract", "declare":
		return s.isWord(next) && !s.first(next)
	}
	return false
}

func (s *scanner) ecmaStatement(i int) int {
	if s.is(i, '@') {
		return s.decorator(i)
	}
	if t := s.toks[i]; t.kind == mark && strings.IndexByte("}{;+-", t.mark) >= 0 {
		return s.past(i) // "+" and "-" are the marks of a diff
	}
	exported := false
	for {
		next := i + 1
		switch s.word(i) {
		case "export":
			if !s.isWord(next) && !s.is(next, '@') {
				return s.skip(i)
			}
			i, exported = next, true
			if s.is(i, '@') {
				i = s.decorator(i)
			}
			continue
		case "default":
			if exported && s.is(next, '@') {
				next = s.decorator(next)
			}
			if exported && oneOf(s.word(next), "function", "class", "async", "abstract", "interface", "enum") {
				i = next
				continue
			}
		case "declare", "abstract":
			if s.isWord(next) && !s.first(next) {
				i = next
				continue
			}
		case "async":
			if s.word(next) == "function" && !s.first(next) {
				i = next
				continue
			}
			s.ecmaMethod(next)
		case "function":
			if s.is(next, '*') {
				next++
			}
			for s.isWord(next) && s.is(next+1, '.') && s.isWord(next+2) { // as references write it
				next += 2
			}
			if s.isWord(next) {
				s.declare(next)
			}
		case "class":
			if s.isWord(next) && !oneOf(s.text(next), "extends", "implements") {
				s.declare(next)
			}
		case "interface", "enum", "type":
			if s.isWord(next) && !s.first(next) && s.typeHead(next+1, s.text(i)) {
				s.declare(next)
				if s.text(i) == "type" {
					return s.ecmaExpression(next + 1)
				}
			}
		case "namespace", "module", "global":
			if j := s.namespace(i); j > 0 {
				return j
			}
		case "const", "let", "var":
			if s.word(next) == "enum" {
				i = next
				continue
			}
			return s.bindings(next)
		case "await":
			if s.word(next) == "using" && !s.first(next) {
				i = next
				continue
			}
		case "using":
			if s.isWord(next) && !s.first(next) && s.isAssign(next+1) {
				return s.bindings(next)
			}
		case "public", "private", "protected", "readonly", "static", "override", "get", "set":
			s.ecmaMember(i)
		default:
			s.ecmaMethod(i)
		}
		return s.skip(i)
	}
}

// decorator returns the token after "@a.b" or "@a.b(...)".
func (s *scanner) decorator(i int) int {
	for i++; s.isWord(i) && s.is(i+1, '.'); i += 2 {
	}
	if i++; s.is(i, '(') && s.touches(i-1) {
		i = s.past(i)
	}
	return i
}

// typeHead reports whether what follows the name of a type makes it one.
func (s *scanner) typeHead(i int, keyword string) bool {
	if keyword == "type" {
		return s.isAssign(i) || s.is(i, '<')
	}
	return s.is(i, '{') || s.is(i, '<') || s.word(i) == "extends"
}

// namespace declares the last part of a namespace's name and goes inside. It
// returns 0 if there is none.
func (s *scanner) namespace(i int) int {
	next := i + 1
	switch {
	case s.text(i) == "global":
	case next < len(s.toks) && s.toks[next].kind == text:
		next++
	case s.isWord(next) && !s.first(next):
		for s.is(next+1, '.') && s.isWord(next+2) {
			next += 2
		}
		if s.is(next+1, '{') {
			s.declare(next)
		}
		next++
	}
	if s.is(next, '{') && next > i {
		return next + 1
	}
	return 0
}

// ecmaMember declares a field or a method with modifiers, as a class body has.
func (s *scanner) ecmaMember(i int) {
	field := false
	for oneOf(s.word(i), "public", "private", "protected", "readonly", "static", "override", "abstract", "async", "get", "set", "declare") &&
		(s.isWord(i+1) || s.is(i+1, '*')) && !s.first(i+1) {
		field = field || !oneOf(s.text(i), "async", "get", "set", "declare")
		i++
	}
	if s.is(i, '*') {
		i++
	}
	if !s.isWord(i) || s.text(i) == "constructor" {
		return
	}
	switch j := i + 1; {
	case !field:
		s.ecmaMethod(i)
	case s.is(j, '('), s.is(j, '<'), s.isAssign(j), s.is(j, ':'), s.is(j, ';'), s.is(j, '?'), s.is(j, '!'):
		s.declare(i)
	}
}

// ecmaMethod declares "name(...) {", unless it is a statement or a call.
func (s *scanner) ecmaMethod(i int) {
	if !s.isWord(i) || s.syn.keywords.has(s.text(i)) && s.text(i) != "of" || s.text(i) == "constructor" {
		return
	}
	j := i + 1
	if s.is(j, '<') {
		j = s.angles(j)
	}
	if !s.is(j, '(') {
		return
	}
	j = s.past(j)
	if !s.is(j-1, ')') {
		return
	}
	const longest = 32
	if s.is(j, ':') { // the type of the result
		for end := j + longest; j < end && !s.first(j) && !s.is(j, '{') && !s.is(j, ';'); {
			j = s.past(j)
		}
	}
	if s.is(j, '{') {
		s.declare(i)
	}
}
