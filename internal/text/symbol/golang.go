package symbol

// Go: functions, methods, types, constants and variables. Short variable
// declarations are local by the language.

func (s *scanner) goBoundary(i int) bool {
	return oneOf(s.word(i), "func", "type", "import", "package") && (s.isWord(i+1) || s.is(i+1, '('))
}

func (s *scanner) goStatement(i int) int {
	switch s.word(i) {
	case "func":
		if i++; s.is(i, '(') { // a receiver
			i = s.past(i)
		}
		if s.isWord(i) {
			s.declare(i)
		}
	case "type", "var", "const":
		list := s.text(i) != "type"
		if !s.is(i+1, '(') {
			s.goSpec(i+1, list)
			break
		}
		for j, end := i+2, s.past(i+1); j < end; {
			if j == i+2 || s.is(j-1, ';') || s.first(j) && !s.continues(j) {
				s.goSpec(j, list)
			}
			j = s.past(j)
		}
		return s.past(i + 1)
	}
	return s.skip(i)
}

// goSpec declares the name at i, and where a list is allowed those after it.
func (s *scanner) goSpec(i int, list bool) {
	for s.isWord(i) && !(s.first(i+1) && !list) {
		s.declare(i)
		if !list || !s.is(i+1, ',') {
			return
		}
		i += 2
	}
}
