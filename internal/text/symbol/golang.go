package symbol

import "github.com/docent-md/docent/internal/text/symbol/lex"

// Go: functions, methods, types, constants and variables. Short variable
// declarations are local by the language.

const goKeywords = `break case chan const continue default defer else fallthrough for func go goto if import
	interface map package range return select struct switch type var nil true false iota`

type golang struct{ *block }

func goLanguage() *language {
	return &language{
		grammar: lex.Grammar{
			Habits:   lex.DigitQuotes,
			Readers:  lex.Readers{'/': lex.SlashComment, '"': lex.String, '\'': lex.Char, '`': lex.RawString},
			Keywords: lex.Reserve(goKeywords),
			Boundary: goBoundary,
		},
		declare: func(b *block) { b.each(golang{b}.statement) },
	}
}

func goBoundary(c *lex.Code, i int) bool {
	return oneOf(c.Word(i), "func", "type", "import", "package") && (c.IsWord(i+1) || c.Is(i+1, '('))
}

func (s golang) statement(i int) int {
	switch s.Word(i) {
	case "func":
		if i++; s.Is(i, '(') { // a receiver
			i = s.Past(i)
		}
		s.declareWord(i)
	case "type", "var", "const":
		list := s.Text(i) != "type"
		if !s.Is(i+1, '(') {
			s.spec(i+1, list)
			break
		}
		for j, end := i+2, s.Past(i+1); j < end; {
			if j == i+2 || s.Is(j-1, ';') || s.First(j) && !s.Continues(j) {
				s.spec(j, list)
			}
			j = s.Past(j)
		}
		return s.Past(i + 1)
	}
	return s.Skip(i)
}

// spec declares the name at i, and where a list is allowed those after it.
func (s golang) spec(i int, list bool) {
	for s.IsWord(i) && !(s.First(i+1) && !list) {
		s.declare(i)
		if !list || !s.Is(i+1, ',') {
			return
		}
		i += 2
	}
}
