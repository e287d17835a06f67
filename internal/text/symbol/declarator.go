package symbol

import "strings"

// declarators reads a declaration of C or C++ from token i on and declares its
// names. words is how many words of a type were read before.
func (s *scanner) declarators(i, words int) int {
	name := -1         // the last word
	qualified := false // it stands behind "::"
	destructor := false
	for i < len(s.toks) {
		t := s.toks[i]
		next := i + 1
		if t.kind == word {
			spelled := s.text(i)
			switch {
			case oneOf(spelled, "struct", "class", "union", "enum"):
				j, defined := s.tagged(i)
				if defined { // what follows the body are names of that type
					if s.is(j, '(') && s.is(j+1, '*') && s.isWord(j+2) {
						s.declare(j + 2)
					}
					return s.moreNames(j)
				}
				i, words, name = j, words+1, -1
				continue
			case argued(spelled) && s.is(next, '('):
				i = s.past(next)
				continue
			case (spelled == "decltype" || spelled == "_Atomic" || spelled == "typeof") && s.is(next, '('):
				i, words = s.past(next), words+1
				continue
			case spelled == "operator":
				return s.cSkip(i)
			case qualifier(spelled):
				i = next
				continue
			}
			name, qualified, destructor = i, false, false
			words++
			if s.is(next, '<') && !s.isPair(next, '<', '<') {
				if j := s.angles(next); j > next {
					next = j
				}
			}
			for s.isPair(next, ':', ':') {
				if j := next + 2; s.isWord(j) && s.text(j) != "operator" {
					name, qualified, next = j, true, j+1
				} else if s.is(j, '~') && s.isWord(j+1) {
					destructor, qualified, next = true, true, j+2
				} else if s.is(j, '*') { // a pointer to a member
					name, next = -1, j
					break
				} else {
					return s.cSkip(next)
				}
				if s.is(next, '<') && !s.isPair(next, '<', '<') {
					next = max(next, s.angles(next))
				}
			}
			i = next
			continue
		}
		if t.kind != mark {
			return s.cSkip(i)
		}
		switch t.mark {
		case '*', '&', '^', '%':
			if words == 0 {
				return s.cSkip(i)
			}
			i = next
		case ':':
			if words != 0 || !s.isPair(i, ':', ':') {
				if words == 1 && name >= 0 && !qualified { // a label
					return next
				}
				return s.cSkip(i)
			}
			i += 2
		case '(':
			return s.called(i, name, words, qualified, destructor)
		case '[':
			if name >= 0 && s.text(name) == "auto" { // a structured binding
				for j, end := next, s.past(i); j < end; j++ {
					if s.isWord(j) {
						s.declare(j)
					}
				}
				return s.cSkip(i)
			}
			if s.is(next, '[') && words < 2 { // an attribute
				i = s.past(i)
				continue
			}
			return s.named(i, name, words)
		case '=':
			if !s.isAssign(i) {
				return s.cSkip(i)
			}
			return s.named(i, name, words)
		case ';', ',', '{':
			return s.named(i, name, words)
		default:
			return s.cSkip(i)
		}
	}
	return i
}

// named declares a name that is behind a type and before token i, and then the
// further ones in the list.
func (s *scanner) named(i, name, words int) int {
	if words < 2 || name < 0 || typeWord(s.text(name)) {
		return s.cSkip(i)
	}
	s.declare(name)
	return s.moreNames(i)
}

// moreNames goes through a list of declarators, from behind a name at i, and
// declares those behind commas. It returns the next statement's token.
func (s *scanner) moreNames(i int) int {
	for first := true; i < len(s.toks); first = false {
		if !first || s.is(i, ',') || s.is(i, ';') || s.is(i, '=') || s.is(i, '[') || s.is(i, '(') || s.is(i, '{') {
			for i < len(s.toks) && !s.is(i, ',') && !s.is(i, ';') && s.toks[i].kind != branch && s.toks[i].kind != macro {
				body := s.is(i, '{')
				i = s.past(i)
				if body && s.first(i) && !s.is(i, ';') && !s.is(i, ',') {
					return i // the semicolon was left out
				}
			}
			if !s.is(i, ',') {
				return i + 1
			}
			i++
		} else if s.first(i) {
			return i
		}
		for s.is(i, '*') || s.is(i, '&') || s.is(i, '^') || oneOf(s.word(i), "const", "volatile", "__attribute__", "alignas") ||
			s.isWord(i) && s.is(i+1, '*') {
			if s.isWord(i) && s.is(i+1, '(') {
				i++
			}
			i = s.past(i)
		}
		if s.is(i, '(') && s.is(i+1, '*') && s.isWord(i+2) {
			s.declare(i + 2)
		} else if s.isWord(i) && s.ends(i+1) {
			s.declare(i)
		}
	}
	return i
}

