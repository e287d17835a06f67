package symbol

import "github.com/docent-md/docent/internal/text/symbol/lex"

// C and C++. There is no keyword before a function or a variable, so a
// declaration is known by its shape: words for the type, marks of a pointer, a
// name, and then what may follow one.
//
//	type name ;  = , [ {          a variable, or several
//	type name ( ... )             a function, or a variable with arguments
//	type ( * name ) ( ... )       a pointer to a function
//	A :: name ( ... ) {           a constructor
//
// Whatever else comes makes it an expression, and nothing is declared. The
// parts of a qualified name count as one word; so do template arguments.

const cKeywords = `alignas alignof auto bool break case char const constexpr continue default do double else enum
	extern false float for goto if inline int long nullptr register restrict return short signed sizeof
	static struct switch true typedef typeof union unsigned void volatile while _Alignas _Alignof _Atomic
	_Bool _Noreturn _Static_assert _Thread_local static_assert thread_local`

const cppKeywords = cKeywords + ` asm catch char8_t char16_t char32_t class co_await co_return co_yield concept
	consteval constinit const_cast decltype delete dynamic_cast explicit export final friend import module
	mutable namespace new noexcept operator override private protected public reinterpret_cast requires
	static_cast template this throw try typeid typename using virtual wchar_t`

type clike struct{ *block }

func cLanguage(keywords string) *language {
	return &language{
		grammar: lex.Grammar{
			Habits:   lex.DigitQuotes,
			Readers:  lex.Readers{'/': lex.SlashComment, '"': lex.String, '\'': lex.Char, '#': lex.Directive},
			Prefixed: lex.CPrefixed,
			Keywords: lex.Reserve(keywords),
			Boundary: cBoundary,
		},
		declare: func(b *block) { b.each(clike{b}.declaration) },
	}
}

func cBoundary(c *lex.Code, i int) bool {
	switch c.Word(i) {
	case "namespace", "template", "typedef":
		return true
	case "class", "struct":
		return c.IsWord(i+1) && (c.Is(i+2, '{') || c.Is(i+2, ':'))
	}
	// A definition from outside of its class cannot be inside of one.
	for n := 0; n < 8 && (c.IsWord(i) && !cSkipped(c.Text(i)) || c.Is(i, '*') || c.Is(i, '&')); n++ {
		if n > 0 && c.IsWord(i) && c.IsPair(i+1, ':', ':') && c.IsWord(i+3) && c.Is(i+4, '(') {
			return true
		}
		i++
	}
	return false
}

// cSkipped reports whether a word begins no declaration.
func cSkipped(name string) bool {
	switch name {
	case "return", "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "goto",
		"throw", "delete", "new", "try", "catch", "sizeof", "asm", "__asm", "__asm__", "co_return", "co_await",
		"co_yield", "this", "import", "module", "static_assert", "_Static_assert", "foreach", "friend", "__try",
		"__except", "__finally", "__leave", "nullptr", "true", "false", "static_cast", "using", "operator":
		return true
	}
	return false
}

// qualifier reports whether a word adds nothing to a type that a name could
// stand behind: "static x" declares no x here.
func qualifier(name string) bool {
	switch name {
	case "const", "volatile", "static", "extern", "inline", "register", "restrict", "constexpr", "consteval",
		"constinit", "virtual", "explicit", "mutable", "typename", "thread_local", "_Thread_local", "_Noreturn",
		"__inline", "__forceinline", "__restrict", "__extension__", "typedef", "export":
		return true
	}
	return false
}

// argued reports whether a word takes an argument and is no part of the name.
func argued(name string) bool {
	return oneOf(name, "__attribute__", "__declspec", "alignas", "_Alignas", "noexcept", "throw", "explicit",
		"_Success_", "_When_")
}

// typeWord reports whether a word is a type and can be no name.
func typeWord(name string) bool {
	switch name {
	case "int", "char", "short", "long", "float", "double", "signed", "unsigned", "void", "bool", "auto", "wchar_t",
		"_Bool", "struct", "class", "enum", "union":
		return true
	}
	return false
}

func (s clike) declaration(i int) int {
	switch t := s.Toks[i]; t.Kind {
	case lex.Macro:
		s.declare(i)
		return i + 1
	case lex.Mark:
		if s.IsPair(i, ':', ':') {
			return s.declarators(i)
		}
		return s.Past(i) // an attribute, a cast, the mark of a diff
	case lex.Word:
		return s.statement(i)
	}
	return s.skip(i)
}

