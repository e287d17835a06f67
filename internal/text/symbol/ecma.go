package symbol

import (
	"strings"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

// JavaScript, TypeScript and both with JSX: functions, classes, what const, let
// and var bind, TypeScript's types, and methods that stand alone in a fragment.
// TypeScript's words are looked for in JavaScript too: Flow and mislabelled
// blocks have them, and plain JavaScript has nothing that looks the same.

const ecmaKeywords = `async await break case catch class const continue debugger default delete do else export
	extends false finally for function if import in instanceof let new null of return static super switch
	this throw true try typeof undefined var void while with yield`

const typeKeywords = ecmaKeywords + ` abstract any as asserts bigint boolean declare enum implements infer
	interface is keyof namespace never number object private protected public readonly satisfies string
	symbol type unknown`

type ecma struct{ binder }

// ecmaLanguage makes one of the family: element reads "<", and may be nil.
func ecmaLanguage(keywords string, element lex.Reader, sessions ...lex.Session) *language {
	return &language{
		grammar: lex.Grammar{
			Habits: lex.DollarWords,
			Readers: lex.Readers{
				'/': lex.SlashOrRegex, '"': lex.String, '\'': lex.String, '`': lex.Template, '#': lex.ScriptLine,
				'$': lex.DollarWord, '<': element,
			},
			Sessions: sessions,
			Keywords: lex.Reserve(keywords),
			Boundary: ecmaBoundary,
		},
		declare: func(b *block) { b.each(ecma{binder{b}}.statement) },
	}
}

func ecmaBoundary(c *lex.Code, i int) bool {
	next := i + 1
	switch c.Word(i) {
	case "function":
		return c.IsWord(next) || c.Is(next, '*') && c.IsWord(next+1)
	case "class", "interface", "enum", "namespace":
		return c.IsWord(next) && !c.First(next)
	case "export":
		return c.IsWord(next) || c.Is(next, '{') || c.Is(next, '*')
	case "import":
		return c.IsWord(next) || c.Is(next, '{') || c.Is(next, '*') || c.IsText(next)
	case "async":
		return c.Word(next) == "function"
	case "abstract", "declare":
		return c.IsWord(next) && !c.First(next)
	}
	return false
}

func (s ecma) statement(i int) int {
	if s.Is(i, '@') {
		return s.decorator(i)
	}
	if t := s.Toks[i]; t.Kind == lex.Mark && strings.IndexByte("}{;+-", t.Mark) >= 0 {
		return s.Past(i) // "+" and "-" are the marks of a diff
	}
	return s.declaration(s.modifiers(i))
}

// modifiers passes the words that may stand before the keyword of a
// declaration, and the decorators between them.
func (s ecma) modifiers(i int) int {
	exported := false
	for {
		next := i + 1
		modifies := false
		switch s.Word(i) {
		case "export":
			modifies = s.IsWord(next) || s.Is(next, '@')
			exported = true
			if s.Is(next, '@') {
				next = s.decorator(next)
			}
		case "default":
			if s.Is(next, '@') {
				next = s.decorator(next)
			}
			modifies = exported && oneOf(s.Word(next), "function", "class", "async", "abstract", "interface", "enum")
		case "declare", "abstract":
			modifies = s.IsWord(next) && !s.First(next)
		case "async":
			modifies = s.Word(next) == "function" && !s.First(next)
		case "const", "let", "var":
			modifies = s.Word(next) == "enum"
		case "await":
			modifies = s.Word(next) == "using" && !s.First(next)
		}
		if !modifies {
			return i
		}
		i = next
	}
}

// declaration reads a statement from its keyword on.
func (s ecma) declaration(i int) int {
	next := i + 1
	switch s.Word(i) {
	case "export", "default", "declare", "abstract", "await":
	case "async":
		s.method(next)
	case "function":
		next = s.pass(next, '*')
		for s.IsWord(next) && s.Is(next+1, '.') && s.IsWord(next+2) { // as references write it
			next += 2
		}
		s.declareWord(next)
	case "class":
		if s.IsWord(next) && !oneOf(s.Text(next), "extends", "implements") {
			s.declare(next)
		}
	case "interface", "enum", "type":
		if s.IsWord(next) && !s.First(next) && s.typeHead(next+1, s.Text(i)) {
			s.declare(next)
			if s.Text(i) == "type" {
				return s.expression(next + 1)
			}
		}
	case "namespace", "module", "global":
		if j := s.namespace(i); j > 0 {
			return j
		}
	case "const", "let", "var":
		return s.bindings(next)
	case "using":
		if s.IsWord(next) && !s.First(next) && s.IsAssign(next+1) {
			return s.bindings(next)
		}
	case "public", "private", "protected", "readonly", "static", "override", "get", "set":
		s.member(i)
	default:
		s.method(i)
	}
	return s.Skip(i)
}

// decorator returns the token after "@a.b" or "@a.b(...)".
func (s ecma) decorator(i int) int {
	for i++; s.IsWord(i) && s.Is(i+1, '.'); i += 2 {
	}
	if i++; s.Is(i, '(') && s.Touches(i-1) {
		i = s.Past(i)
	}
	return i
}

// typeHead reports whether what follows the name of a type makes it one.
func (s ecma) typeHead(i int, keyword string) bool {
	if keyword == "type" {
		return s.IsAssign(i) || s.Is(i, '<')
	}
	return s.Is(i, '{') || s.Is(i, '<') || s.Word(i) == "extends"
}

// namespace declares the last part of a namespace's name and goes inside. It
// returns 0 if there is none.
func (s ecma) namespace(i int) int {
	next := i + 1
	switch {
	case s.Text(i) == "global":
	case s.IsText(next):
		next++
	case s.IsWord(next) && !s.First(next):
		for s.Is(next+1, '.') && s.IsWord(next+2) {
			next += 2
		}
		if s.Is(next+1, '{') {
			s.declare(next)
		}
		next++
	}
	if s.Is(next, '{') && next > i {
		return next + 1
	}
	return 0
}

// member declares a field or a method with modifiers, as a class body has.
func (s ecma) member(i int) {
	field := false
	for oneOf(s.Word(i), "public", "private", "protected", "readonly", "static", "override", "abstract", "async", "get", "set", "declare") &&
		(s.IsWord(i+1) || s.Is(i+1, '*')) && !s.First(i+1) {
		field = field || !oneOf(s.Text(i), "async", "get", "set", "declare")
		i++
	}
	i = s.pass(i, '*')
	if !s.IsWord(i) || s.Text(i) == "constructor" {
		return
	}
	switch j := i + 1; {
	case !field:
		s.method(i)
	case s.Is(j, '('), s.Is(j, '<'), s.IsAssign(j), s.Is(j, ':'), s.Is(j, ';'), s.Is(j, '?'), s.Is(j, '!'):
		s.declare(i)
	}
}

// method declares "name(...) {", unless it is a statement or a call.
func (s ecma) method(i int) {
	if !s.IsWord(i) || s.Reserved(s.Text(i)) && s.Text(i) != "of" || s.Text(i) == "constructor" {
		return
	}
	j := i + 1
	j = s.PastAngles(j)
	if !s.Is(j, '(') {
		return
	}
	j = s.Past(j)
	if !s.Is(j-1, ')') {
		return
	}
	const longest = 32
	if s.Is(j, ':') { // the type of the result
		for end := j + longest; j < end && !s.First(j) && !s.Is(j, '{') && !s.Is(j, ';'); {
			j = s.Past(j)
		}
	}
	if s.Is(j, '{') {
		s.declare(i)
	}
}
