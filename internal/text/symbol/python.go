package symbol

import (
	"strings"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

// Python: functions, classes and their methods, type aliases, and names that are
// assigned to. Lines in the outermost column count; a block that is indented as a whole has
// its own outermost column, which is the least indent met so far.

const pythonKeywords = `False None True and as assert async await break class continue def del elif else
	except finally for from global if import in is lambda nonlocal not or pass raise return self cls
	try while with yield`

type python struct {
	*block
	base uint16 // the least indent of a line so far

	inClass bool   // the lines before begin a class in the outermost column
	body    uint16 // the indent of its body; 0 until a line of it was met
}

func pythonLanguage() *language {
	return &language{
		grammar: lex.Grammar{
			Habits:   lex.TripleQuotes,
			Readers:  lex.Readers{'#': lex.LineComment, '"': lex.String, '\'': lex.String},
			Prefixed: lex.PythonPrefixed,
			Sessions: []lex.Session{lex.PythonSession(), lex.IPythonSession()},
			Keywords: lex.Reserve(pythonKeywords),
			Boundary: pythonBoundary,
		},
		declare: func(b *block) { b.each((&python{block: b}).line) },
	}
}

func pythonBoundary(c *lex.Code, i int) bool {
	switch c.Word(i) {
	case "def", "class", "async", "import":
		return c.IsWord(i + 1)
	case "from":
		return c.Word(i+2) == "import" || c.Is(i+2, '.')
	}
	return c.Is(i, '@') && c.IsWord(i+1)
}

func (s *python) line(i int) int {
	if t := s.Toks[i]; t.First {
		if i == 0 || t.Indent < s.base {
			s.base = t.Indent
		}
		if t.Indent > s.base {
			s.method(i)
			return s.NextLine(i)
		}
		s.inClass = false
	}
	next := i + 1
	switch s.Word(i) {
	case "async":
		return next
	case "def", "class":
		s.declareWord(next)
		s.inClass, s.body = s.Word(i) == "class", 0
		return s.NextLine(i)
	case "type":
		if s.IsWord(next) && !s.First(next) && (s.IsAssign(next+1) || s.Is(next+1, '[')) {
			s.declare(next)
			return s.NextLine(i)
		}
	case "if", "elif", "else", "for", "while", "with", "try", "except", "finally":
		return s.NextLine(i)
	}
	end := s.Past(i)
	for end < len(s.Toks) && !s.Toks[end].First && !s.Is(end, ';') {
		end = s.Past(end)
	}
	s.assignment(i, end)
	end = s.pass(end, ';')
	return end
}

// method declares the method that begins at the line of token i, if it is one of the class
// that the lines before belong to. Names that every class has, __init__ and the like, tell
// nothing.
func (s *python) method(i int) {
	if !s.inClass {
		return
	}
	indent := s.Toks[i].Indent
	if s.body == 0 {
		s.body = indent
	}
	if s.Word(i) == "async" {
		i++
	}
	if indent == s.body && s.Word(i) == "def" && s.IsWord(i+1) && !strings.HasPrefix(s.Word(i+1), "__") {
		s.declare(i + 1)
	}
}

// assignment declares the plain names that the statement from i to end assigns
// to.
func (s *python) assignment(i, end int) {
	if s.Is(end-1, ',') { // an argument, left over from a call
		return
	}
	if s.IsWord(i) && s.Is(i+1, ':') && i+2 < end {
		for j := i + 2; j < end; j = s.Past(j) {
			if s.IsAssign(j) {
				s.declare(i)
				return
			}
		}
		if s.isType(i+2, end) {
			s.declare(i)
		}
		return
	}
	for j := i; j < end; j = s.Past(j) {
		if s.IsAssign(j) {
			s.targets(i, j)
			i = j + 1
		}
	}
}

// isType reports whether tokens i to end look like a type. "Name: value" is more
// often output than an annotation, so the name must be in lower case and the
// type a known one or capitalised.
func (s *python) isType(i, end int) bool {
	name, typ := s.Text(i-2), s.Word(i)
	if c := name[0]; 'A' <= c && c <= 'Z' {
		return false
	}
	switch typ {
	case "":
		return false
	case "int", "str", "float", "bool", "bytes", "list", "dict", "set", "tuple", "object":
	default:
		if c := typ[0]; c < 'A' || 'Z' < c {
			return false
		}
	}
	return end == i+1 || s.Is(i+1, '[') || s.Is(i+1, '|') || s.Is(i+1, '.')
}

// targets declares the names in the list from i to end, if it is one of plain
// names: "a, (b, *c)".
func (s *python) targets(i, end int) {
	begin := true // a target may begin here
	for j := i; j < end; j++ {
		t := s.Toks[j]
		switch {
		case t.Kind == lex.Word && begin && !s.Reserved(s.Text(j)):
			begin = false
		case t.Kind == lex.Mark && strings.IndexByte("(,[*", t.Mark) >= 0 && (begin || t.Mark == ','):
			begin = true
		case t.Kind == lex.Mark && (t.Mark == ')' || t.Mark == ']'):
			begin = false
		default:
			return
		}
	}
	for j := i; j < end; j++ {
		s.declareWord(j)
	}
}
