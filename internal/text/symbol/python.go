package symbol

import "strings"

// Python: functions, classes, type aliases, and names that are assigned to.
// Lines in the outermost column count; a block that is indented as a whole has
// its own outermost column, which is the least indent met so far.

func (s *scanner) pythonBoundary(i int) bool {
	switch s.word(i) {
	case "def", "class", "async", "import":
		return s.isWord(i + 1)
	case "from":
		return s.word(i+2) == "import" || s.is(i+2, '.')
	}
	return s.is(i, '@') && s.isWord(i+1)
}

func (s *scanner) pythonLine(i int) int {
	if t := s.toks[i]; t.first {
		if i == 0 || int32(t.indent) < s.base {
			s.base = int32(t.indent)
		}
		if int32(t.indent) > s.base {
			return s.nextLine(i)
		}
	}
	next := i + 1
	switch s.word(i) {
	case "async":
		return next
	case "def", "class":
		if s.isWord(next) {
			s.declare(next)
		}
		return s.nextLine(i)
	case "type":
		if s.isWord(next) && !s.first(next) && (s.isAssign(next+1) || s.is(next+1, '[')) {
			s.declare(next)
			return s.nextLine(i)
		}
	case "if", "elif", "else", "for", "while", "with", "try", "except", "finally":
		return s.nextLine(i)
	}
	end := s.past(i)
	for end < len(s.toks) && !s.toks[end].first && !s.is(end, ';') {
		end = s.past(end)
	}
	s.assignment(i, end)
	if s.is(end, ';') {
		end++
	}
	return end
}

// nextLine returns the first token of the line after the one that i is on, where
// groups count as one line.
func (s *scanner) nextLine(i int) int {
	for i = s.past(i); i < len(s.toks) && !s.toks[i].first; {
		i = s.past(i)
	}
	return i
}

// assignment declares the plain names that the statement from i to end assigns
// to.
func (s *scanner) assignment(i, end int) {
	if s.is(end-1, ',') { // an argument, left over from a call
		return
	}
	if s.isWord(i) && s.is(i+1, ':') && i+2 < end {
		for j := i + 2; j < end; j = s.past(j) {
			if s.isAssign(j) {
				s.declare(i)
				return
			}
		}
		if s.isType(i+2, end) {
			s.declare(i)
		}
		return
	}
	for j := i; j < end; j = s.past(j) {
		if s.isAssign(j) {
			s.targets(i, j)
			i = j + 1
		}
	}
}

// isType reports whether tokens i to end look like a type. "Name: value" is more
// often output than an annotation, so the name must be in lower case and the
// type a known one or capitalised.
func (s *scanner) isType(i, end int) bool {
	name, typ := s.text(i-2), s.word(i)
	if c := name[0]; 'A' <= c && c <= 'Z' {
		return false
	}
	switch typ {
	case "":
		return false
	case "int", "str", "float", "bool", "bytes", "list", "dict", "set", "tuple", "object":
	default:
		if c := typ[0]; c < 'A' || 'Z' < c {
			return false
		}
	}
	return end == i+1 || s.is(i+1, '[') || s.is(i+1, '|') || s.is(i+1, '.')
}

// targets declares the names in the list from i to end, if it is one of plain
// names: "a, (b, *c)".
func (s *scanner) targets(i, end int) {
	begin := true // a target may begin here
	for j := i; j < end; j++ {
		t := s.toks[j]
		switch {
		case t.kind == word && begin && !s.syn.keywords.has(s.text(j)):
			begin = false
		case t.kind == mark && strings.IndexByte("(,[*", t.mark) >= 0 && (begin || t.mark == ','):
			begin = true
		case t.kind == mark && (t.mark == ')' || t.mark == ']'):
			begin = false
		default:
			return
		}
	}
	for j := i; j < end; j++ {
		if s.isWord(j) {
			s.declare(j)
		}
	}
}
