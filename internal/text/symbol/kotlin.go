package symbol

import "github.com/docent-md/docent/internal/text/symbol/lex"

// Kotlin: functions, properties, classes, objects and type aliases. The name of
// an extension is what stands behind its receiver.

const kotlinKeywords = `abstract actual annotation as break by catch class companion const constructor continue
	crossinline data do else enum expect external false final finally for fun get if import in infix init
	inline inner interface internal is lateinit noinline null object open operator out override package
	private protected public reified return sealed set super suspend tailrec this throw true try typealias
	typeof val var vararg when where while`

type kotlin struct{ *block }

func kotlinLanguage() *language {
	return &language{
		grammar: lex.Grammar{
			Habits:   lex.DigitQuotes | lex.TripleQuotes | lex.RawTriples | lex.DollarBraces,
			Readers:  lex.Readers{'/': lex.NestedComment, '"': lex.String, '\'': lex.Char, '`': lex.QuotedWord},
			Keywords: lex.Reserve(kotlinKeywords),
			Boundary: kotlinBoundary,
		},
		declare: func(b *block) { b.each(kotlin{b}.statement) },
	}
}

func kotlinModifier(name string) bool {
	switch name {
	case "public", "private", "protected", "internal", "abstract", "open", "final", "sealed", "data", "value", "inner",
		"enum", "annotation", "companion", "inline", "noinline", "crossinline", "tailrec", "operator", "infix",
		"external", "suspend", "override", "lateinit", "const", "expect", "actual", "vararg":
		return true
	}
	return false
}

func kotlinBoundary(c *lex.Code, i int) bool {
	for n := 0; n < 6 && kotlinModifier(c.Word(i)) && c.IsWord(i+1); n++ {
		i++
	}
	switch c.Word(i) {
	case "fun":
		return c.IsName(i+1) || c.Is(i+1, '<')
	case "class", "interface", "object", "typealias", "import", "package":
		return c.IsName(i+1) && !c.First(i+1)
	}
	return false
}

func (s kotlin) statement(i int) int {
	for {
		switch {
		case s.Is(i, '@') && s.Is(i+1, '['):
			i = s.Past(i + 1)
		case s.Is(i, '@') && s.IsWord(i+1):
			i = s.annotation(i)
		case s.Word(i) == "context" && s.Is(i+1, '('):
			i = s.Past(i + 1)
		case kotlinModifier(s.Word(i)) && (s.IsWord(i+1) || s.Is(i+1, '@')):
			i++
		default:
			return s.declaration(i)
		}
	}
}

func (s kotlin) declaration(i int) int {
	name := i + 1
	switch s.Word(i) {
	case "fun":
		if s.Word(name) == "interface" {
			name++
		}
		name = s.PastAngles(name)
		if name = s.receiver(name); s.Is(name+1, '(') || s.Is(name+1, '<') || s.Is(name+1, '{') || s.Text(i+1) == "interface" {
			s.declare(name)
		}
	case "val", "var":
		name = s.PastAngles(name)
		if s.Is(name, '(') {
			for j := name; s.Is(j, '(') || s.Is(j, ','); {
				if s.IsName(j + 1) {
					s.declare(j + 1)
				}
				for j++; j < len(s.Toks) && !s.Is(j, ',') && !s.Is(j, ')'); {
					j = s.Past(j)
				}
			}
			return s.Skip(name)
		}
		if name = s.receiver(name); name > 0 {
			s.declare(name)
		}
	case "class", "interface", "object", "typealias":
		if s.IsName(name) && !s.First(name) {
			s.declare(name)
		}
	}
	return s.Skip(i)
}

// receiver returns the last name of "A<B>?.name" from i on, or -1 if there is
// no name: then it is a function without one.
func (s kotlin) receiver(i int) int {
	if s.Is(i, '(') { // a function type
		i = s.Past(i)
		i = s.pass(i, '?')
		if !s.Is(i, '.') {
			return -1
		}
		i++
	}
	for s.IsName(i) {
		j := i + 1
		j = s.PastAngles(j)
		j = s.pass(j, '?')
		if !s.Is(j, '.') || !s.IsName(j+1) {
			return i
		}
		i = j + 1
	}
	return -1
}
