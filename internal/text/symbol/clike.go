package symbol

// C and C++. There is no keyword before a function or a variable, so a
// declaration is known by its shape: words for the type, marks of a pointer, a
// name, and then what may follow one.
//
//	type name ;  = , [ {          a variable, or several
//	type name ( ... )             a function, or a variable with arguments
//	type ( * name ) ( ... )       a pointer to a function
//	A :: name ( ... ) {           a constructor
//
// Whatever else comes makes it an expression, and nothing is declared. The
// parts of a qualified name count as one word; so do template arguments.

func (s *scanner) cBoundary(i int) bool {
	switch s.word(i) {
	case "namespace", "template", "typedef":
		return true
	case "class", "struct":
		return s.isWord(i+1) && (s.is(i+2, '{') || s.is(i+2, ':'))
	}
	// A definition from outside of its class cannot be inside of one.
	for n := 0; n < 8 && (s.isWord(i) && !cStatement(s.text(i)) || s.is(i, '*') || s.is(i, '&')); n++ {
		if n > 0 && s.isWord(i) && s.isPair(i+1, ':', ':') && s.isWord(i+3) && s.is(i+4, '(') {
			return true
		}
		i++
	}
	return false
}

// cStatements are words that begin no declaration.
func cStatement(name string) bool {
	switch name {
	case "return", "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "goto",
		"throw", "delete", "new", "try", "catch", "sizeof", "asm", "__asm", "__asm__", "co_return", "co_await",
		"co_yield", "this", "import", "module", "static_assert", "_Static_assert", "foreach", "friend", "__try",
		"__except", "__finally", "__leave", "nullptr", "true", "false", "static_cast", "using", "operator":
		return true
	}
	return false
}

// qualifier reports whether a word adds nothing to a type that a name could
// stand behind: "static x" declares no x here.
func qualifier(name string) bool {
	switch name {
	case "const", "volatile", "static", "extern", "inline", "register", "restrict", "constexpr", "consteval",
		"constinit", "virtual", "explicit", "mutable", "typename", "thread_local", "_Thread_local", "_Noreturn",
		"__inline", "__forceinline", "__restrict", "__extension__", "typedef", "export":
		return true
	}
	return false
}

// argued reports whether a word takes an argument and is no part of the name.
func argued(name string) bool {
	switch name {
	case "__attribute__", "__declspec", "alignas", "_Alignas", "noexcept", "throw", "explicit", "_Success_", "_When_":
		return true
	}
	return false
}

// typeWord reports whether a word is a type and can be no name.
func typeWord(name string) bool {
	switch name {
	case "int", "char", "short", "long", "float", "double", "signed", "unsigned", "void", "bool", "auto", "wchar_t",
		"_Bool", "struct", "class", "enum", "union":
		return true
	}
	return false
}

func (s *scanner) cDeclaration(i int) int {
	switch t := s.toks[i]; t.kind {
	case macro:
		s.declare(i)
		return i + 1
	case mark:
		if s.isPair(i, ':', ':') {
			return s.declarators(i, 0)
		}
		return s.past(i) // an attribute, a cast, the mark of a diff
	case word:
	default:
		return s.cSkip(i)
	}
	next := i + 1
	switch name := s.word(i); {
	case name == "template", name == "generic" && s.is(next, '<'):
		if s.is(next, '<') {
			if j := s.angles(next); j > next {
				return s.requires(j)
			}
			return s.cSkip(next) // a list without an end: nothing behind it can be trusted
		}
		return next
	case name == "extern" && next < len(s.toks) && s.toks[next].kind == text:
		if s.is(next+1, '{') {
			next++
		}
		return next + 1
	case name == "inline" && s.word(next) == "namespace", name == "export" && s.isWord(next) && s.text(next) != "module" && s.text(next) != "import":
		return next
	case name == "export":
		return s.cSkip(i)
	case name == "namespace":
		return s.cNamespace(next)
	case name == "explicit" && s.isWord(next) && s.is(next+1, '('): // a constructor
		s.declare(next)
		return s.cSkip(next)
	case name == "where": // the constraint of a generic class, a line
		return s.skip(i)
	case name == "using":
		if s.isWord(next) && s.isAssign(next+1) {
			s.declare(next)
		}
		return s.cSkip(i)
	case name == "concept":
		s.declare(next)
		return s.cSkip(i)
	case oneOf(name, "public", "private", "protected", "signals", "slots") && (s.is(next, ':') || s.isWord(next) && !oneOf(s.text(next), "class", "struct", "enum", "ref", "value", "interface", "delegate")):
		return next + 1
	case oneOf(name, "public", "private", "ref", "value", "interface") && oneOf(s.word(next), "class", "struct", "enum", "ref", "value", "interface"):
		return next
	case cStatement(name):
		return s.cSkip(i)
	}
	return s.declarators(i, 0)
}

// requires passes a constraint that begins at i, if there is one.
func (s *scanner) requires(i int) int {
	if s.word(i) != "requires" {
		return i
	}
	for i++; ; {
		if s.is(i, '(') {
			i = s.past(i)
		} else {
			for s.isWord(i) && s.isPair(i+1, ':', ':') {
				i += 3
			}
			if i++; s.is(i, '<') {
				i = max(s.angles(i), i+1)
			}
		}
		if !s.isPair(i, '&', '&') && !s.isPair(i, '|', '|') {
			return i
		}
		i += 2
	}
}

// cNamespace declares the namespace whose name begins at i and goes inside.
func (s *scanner) cNamespace(i int) int {
	name := -1
	for ; s.isWord(i) || s.is(i, ':') || s.is(i, '['); i = s.past(i) {
		if s.isWord(i) {
			name = i
		}
	}
	if name >= 0 && (s.is(i, '{') || s.isAssign(i)) {
		s.declare(name)
	}
	if s.is(i, '{') {
		return i + 1
	}
	return s.cSkip(i)
}

// cSkip returns the first token behind the statement that i is in: behind ";"
// or a body, at a directive, or at a line that cannot be a part of it.
func (s *scanner) cSkip(i int) int {
	for i < len(s.toks) {
		t := s.toks[i]
		if t.kind == macro || t.kind == branch {
			return i + 1
		}
		if t.kind == mark && (t.mark == ';' || t.mark == '}') {
			return i + 1
		}
		j := s.past(i)
		if t.kind == mark && t.mark == '{' && !s.is(j, ',') && !s.is(j, '{') && !s.is(j, '.') && !s.is(j, ')') {
			return j
		}
		if j < len(s.toks) && s.toks[j].kind == macro {
			return j
		}
		i = j
	}
	return i
}
