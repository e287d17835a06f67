package symbol

// Swift: functions, types, properties. Extensions are looked through; like the
// impl blocks of Rust they only add names to a type.

func swiftModifier(name string) bool {
	switch name {
	case "public", "private", "fileprivate", "internal", "open", "package", "static", "final", "override", "mutating",
		"nonmutating", "lazy", "weak", "unowned", "indirect", "convenience", "required", "dynamic", "optional",
		"prefix", "postfix", "infix", "isolated", "nonisolated", "async", "distributed", "consuming", "borrowing":
		return true
	}
	return false
}

func (s *scanner) swiftBoundary(i int) bool {
	for n := 0; n < 6 && swiftModifier(s.word(i)) && s.isWord(i+1); n++ {
		i++
	}
	switch s.word(i) {
	case "func", "class", "struct", "enum", "protocol", "extension", "import", "actor", "typealias":
		return s.isName(i+1) && !s.first(i+1)
	}
	return false
}

func (s *scanner) swiftStatement(i int) int {
	for {
		next := i + 1
		name := s.word(i)
		switch {
		case s.is(i, '@') && s.isWord(next):
			i = s.swiftAttribute(i)
			continue
		case swiftModifier(name) && s.is(next, '(') && s.isWord(s.past(next)): // private(set)
			i = s.past(next)
			continue
		case swiftModifier(name) && (s.isWord(next) || s.is(next, '@')),
			name == "class" && oneOf(s.word(next), "func", "var", "let", "subscript"):
			i++
			continue
		}
		switch name {
		case "func", "class", "struct", "enum", "protocol", "actor", "typealias", "macro":
			if s.isName(next) && !s.first(next) {
				s.declare(next)
			}
		case "extension":
			j := next
			for ; j < len(s.toks) && !s.is(j, ';') && !(s.first(j) && s.swiftBoundary(j)); j = s.past(j) {
				if s.is(j, '{') {
					return j + 1
				}
			}
			return j
		case "let", "var":
			return s.swiftBindings(next)
		}
		return s.skip(i)
	}
}

// swiftAttribute returns the token after "@name" or "@name(...)". Arguments
// touch the name, unlike a tuple behind it.
func (s *scanner) swiftAttribute(i int) int {
	for i++; s.is(i+1, '.') && s.isWord(i+2); i += 2 {
	}
	if s.touches(i) && s.is(i+1, '(') {
		return s.past(i + 1)
	}
	return i + 1
}

// swiftBindings declares what stands behind let and var.
func (s *scanner) swiftBindings(i int) int {
	for i < len(s.toks) {
		switch {
		case s.isName(i):
			s.declare(i)
			i++
		case s.is(i, '('):
			for j, end := i, s.past(i); j < end; j++ {
				if (s.is(j, '(') || s.is(j, ',')) && s.isName(j+1) {
					s.declare(j + 1)
				}
			}
			i = s.past(i)
		default:
			return s.skip(i)
		}
		if s.is(i, ':') {
			i = s.typeEnd(i + 1)
		}
		if s.isAssign(i) {
			i = s.ecmaExpression(i + 1)
		}
		if !s.is(i, ',') || !s.binds(i+1) {
			return s.statementEnd(i)
		}
		i++
	}
	return i
}
