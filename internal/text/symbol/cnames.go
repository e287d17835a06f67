package symbol

import (
	"strings"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

// Names of C and C++ behind commas, of structs and of functions.

// moreNames goes through a list of declarators, from behind a name at i, and
// declares those behind commas. It returns the next statement's token.
func (s clike) moreNames(i int) int {
	for first := true; i < len(s.Toks); first = false {
		if !first || s.IsAny(i, ",;=[({") {
			more := false
			if i, more = s.pastComma(i); !more {
				return i
			}
		} else if s.First(i) {
			return i
		}
		for s.IsAny(i, "*&^") || oneOf(s.Word(i), "const", "volatile", "__attribute__", "alignas") || s.IsWord(i) && s.Is(i+1, '*') {
			if s.IsWord(i) && s.Is(i+1, '(') {
				i++
			}
			i = s.Past(i)
		}
		if s.Is(i, '(') && s.Is(i+1, '*') && s.IsWord(i+2) {
			s.declare(i + 2)
		} else if s.IsWord(i) && (s.IsAssign(i+1) || s.IsAny(i+1, ",;[({")) {
			s.declare(i)
		}
	}
	return i
}

// pastComma returns the token behind the next comma of a list and true, or the
// next statement's token if the list ends before.
func (s clike) pastComma(i int) (int, bool) {
	for i < len(s.Toks) && !s.IsAny(i, ",;") && s.Toks[i].Kind != lex.Branch && s.Toks[i].Kind != lex.Macro {
		body := s.Is(i, '{')
		i = s.Past(i)
		if body && s.First(i) && !s.IsAny(i, ",;") {
			return i, false // the semicolon was left out
		}
	}
	return i + 1, s.Is(i, ',')
}

// tagged reads "struct name", from the keyword on. It declares the name if a
// body, a base or nothing follows, and then returns the token behind it and
// true; otherwise it was a type in use, and the token behind that is returned.
func (s clike) tagged(i int) (int, bool) {
	i++
	if oneOf(s.Word(i), "class", "struct") { // enum class
		i++
	}
	i, name := s.tag(i)
	for oneOf(s.Word(i), "final", "sealed", "abstract") {
		i++
	}
	base := s.Is(i, ':') && !s.IsPair(i, ':', ':')
	if !base && !s.IsAny(i, "{;") {
		return i, false
	}
	if name >= 0 {
		s.declare(name)
	}
	for ; base && i < len(s.Toks) && !s.IsAny(i, "{;"); i++ {
		if s.Is(i, '(') {
			i = s.Past(i) - 1
		}
	}
	if s.Is(i, '{') {
		i = s.Past(i)
	}
	return i, true
}

// tag reads the name of a struct, with the attributes and macros before it. It
// returns the token behind the name, and the name or -1.
func (s clike) tag(i int) (next, name int) {
	name = -1
	for {
		switch {
		case argued(s.Word(i)) && s.Is(i+1, '('):
			i = s.Past(i + 1)
		case s.Is(i, '[') && s.Is(i+1, '['):
			i = s.Past(i)
		case s.IsWord(i) && s.IsPair(i+1, ':', ':') && s.IsWord(i+3):
			i += 3
		case s.isTag(i, name):
			name = i
			i = s.PastAngles(i + 1)
			if s.IsPair(i, ':', ':') && s.IsWord(i+2) { // Outer<T>::Inner
				name = -1
				i += 2
			}
		default:
			return i, name
		}
	}
}

// isTag reports whether token i may be the name of a struct. A word before it
// can only be a macro, and then it must not be the name: "struct POINT p".
func (s clike) isTag(i, before int) bool {
	if !s.IsWord(i) || oneOf(s.Text(i), "final", "sealed", "abstract") {
		return false
	}
	return before < 0 || isMacro(s.Text(before)) && (s.IsAny(i+1, "{:") || s.Word(i+1) == "final")
}

// function declares the name of a function if what stands behind its parameters,
// from token after on, may stand there.
func (s clike) function(after, name int) int {
	if !s.follows(after) {
		return s.skip(after)
	}
	s.declare(name)
	if s.Is(after, ',') {
		return s.moreNames(after)
	}
	if s.First(after) && !s.isHead(after) { // the semicolon was left out
		return after
	}
	return s.skip(after)
}

// isHead reports whether a line that begins with token i goes on with the head
// of a function.
func (s clike) isHead(i int) bool {
	if i < len(s.Toks) && s.Toks[i].Kind == lex.Mark {
		return true
	}
	return oneOf(s.Word(i), "const", "volatile", "noexcept", "override", "final", "throw", "try", "requires")
}

// follows reports whether token i may stand behind the parameters of a
// function.
func (s clike) follows(i int) bool {
	if s.First(i) {
		return true
	}
	switch t := s.Toks[i]; t.Kind {
	case lex.Mark:
		return strings.IndexByte(";{,=:[(&-", t.Mark) >= 0
	case lex.Word:
		name := s.Text(i)
		return oneOf(name, "const", "volatile", "noexcept", "override", "final", "throw", "try", "requires", "abstract", "sealed", "asm", "new") ||
			strings.HasPrefix(name, "__") || isMacro(name)
	}
	return false
}
