package symbol

import "github.com/docent-md/docent/internal/text/symbol/lex"

// Java and C#: types, and members that stand alone in a fragment. A method is
// known by "type name(...)", a field or property by its modifiers: without any
// it is a local variable. Namespaces are looked through; like packages, they
// are not declared.

const javaKeywords = `abstract assert boolean break byte case catch char class const continue default do double
	else enum extends final finally float for if implements import instanceof int interface long native new
	null package permits private protected public record return sealed short static strictfp super switch
	synchronized this throw throws transient true false try var void volatile while yield`

const csharpKeywords = `abstract as async await base bool break byte case catch char checked class const continue
	decimal default delegate do double dynamic else enum event explicit extern false finally fixed float for
	foreach get global goto if implicit in init int interface internal is lock long namespace new null object
	operator out override params partial private protected public readonly record ref required return sbyte
	sealed set short sizeof stackalloc static string struct switch this throw true try typeof uint ulong
	unchecked unsafe ushort using value var virtual void volatile when where while with yield`

type java struct {
	*block
	sharp  bool // it is C#
	inside int  // before this token, members are those of a type
}

func javaLanguage() *language {
	return &language{
		grammar: lex.Grammar{
			Habits:   lex.DigitQuotes | lex.TripleQuotes,
			Readers:  lex.Readers{'/': lex.SlashComment, '"': lex.String, '\'': lex.Char},
			Keywords: lex.Reserve(javaKeywords),
			Boundary: javaBoundary,
		},
		declare: func(b *block) { b.each((&java{block: b}).member) },
	}
}

func csharpLanguage() *language {
	return &language{
		grammar: lex.Grammar{
			Habits: lex.DigitQuotes | lex.TripleQuotes,
			Readers: lex.Readers{
				'/': lex.SlashComment, '"': lex.String, '\'': lex.Char, '#': lex.Directive,
				'@': lex.VerbatimString, '$': lex.VerbatimString,
			},
			Keywords: lex.Reserve(csharpKeywords),
			Boundary: javaBoundary,
		},
		declare: func(b *block) { b.each((&java{block: b, sharp: true}).member) },
	}
}

func isModifier(name string) bool {
	switch name {
	case "public", "private", "protected", "internal", "static", "final", "abstract", "sealed", "native", "strictfp",
		"synchronized", "transient", "volatile", "default", "readonly", "const", "virtual", "override", "async",
		"partial", "extern", "unsafe", "new", "required", "event", "ref", "file", "implicit", "explicit", "fixed":
		return true
	}
	return false
}

// access reports whether a modifier makes a variable a field: "final" alone
// does not.
func access(name string) bool {
	return oneOf(name, "public", "private", "protected", "internal", "static", "transient", "volatile", "readonly",
		"const", "event")
}

func javaBoundary(c *lex.Code, i int) bool {
	for n := 0; n < 6 && isModifier(c.Word(i)) && c.IsWord(i+1); n++ {
		i++
	}
	switch c.Word(i) {
	case "class", "interface", "enum", "struct":
		return c.IsWord(i+1) && !c.First(i+1)
	case "namespace", "package":
		return c.IsWord(i + 1)
	case "import":
		return c.IsWord(i+1) && (c.Is(i+2, '.') || c.IsWord(i+2))
	}
	return false
}

func (s *java) member(i int) int {
	i, field, modified := s.modifiers(i)
	switch keyword := s.Word(i); {
	case oneOf(keyword, "class", "interface", "enum", "struct"):
		if !s.IsWord(i + 1) {
			return s.Skip(i)
		}
		if i < s.inside {
			return s.body(i + 1)
		}
		s.declare(i + 1)
		return s.typeBody(i+1, keyword)
	case keyword == "record":
		name := i + 1
		if oneOf(s.Word(name), "struct", "class") {
			name++
		}
		if s.IsWord(name) && s.IsAny(name+1, "(<{;:") {
			s.declare(name)
			return s.typeBody(name, keyword)
		}
	case keyword == "namespace" && s.sharp:
		for i++; s.IsWord(i) || s.Is(i, '.'); i++ {
		}
		return i + 1
	case keyword == "delegate":
		i++
	case javaStatement(keyword), !s.sharp && oneOf(keyword, "module", "open"), keyword == "" && !s.Is(i, '<'):
		return s.Skip(i)
	}
	return s.name(i, field && i >= s.inside, modified)
}