// ends reports whether token i may follow a name in a list of declarators.
func (s *scanner) ends(i int) bool {
	return s.is(i, ',') || s.is(i, ';') || s.isAssign(i) || s.is(i, '[') || s.is(i, '(') || s.is(i, '{')
}

// tagged reads "struct name", from the keyword on. It declares the name if a
// body, a base or nothing follows, and then returns the token behind it and
// true; otherwise it was a type in use, and the token behind that is returned.
func (s *scanner) tagged(i int) (int, bool) {
	i++
	if oneOf(s.word(i), "class", "struct") { // enum class
		i++
	}
	name := -1
	for i < len(s.toks) {
		switch {
		case argued(s.word(i)) && s.is(i+1, '('):
			i = s.past(i + 1)
			continue
		case s.is(i, '[') && s.is(i+1, '['):
			i = s.past(i)
			continue
		case s.isWord(i) && s.isPair(i+1, ':', ':') && s.isWord(i+3):
			i += 3
			continue
		case s.isWord(i) && (name < 0 || isMacro(s.text(name))) && !oneOf(s.text(i), "final", "sealed", "abstract"):
			if name >= 0 && !s.is(i+1, '{') && !s.is(i+1, ':') && s.word(i+1) != "final" {
				break // "struct POINT p"
			}
			name = i
			if i++; s.is(i, '<') {
				i = max(i, s.angles(i))
			}
			if s.isPair(i, ':', ':') && s.isWord(i+2) { // Outer<T>::Inner
				name = -1
				i += 2
			}
			continue
		}
		break
	}
	for oneOf(s.word(i), "final", "sealed", "abstract") {
		i++
	}
	base := s.is(i, ':') && !s.isPair(i, ':', ':')
	if !s.is(i, '{') && !s.is(i, ';') && !base {
		return i, false
	}
	if name >= 0 {
		s.declare(name)
	}
	for ; base && i < len(s.toks) && !s.is(i, '{') && !s.is(i, ';'); i++ {
		if s.is(i, '(') {
			i = s.past(i) - 1
		}
	}
	if s.is(i, '{') {
		i = s.past(i)
	}
	return i, true
}

// isMacro reports whether a name is in capitals, as macros are.
func isMacro(name string) bool { return strings.ToUpper(name) == name }

// called reads what follows a name and "(" at i: parameters, arguments, or the
// declarator of a pointer.
func (s *scanner) called(i, name, words int, qualified, destructor bool) int {
	after := s.past(i)
	if words > 0 && (s.is(i+1, '*') || s.is(i+1, '^') || isConvention(s.word(i+1)) && s.is(i+2, '*')) && (s.is(after, '(') || s.is(after, '[')) {
		j := i + 1
		for s.is(j, '*') || s.is(j, '^') || isConvention(s.word(j)) || s.word(j) == "const" {
			j++
		}
		if s.isWord(j) {
			s.declare(j)
		}
		return s.moreNames(s.past(after))
	}
	if name < 0 || typeWord(s.text(name)) {
		return s.cSkip(i)
	}
	switch {
	case words >= 2:
		if !s.follows(after) {
			return s.cSkip(after)
		}
		s.declare(name)
		if s.is(after, ',') {
			return s.moreNames(after)
		}
		if s.first(after) && !s.isHead(after) { // the semicolon was left out
			return after
		}
	case destructor:
	case qualified:
		if s.is(after, '{') || s.is(after, ':') || s.word(after) == "noexcept" {
			s.declare(name)
		}
	case s.isWord(after) && !s.first(after): // an annotation
		return after
	case s.is(after, '{') && !isMacro(s.text(name)),
		s.is(after, ':') && s.isWord(after+1) && (s.is(after+2, '(') || s.is(after+2, '{')):
		s.declare(name)
	case s.first(after) && !s.is(after, '{') && !s.is(after, ':'):
		return after // a macro on a line of its own
	}
	return s.cSkip(after)
}

// isConvention reports whether a name may be that of a calling convention:
// WINAPI, __stdcall.
func isConvention(name string) bool {
	return strings.HasPrefix(name, "__") || name != "" && isMacro(name)
}

// isHead reports whether a line that begins with token i goes on with the head
// of a function.
func (s *scanner) isHead(i int) bool {
	if i < len(s.toks) && s.toks[i].kind == mark {
		return true
	}
	return oneOf(s.word(i), "const", "volatile", "noexcept", "override", "final", "throw", "try", "requires")
}

// follows reports whether token i may stand behind the parameters of a
// function.
func (s *scanner) follows(i int) bool {
	if s.first(i) {
		return true
	}
	switch t := s.toks[i]; t.kind {
	case mark:
		return strings.IndexByte(";{,=:[(&-", t.mark) >= 0
	case word:
		name := s.text(i)
		return oneOf(name, "const", "volatile", "noexcept", "override", "final", "throw", "try", "requires", "abstract", "sealed", "asm", "new") ||
			strings.HasPrefix(name, "__") || isMacro(name)
	}
	return false
}
