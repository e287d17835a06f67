package symbol

import "github.com/docent-md/docent/internal/text/symbol/lex"

// What const, let and var bind, in JavaScript and Swift: names, patterns, and
// several of them behind commas, each with a type and a value to pass over.

// A binder reads bindings. The languages that have them embed it.
type binder struct{ *block }

// bindings declares what stands behind const, let and var from token i on, and
// returns the next statement's token.
func (s binder) bindings(i int) int {
	for i < len(s.Toks) {
		switch {
		case s.IsWord(i) && !s.Reserved(s.Text(i)), oneOf(s.Word(i), "type", "of", "async", "any", "object", "symbol", "string", "number", "is", "namespace", "as", "infer"):
			s.declare(i)
			i++
		case s.Is(i, '{'), s.Is(i, '['):
			s.pattern(i, 0)
			i = s.Past(i)
		default:
			return s.Skip(i)
		}
		i = s.pass(i, '!')
		more := false
		if i, more = s.value(i); !more {
			return i
		}
	}
	return i
}

// value passes the type and the value behind what is bound. It returns the token
// behind a comma and true if a further binding follows, and otherwise the next
// statement's token.
func (s binder) value(i int) (next int, more bool) {
	if s.Is(i, ':') {
		i = s.typeEnd(i + 1)
	}
	if s.IsAssign(i) {
		i = s.expression(i + 1)
	}
	if !s.Is(i, ',') || !s.binds(i+1) {
		return s.statementEnd(i), false
	}
	return i + 1, true
}

// binds reports whether token i begins a further binding, and not the rest of
// an argument list in angle brackets.
func (s binder) binds(i int) bool {
	if s.Is(i, '{') || s.Is(i, '[') {
		return s.IsAssign(s.Past(i)) || s.Is(s.Past(i), ':')
	}
	j := i + 1
	return s.IsWord(i) && (s.IsAssign(j) || s.Is(j, ',') || s.Is(j, ';') || s.Is(j, ':') || s.Is(j, '!') || s.First(j) && !s.Continues(j))
}

// typeEnd returns the token that ends the type that begins at i: "=", "," or
// the next statement.
func (s binder) typeEnd(i int) int {
	for begin := i; i < len(s.Toks); {
		switch {
		case s.IsAssign(i), s.Is(i, ','), s.Is(i, ';'), s.Is(i, '}'), s.Is(i, ')'):
			return i
		case i > begin && s.First(i) && !s.Continues(i):
			return i
		case s.Is(i, '<'):
			if j := s.PastAngles(i); j > i {
				i = j
				continue
			}
		}
		i = s.Past(i)
	}
	return i
}

// expression returns the token that ends the expression that begins at i: a
// comma that begins a further binding, or what ends the statement.
func (s binder) expression(i int) int {
	for begin := i; i < len(s.Toks); i = s.Past(i) {
		switch {
		case s.Is(i, ';'), s.Is(i, '}'), s.Is(i, ')'):
			return i
		case s.Is(i, ',') && s.binds(i+1):
			return i
		case i > begin && s.First(i) && !s.Continues(i) && !s.Toks[i].Quiet:
			return i
		case s.Is(i, '<') && i > begin && s.IsWord(i-1) && s.Touches(i-1): // type arguments, or a comparison
			if j := s.PastAngles(i); j > i && !s.IsName(j) && (j == len(s.Toks) || s.Toks[j].Kind == lex.Mark) {
				i = j - 1
			}
		}
	}
	return i
}

// statementEnd passes a ";" at i.
func (s binder) statementEnd(i int) int {
	if s.Is(i, ';') {
		return i + 1
	}
	if s.First(i) {
		return i
	}
	return s.Skip(i)
}

// pattern declares the names bound by the "{...}" or "[...]" that begins at i.
func (s binder) pattern(i, depth int) {
	const deepest = 50
	end := s.Past(i) - 1
	if !s.Is(end, lex.CloserOf(s.Toks[i].Mark)) {
		end++ // never closed
	}
	object := s.Is(i, '{')
	for i++; i < end; i++ {
		for s.Is(i, '.') {
			i++
		}
		// In an object the key comes first, and alone if it is the name too.
		if object {
			if j := s.Past(i); s.Is(j, ':') {
				i = j + 1
			}
		}
		switch {
		case s.IsWord(i):
			s.declare(i)
		case (s.Is(i, '{') || s.Is(i, '[')) && depth < deepest:
			s.pattern(i, depth+1)
		}
		for i < end && !s.Is(i, ',') {
			i = s.Past(i)
		}
	}
}