// typeBody goes from the head of a type to its members, if it is a class, an interface or
// a record of Java, and past its body else.
func (s *java) typeBody(i int, keyword string) int {
	at, ok := s.head(i, javaBoundary)
	if ok && !s.sharp && keyword != "enum" {
		s.inside = max(s.inside, s.Past(at))
		return at + 1
	}
	if ok {
		return s.Past(at)
	}
	return at
}

// javaStatement reports whether a word begins no declaration, or one of which
// nothing counts.
func javaStatement(name string) bool {
	switch name {
	case "package", "import", "using", "return", "throw", "new", "if", "else", "for", "foreach", "while", "do",
		"switch", "case", "try", "catch", "finally", "await", "yield", "break", "continue", "assert", "this",
		"super", "base", "lock", "goto", "global", "default", "when", "where", "extends", "implements", "permits",
		"throws", "get", "set", "var":
		return true
	}
	return false
}

// modifiers passes modifiers, annotations and, in C#, attributes. field says
// whether some of them are such that only members have.
func (s *java) modifiers(i int) (next int, field, modified bool) {
	for {
		name := s.Word(i)
		switch {
		case s.Is(i, '@') && s.Word(i+1) == "interface":
			i++
		case s.Is(i, '@'):
			i = s.annotation(i)
			field = true
		case s.Is(i, '[') && s.sharp:
			i = s.Past(i)
		case name == "non" && s.Is(i+1, '-'): // non-sealed
			i += 3
		case isModifier(name) && (name != "new" || modified) && (s.IsWord(i+1) || s.IsAny(i+1, "<(@")):
			field = field || access(name)
			modified = true
			i++
		default:
			return i, field, modified
		}
	}
}

// body goes from the head of a type past its body. Heads may run over
// lines.
func (s *java) body(i int) int {
	i, ok := s.head(i, javaBoundary)
	if ok {
		i = s.Past(i)
	}
	return i
}

// name reads "type name" from i on and declares the name if it is that of a
// method, or of a field or property where field says so.
func (s *java) name(i int, field, modified bool) int {
	i = s.PastAngles(i)
	if modified && s.IsWord(i) && s.Is(i+1, '(') { // a constructor
		if j := s.Past(i + 1); s.IsAny(j, "{:") || s.Word(j) == "throws" || s.First(j) {
			s.declare(i)
			return s.body(j)
		}
	}
	name := s.typeEnd(i)
	if !s.IsWord(name) || s.First(name) && !modified {
		return s.Skip(i)
	}
	j := name + 1
	j = s.PastAngles(j)
	switch {
	case s.Is(j, '('):
		after := s.Past(j)
		if s.IsAny(after, "{;") || s.IsPair(after, '=', '>') || oneOf(s.Word(after), "throws", "where") || modified && s.First(after) {
			s.declare(name)
			return s.body(after)
		}
	case !field:
	case s.IsAssign(j) || s.IsAny(j, ";,"):
		s.declare(name)
		return s.fields(j)
	case s.Is(j, '{'): // a property
		s.declare(name)
		if j = s.Past(j); !s.IsAssign(j) {
			return j
		}
	case s.IsPair(j, '=', '>'):
		s.declare(name)
	}
	return s.Skip(j)
}

// typeEnd returns the token behind the type that begins at i, or -1.
func (s *java) typeEnd(i int) int {
	if s.Is(i, '(') { // a tuple
		i = s.Past(i)
	} else {
		for s.IsWord(i) && (s.Is(i+1, '.') || s.IsPair(i+1, ':', ':')) && s.IsWord(i+2) {
			i += 2
		}
		if !s.IsWord(i) {
			return -1
		}
		i++
	}
	i = s.PastAngles(i)
	for s.IsAny(i, "[?*") || s.Is(i, '.') && s.Is(i+1, '.') && s.Is(i+2, '.') {
		i = s.Past(i)
	}
	return i
}

// fields declares the fields behind commas, from behind the first name at i
// on, and returns the token that ends the statement.
func (s *java) fields(i int) int {
	for !s.Is(i, ';') && i < len(s.Toks) && !(s.First(i) && !s.Continues(i)) {
		if s.Is(i, ',') && s.IsWord(i+1) && (s.IsAssign(i+2) || s.IsAny(i+2, ",;")) {
			s.declare(i + 1)
		}
		i = s.Past(i)
	}
	return i
}
