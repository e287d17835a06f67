package symbol

// Java and C#: types, and members that stand alone in a fragment. A method is
// known by "type name(...)", a field or property by its modifiers: without any
// it is a local variable. Namespaces are looked through; like packages, they
// are not declared.

func isModifier(name string) bool {
	switch name {
	case "public", "private", "protected", "internal", "static", "final", "abstract", "sealed", "native", "strictfp",
		"synchronized", "transient", "volatile", "default", "readonly", "const", "virtual", "override", "async",
		"partial", "extern", "unsafe", "new", "required", "event", "ref", "file", "implicit", "explicit", "fixed":
		return true
	}
	return false
}

// access reports whether a modifier makes a variable a field: "final" alone
// does not.
func access(name string) bool {
	switch name {
	case "public", "private", "protected", "internal", "static", "transient", "volatile", "readonly", "const", "event":
		return true
	}
	return false
}

func (s *scanner) javaBoundary(i int) bool {
	for n := 0; n < 6 && isModifier(s.word(i)) && s.isWord(i+1); n++ {
		i++
	}
	switch s.word(i) {
	case "class", "interface", "enum", "struct":
		return s.isWord(i+1) && !s.first(i+1)
	case "namespace", "package":
		return s.isWord(i + 1)
	case "import":
		return s.isWord(i+1) && (s.is(i+2, '.') || s.isWord(i+2))
	}
	return false
}

func (s *scanner) javaMember(i int) int {
	field := false // modifiers or annotations that only members have
	modifiers := 0
	sharp := s.syn.lang == "csharp"
	for {
		if s.is(i, '@') && s.word(i+1) != "interface" {
			i = s.annotation(i)
			field = true
			continue
		}
		if s.is(i, '[') && sharp {
			i = s.past(i)
			continue
		}
		if s.is(i, '@') { // @interface
			i++
		}
		name := s.word(i)
		if name == "non" && s.is(i+1, '-') {
			i += 3
			continue
		}
		if !isModifier(name) || name == "new" && modifiers == 0 || !s.isWord(i+1) && !s.is(i+1, '<') && !s.is(i+1, '(') && !s.is(i+1, '@') {
			break
		}
		field = field || access(name)
		modifiers++
		i++
	}
	switch s.word(i) {
	case "class", "interface", "enum", "struct", "record":
		name := i + 1
		if s.text(i) == "record" && oneOf(s.word(name), "struct", "class") {
			name++
		}
		if s.isWord(name) && (s.text(i) != "record" || s.is(name+1, '(') || s.is(name+1, '<') || s.is(name+1, '{') || s.is(name+1, ';') || s.is(name+1, ':')) {
			s.declare(name)
			return s.javaBody(name)
		}
		if s.text(i) != "record" {
			return s.skip(i)
		}
	case "namespace":
		if sharp {
			for i++; s.isWord(i) || s.is(i, '.'); i++ {
			}
			return i + 1
		}
	case "module", "open":
		if !sharp {
			return s.skip(i)
		}
	case "delegate":
		i++
	case "package", "import", "using", "return", "throw", "new", "if", "else", "for", "foreach", "while", "do",
		"switch", "case", "try", "catch", "finally", "await", "yield", "break", "continue", "assert", "this",
		"super", "base", "lock", "goto", "global", "default", "when", "where", "extends", "implements", "permits",
		"throws", "get", "set", "var":
		return s.skip(i)
	case "":
		if !s.is(i, '<') {
			return s.skip(i)
		}
	}
	return s.javaName(i, field, modifiers > 0)
}

// annotation returns the token after "@name" or "@name(...)".
func (s *scanner) annotation(i int) int {
	for i += 2; (s.is(i, '.') || s.is(i, ':')) && s.isWord(i+1); i += 2 {
	}
	if s.is(i, '(') {
		i = s.past(i)
	}
	return i
}

// javaBody goes from the head of a type past its body. Heads may run over
// lines.
func (s *scanner) javaBody(i int) int {
	for i < len(s.toks) && !s.is(i, ';') && !(s.first(i) && s.javaBoundary(i)) {
		if s.is(i, '{') {
			return s.past(i)
		}
		i = s.past(i)
	}
	return i
}

// javaName reads "type name" from i on and declares the name if it is that of a
// method, or of a field or property where field says so.
func (s *scanner) javaName(i int, field, modified bool) int {
	if s.is(i, '<') { // type parameters
		i = s.angles(i)
	}
	begin := i
	if s.isWord(i) && s.is(i+1, '(') && modified { // a constructor
		if j := s.past(i + 1); s.is(j, '{') || s.is(j, ':') || s.word(j) == "throws" || s.first(j) {
			s.declare(i)
			return s.javaBody(j)
		}
	}
	if s.is(i, '(') { // a tuple
		i = s.past(i)
	} else {
		for s.isWord(i) && (s.is(i+1, '.') || s.isPair(i+1, ':', ':')) && s.isWord(i+2) {
			i += 2
		}
		if !s.isWord(i) {
			return s.skip(begin)
		}
		i++
	}
	if s.is(i, '<') {
		i = s.angles(i)
	}
	for s.is(i, '[') || s.is(i, '?') || s.is(i, '*') || s.is(i, '.') && s.is(i+1, '.') && s.is(i+2, '.') {
		i = s.past(i)
	}
	name, j := i, i+1
	if !s.isWord(name) || s.first(name) && !modified {
		return s.skip(begin)
	}
	if s.is(j, '<') {
		j = s.angles(j)
	}
	switch {
	case s.is(j, '('):
		after := s.past(j)
		if s.is(after, '{') || s.is(after, ';') || s.isPair(after, '=', '>') || oneOf(s.word(after), "throws", "where") ||
			modified && s.first(after) {
			s.declare(name)
			return s.javaBody(after)
		}
	case field && (s.isAssign(j) || s.is(j, ';') || s.is(j, ',')):
		s.declare(name)
		for !s.is(j, ';') && j < len(s.toks) && !(s.first(j) && !s.continues(j)) {
			if s.is(j, ',') && s.isWord(j+1) && (s.isAssign(j+2) || s.is(j+2, ',') || s.is(j+2, ';')) {
				s.declare(j + 1)
			}
			j = s.past(j)
		}
		return j
	case field && s.is(j, '{'): // a property
		s.declare(name)
		if j = s.past(j); !s.isAssign(j) {
			return j
		}
	case field && s.isPair(j, '=', '>'):
		s.declare(name)
	}
	return s.skip(j)
}