// statement reads a statement that begins with a word.
func (s clike) statement(i int) int {
	next := i + 1
	switch name := s.Word(i); name {
	case "template":
		return s.template(next)
	case "generic":
		if s.Is(next, '<') {
			return s.template(next)
		}
	case "extern":
		if s.IsText(next) {
			if s.Is(next+1, '{') {
				next++
			}
			return next + 1
		}
	case "inline":
		if s.Word(next) == "namespace" {
			return next
		}
	case "export":
		if s.IsWord(next) && !oneOf(s.Text(next), "module", "import") {
			return next
		}
		return s.skip(i)
	case "namespace":
		return s.namespace(next)
	case "explicit":
		if s.IsWord(next) && s.Is(next+1, '(') { // a constructor
			s.declare(next)
			return s.skip(next)
		}
	case "where": // the constraint of a generic class, a line
		return s.Skip(i)
	case "using":
		if s.IsWord(next) && s.IsAssign(next+1) {
			s.declare(next)
		}
		return s.skip(i)
	case "concept":
		s.declare(next)
		return s.skip(i)
	case "public", "private", "protected", "signals", "slots", "ref", "value", "interface":
		if j := s.access(i); j > i {
			return j
		}
	default:
		if cSkipped(name) {
			return s.skip(i)
		}
	}
	return s.declarators(i)
}

// access returns the token behind "public:" and the like, or before the type
// that such a word belongs to in C++/CLI ("public ref class"), or i.
func (s clike) access(i int) int {
	next := i + 1
	class := oneOf(s.Word(next), "class", "struct", "enum", "ref", "value", "interface")
	switch s.Text(i) {
	case "public", "private", "protected", "signals", "slots":
		if s.Is(next, ':') || s.IsWord(next) && !class && s.Text(next) != "delegate" {
			return next + 1
		}
	}
	if class && !oneOf(s.Text(i), "protected", "signals", "slots") {
		return next
	}
	return i
}

// template passes the parameters of a template and its constraint.
func (s clike) template(i int) int {
	if !s.Is(i, '<') {
		return i
	}
	if j := s.PastAngles(i); j > i {
		return s.requires(j)
	}
	return s.skip(i) // a list without an end: nothing behind it can be trusted
}

// requires passes a constraint that begins at i, if there is one.
func (s clike) requires(i int) int {
	if s.Word(i) != "requires" {
		return i
	}
	for i++; ; {
		if s.Is(i, '(') {
			i = s.Past(i)
		} else {
			for s.IsWord(i) && s.IsPair(i+1, ':', ':') {
				i += 3
			}
			if i++; s.Is(i, '<') {
				i = max(s.PastAngles(i), i+1)
			}
		}
		if !s.IsPair(i, '&', '&') && !s.IsPair(i, '|', '|') {
			return i
		}
		i += 2
	}
}

// namespace declares the namespace whose name begins at i and goes inside.
func (s clike) namespace(i int) int {
	name := -1
	for ; s.IsWord(i) || s.Is(i, ':') || s.Is(i, '['); i = s.Past(i) {
		if s.IsWord(i) {
			name = i
		}
	}
	if name >= 0 && (s.Is(i, '{') || s.IsAssign(i)) {
		s.declare(name)
	}
	if s.Is(i, '{') {
		return i + 1
	}
	return s.skip(i)
}

// skip returns the first token behind the statement that i is in: behind ";"
// or a body, at a directive, or at a line that cannot be a part of it.
func (s clike) skip(i int) int {
	for i < len(s.Toks) {
		t := s.Toks[i]
		if t.Kind == lex.Macro || t.Kind == lex.Branch {
			return i + 1
		}
		if t.Kind == lex.Mark && (t.Mark == ';' || t.Mark == '}') {
			return i + 1
		}
		j := s.Past(i)
		if t.Kind == lex.Mark && t.Mark == '{' && !s.Is(j, ',') && !s.Is(j, '{') && !s.Is(j, '.') && !s.Is(j, ')') {
			return j
		}
		if j < len(s.Toks) && s.Toks[j].Kind == lex.Macro {
			return j
		}
		i = j
	}
	return i
}
