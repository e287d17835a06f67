package symbol

// Kotlin: functions, properties, classes, objects and type aliases. The name of
// an extension is what stands behind its receiver.

func kotlinModifier(name string) bool {
	switch name {
	case "public", "private", "protected", "internal", "abstract", "open", "final", "sealed", "data", "value", "inner",
		"enum", "annotation", "companion", "inline", "noinline", "crossinline", "tailrec", "operator", "infix",
		"external", "suspend", "override", "lateinit", "const", "expect", "actual", "vararg":
		return true
	}
	return false
}

func (s *scanner) kotlinBoundary(i int) bool {
	for n := 0; n < 6 && kotlinModifier(s.word(i)) && s.isWord(i+1); n++ {
		i++
	}
	switch s.word(i) {
	case "fun":
		return s.isName(i+1) || s.is(i+1, '<')
	case "class", "interface", "object", "typealias", "import", "package":
		return s.isName(i+1) && !s.first(i+1)
	}
	return false
}

func (s *scanner) kotlinStatement(i int) int {
	for {
		switch {
		case s.is(i, '@') && s.is(i+1, '['):
			i = s.past(i + 1)
		case s.is(i, '@') && s.isWord(i+1):
			i = s.annotation(i)
		case s.word(i) == "context" && s.is(i+1, '('):
			i = s.past(i + 1)
		case kotlinModifier(s.word(i)) && (s.isWord(i+1) || s.is(i+1, '@')):
			i++
		default:
			return s.kotlinDeclaration(i)
		}
	}
}

func (s *scanner) kotlinDeclaration(i int) int {
	name := i + 1
	switch s.word(i) {
	case "fun":
		if s.word(name) == "interface" {
			name++
		}
		if s.is(name, '<') {
			name = s.angles(name)
		}
		if name = s.receiver(name); s.is(name+1, '(') || s.is(name+1, '<') || s.is(name+1, '{') || s.text(i+1) == "interface" {
			s.declare(name)
		}
	case "val", "var":
		if s.is(name, '<') {
			name = s.angles(name)
		}
		if s.is(name, '(') {
			for j := name; s.is(j, '(') || s.is(j, ','); {
				if s.isName(j + 1) {
					s.declare(j + 1)
				}
				for j++; j < len(s.toks) && !s.is(j, ',') && !s.is(j, ')'); {
					j = s.past(j)
				}
			}
			return s.skip(name)
		}
		if name = s.receiver(name); name > 0 {
			s.declare(name)
		}
	case "class", "interface", "object", "typealias":
		if s.isName(name) && !s.first(name) {
			s.declare(name)
		}
	}
	return s.skip(i)
}

// receiver returns the last name of "A<B>?.name" from i on, or -1 if there is
// no name: then it is a function without one.
func (s *scanner) receiver(i int) int {
	if s.is(i, '(') { // a function type
		i = s.past(i)
		if s.is(i, '?') {
			i++
		}
		if !s.is(i, '.') {
			return -1
		}
		i++
	}
	for s.isName(i) {
		j := i + 1
		if s.is(j, '<') {
			j = s.angles(j)
		}
		if s.is(j, '?') {
			j++
		}
		if !s.is(j, '.') || !s.isName(j+1) {
			return i
		}
		i = j + 1
	}
	return -1
}
