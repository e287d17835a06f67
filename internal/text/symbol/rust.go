package symbol

// Rust: items. Modules, impl and extern blocks are looked through, traits are
// not.

func (s *scanner) rustBoundary(i int) bool {
	switch s.word(i) {
	case "fn", "struct", "enum", "trait", "mod", "type", "static":
		return s.isWord(i + 1)
	case "impl", "pub", "use", "extern", "unsafe", "async":
		return s.isWord(i+1) || s.is(i+1, '<') || s.is(i+1, '(')
	}
	return false
}

func (s *scanner) rustItem(i int) int {
	if s.is(i, '#') { // an attribute
		if s.is(i+1, '!') {
			i++
		}
		if s.is(i+1, '[') {
			return s.past(i + 1)
		}
		return i + 1
	}
	for {
		switch s.word(i) {
		case "pub":
			if i++; s.is(i, '(') {
				i = s.past(i)
			}
			continue
		case "default", "unsafe", "async", "safe":
			if !s.isWord(i + 1) {
				return s.skip(i)
			}
			i++
			continue
		case "extern":
			if i++; i < len(s.toks) && s.toks[i].kind == text {
				i++
			}
			if s.is(i, '{') {
				return i + 1
			}
			if s.word(i) == "crate" {
				return s.skip(i)
			}
			continue
		case "const", "static":
			i++
			if oneOf(s.word(i), "fn", "unsafe", "async", "extern") {
				continue
			}
			if s.word(i) == "mut" {
				i++
			}
			if s.isWord(i) && s.is(i+1, ':') {
				s.declare(i)
			}
		case "fn", "struct", "enum", "trait", "type", "union":
			i++
			if s.isWord(i) && (s.text(i-1) != "union" || s.is(i+1, '{') || s.is(i+1, '<')) {
				s.declare(i)
			}
		case "mod":
			if i++; s.isWord(i) {
				s.declare(i)
				if s.is(i+1, '{') {
					return i + 2
				}
			}
		case "impl":
			for i++; i < len(s.toks) && !s.is(i, ';') && !(s.first(i) && s.rustBoundary(i)); i = s.past(i) {
				if s.is(i, '{') {
					return i + 1
				}
			}
			return i
		case "macro_rules":
			if s.is(i+1, '!') && s.isWord(i+2) {
				s.declare(i + 2)
				return s.past(i + 3)
			}
		}
		return s.skip(i)
	}
}
