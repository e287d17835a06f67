package symbol

// The rules read tokens by number. All of these are total: beyond the end there
// is nothing, and nothing is equal to it.

// is reports whether token i is the mark m.
func (s *scanner) is(i int, m byte) bool {
	return uint(i) < uint(len(s.toks)) && s.toks[i].kind == mark && s.toks[i].mark == m
}

// isWord reports whether token i is a plain word: no quoted identifier, no
// variable with a sigil, nothing in a tag.
func (s *scanner) isWord(i int) bool {
	return uint(i) < uint(len(s.toks)) && s.toks[i].kind == word && s.toks[i].mark == 0 && !s.toks[i].quiet
}

// isName reports whether token i is a word, quoted or not.
func (s *scanner) isName(i int) bool {
	return uint(i) < uint(len(s.toks)) && s.toks[i].kind == word && s.toks[i].mark != '$' && !s.toks[i].quiet
}

// word returns the spelling of token i if it is a plain word, else "".
func (s *scanner) word(i int) string {
	if s.isWord(i) {
		return s.text(i)
	}
	return ""
}

// first reports whether token i begins a line. The end of the code does.
func (s *scanner) first(i int) bool {
	return i >= len(s.toks) || s.toks[i].first
}

// touches reports whether no blank is between token i and the next.
func (s *scanner) touches(i int) bool {
	return i+1 < len(s.toks) && s.toks[i].end == s.toks[i+1].start
}

// isPair reports whether tokens i and i+1 are the two marks of an operator.
func (s *scanner) isPair(i int, a, b byte) bool {
	return s.is(i, a) && s.is(i+1, b) && s.touches(i)
}

// isAssign reports whether token i is a "=" that is no part of another operator.
func (s *scanner) isAssign(i int) bool {
	if !s.is(i, '=') || s.touches(i) && (s.is(i+1, '=') || s.is(i+1, '>') || s.is(i+1, '~')) {
		return false
	}
	if i == 0 || s.toks[i-1].kind != mark || !s.touches(i-1) {
		return true
	}
	switch s.toks[i-1].mark {
	case '=', '!', '<', '>', '+', '-', '*', '/', '%', '&', '|', '^', '@', ':', '?', '~':
		return false
	}
	return true
}

// past returns the token after i, or after the group that i opens.
func (s *scanner) past(i int) int {
	if i < len(s.toks) && s.toks[i].kind == mark {
		switch s.toks[i].mark {
		case '(', '[', '{':
			return max(i+1, int(s.toks[i].next))
		}
	}
	return i + 1
}

// angles returns the token after the "<...>" that begins at i, or i if there is
// none. Such a list holds names, marks and groups, and is not long.
func (s *scanner) angles(i int) int {
	const longest = 256
	depth := 0
	for j := i; j < len(s.toks) && j < i+longest; {
		t := s.toks[j]
		if t.kind == mark {
			switch t.mark {
			case '<':
				depth++
			case '>':
				if j > i && (s.isPair(j-1, '-', '>') || s.isPair(j-1, '=', '>')) {
					break
				}
				if depth--; depth == 0 {
					return j + 1
				}
			case ';', '}', ')':
				return i
			}
		}
		j = s.past(j)
	}
	return i
}

// continues reports whether the line that begins with token i goes on from the
// line before: one ends, or the other begins, with an operator.
func (s *scanner) continues(i int) bool {
	return i > 0 && i < len(s.toks) && s.joined(i) &&
		!(s.toks[i].indent <= s.margin && s.syn.boundary != nil && s.syn.boundary(s, i))
}

func (s *scanner) joined(i int) bool {
	if t := s.toks[i]; t.kind == mark {
		switch t.mark {
		case '.', '?', ':', '+', '*', '/', '&', '|', ',', '=', ')', ']', '>', '%', '^':
			return true
		}
	}
	before := s.toks[i-1]
	if before.kind != mark || before.quiet {
		return false
	}
	switch before.mark {
	case '.': // unless it is an elision
		return i < 3 || !s.isPair(i-3, '.', '.') || !s.isPair(i-2, '.', '.')
	case '*': // unless it is an import
		return i < 2 || !s.is(i-2, '.')
	case '=', ',', '+', '-', '/', '&', '|', '<', '?', '~', '^', '%', '(', '[':
		return true
	case '>':
		return i > 1 && (s.isPair(i-2, '=', '>') || s.isPair(i-2, '-', '>'))
	}
	return false
}

// skip returns the first token of the statement after the one that i is in.
func (s *scanner) skip(i int) int {
	for i < len(s.toks) {
		t := s.toks[i]
		if t.kind == mark {
			switch t.mark {
			case ';', '}':
				return i + 1
			case '{':
				return s.past(i)
			}
		}
		i = s.past(i)
		if s.first(i) && !s.continues(i) {
			return i
		}
	}
	return i
}

// oneOf reports whether name is among words.
func oneOf(name string, words ...string) bool {
	for _, w := range words {
		if name == w {
			return true
		}
	}
	return false
}
