package symbol

// What const, let and var bind, in JavaScript and Swift: names, patterns, and
// several of them behind commas, each with a type and a value to pass over.

// bindings declares what stands behind const, let and var from token i on, and
// returns the next statement's token.
func (s *scanner) bindings(i int) int {
	for i < len(s.toks) {
		switch {
		case s.isWord(i) && !s.syn.keywords.has(s.text(i)), oneOf(s.word(i), "type", "of", "async", "any", "object", "symbol", "string", "number", "is", "namespace", "as", "infer"):
			s.declare(i)
			i++
		case s.is(i, '{'), s.is(i, '['):
			s.pattern(i, 0)
			i = s.past(i)
		default:
			return s.skip(i)
		}
		if s.is(i, '!') {
			i++
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

// binds reports whether token i begins a further binding, and not the rest of
// an argument list in angle brackets.
func (s *scanner) binds(i int) bool {
	if s.is(i, '{') || s.is(i, '[') {
		return s.isAssign(s.past(i)) || s.is(s.past(i), ':')
	}
	j := i + 1
	return s.isWord(i) && (s.isAssign(j) || s.is(j, ',') || s.is(j, ';') || s.is(j, ':') || s.is(j, '!') || s.first(j) && !s.continues(j))
}

// typeEnd returns the token that ends the type that begins at i: "=", "," or
// the next statement.
func (s *scanner) typeEnd(i int) int {
	for begin := i; i < len(s.toks); {
		switch {
		case s.isAssign(i), s.is(i, ','), s.is(i, ';'), s.is(i, '}'), s.is(i, ')'):
			return i
		case i > begin && s.first(i) && !s.continues(i):
			return i
		case s.is(i, '<'):
			if j := s.angles(i); j > i {
				i = j
				continue
			}
		}
		i = s.past(i)
	}
	return i
}

// ecmaExpression returns the token that ends the expression that begins at i: a
// comma that begins a further binding, or what ends the statement.
func (s *scanner) ecmaExpression(i int) int {
	for begin := i; i < len(s.toks); i = s.past(i) {
		switch {
		case s.is(i, ';'), s.is(i, '}'), s.is(i, ')'):
			return i
		case s.is(i, ',') && s.binds(i+1):
			return i
		case i > begin && s.first(i) && !s.continues(i) && !s.toks[i].quiet:
			return i
		case s.is(i, '<') && i > begin && s.isWord(i-1) && s.touches(i-1): // type arguments, or a comparison
			if j := s.angles(i); j > i && !s.isName(j) && (j == len(s.toks) || s.toks[j].kind == mark) {
				i = j - 1
			}
		}
	}
	return i
}

// statementEnd passes a ";" at i.
func (s *scanner) statementEnd(i int) int {
	if s.is(i, ';') {
		return i + 1
	}
	if s.first(i) {
		return i
	}
	return s.skip(i)
}

// pattern declares the names bound by the "{...}" or "[...]" that begins at i.
func (s *scanner) pattern(i, depth int) {
	const deepest = 50
	end := s.past(i) - 1
	if !s.is(end, closerOf(s.toks[i].mark)) {
		end++ // never closed
	}
	object := s.is(i, '{')
	for i++; i < end; i++ {
		for s.is(i, '.') {
			i++
		}
		// In an object the key comes first, and alone if it is the name too.
		if object {
			if j := s.past(i); s.is(j, ':') {
				i = j + 1
			}
		}
		switch {
		case s.isWord(i):
			s.declare(i)
		case (s.is(i, '{') || s.is(i, '[')) && depth < deepest:
			s.pattern(i, depth+1)
		}
		for i < end && !s.is(i, ',') {
			i = s.past(i)
		}
	}
}
