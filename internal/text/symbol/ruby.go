package symbol

// Ruby: methods, classes, modules and constants. As in Python the outermost
// column counts, and the one that the body of a module stands in: a module is
// looked through, a class is not.

func (s *scanner) rubyLine(i int) int {
	if t := s.toks[i]; t.first {
		if !s.rubyLevel(i, int32(t.indent)) {
			return s.rubyNext(i)
		}
	}
	next := i + 1
	switch s.word(i) {
	case "class", "module":
		for s.isWord(next) && s.isPair(next+1, ':', ':') && s.isWord(next+3) {
			next += 3
		}
		if !s.isWord(next) || s.first(next) {
			break
		}
		s.declare(next)
		if s.text(i) == "module" && s.first(next+1) {
			s.levels = append(s.levels, -1) // the next line says which column
		}
	case "def":
		s.rubyMethod(next)
	case "":
	default:
		// private def name
		if s.word(next) == "def" && !s.first(next) {
			return next
		}
		if c := s.text(i)[0]; 'A' <= c && c <= 'Z' && s.isAssign(next) {
			s.declare(i)
		}
	}
	return s.rubyNext(i)
}

// rubyLevel reports whether a line with that indent is one that counts.
func (s *scanner) rubyLevel(i int, indent int32) bool {
	if i == 0 || indent < s.base {
		s.base = indent
	}
	n := len(s.levels)
	if n > 0 && s.levels[n-1] == -1 {
		if indent > s.base && (n == 1 || indent > s.levels[n-2]) {
			s.levels[n-1] = indent
			return true
		}
		n--
	}
	for n > 0 && s.levels[n-1] > indent {
		n--
	}
	s.levels = s.levels[:n]
	return indent == s.base || n > 0 && s.levels[n-1] == indent
}

// rubyMethod declares the method whose name begins at i: "name", "self.name",
// "name=".
func (s *scanner) rubyMethod(i int) {
	if s.isWord(i) && s.is(i+1, '.') {
		i += 2
	}
	if !s.isWord(i) {
		return
	}
	if s.is(i+1, '=') && s.touches(i) && (s.is(i+2, '(') && s.touches(i+1) || s.isWord(i+2)) {
		s.declared.add(s.src[s.toks[i].start:s.toks[i+1].end])
		return
	}
	s.declare(i)
}

// rubyNext returns the first token of the next line.
func (s *scanner) rubyNext(i int) int {
	for i = s.past(i); i < len(s.toks) && !s.toks[i].first; {
		i = s.past(i)
	}
	return i
}
