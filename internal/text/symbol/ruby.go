package symbol

import "github.com/docent-md/docent/internal/text/symbol/lex"

// Ruby: methods, classes, modules and constants. As in Python the outermost
// column counts, and the one that the body of a module stands in: a module is
// looked through, a class is not.

const rubyKeywords = `BEGIN END alias and begin break case class def defined? do else elsif end ensure false for
	if in module next nil not or redo rescue retry return self super then true undef unless until when while
	yield`

type ruby struct {
	*block
	base   int32   // the least indent of a line so far
	levels []int32 // the columns of the modules that we are in; -1 if the next line says
}

func rubyLanguage() *language {
	return &language{
		grammar: lex.Grammar{
			Habits: lex.QuerySuffix | lex.LongStrings | lex.HashBraces,
			Readers: lex.Readers{
				'#': lex.LineComment, '"': lex.String, '\'': lex.String, '/': lex.Regex, '<': lex.HereDoc,
				'@': lex.Sigil, '%': lex.PercentLiteral,
			},
			SkipLine: lex.BeginEnd,
			Sessions: []lex.Session{lex.RubySession()},
			Keywords: lex.Reserve(rubyKeywords),
		},
		declare: func(b *block) { b.each((&ruby{block: b}).line) },
	}
}

func (s *ruby) line(i int) int {
	if t := s.Toks[i]; t.First && !s.level(i, int32(t.Indent)) {
		return s.NextLine(i)
	}
	next := i + 1
	switch s.Word(i) {
	case "class", "module":
		for s.IsWord(next) && s.IsPair(next+1, ':', ':') && s.IsWord(next+3) {
			next += 3
		}
		if !s.IsWord(next) || s.First(next) {
			break
		}
		s.declare(next)
		if s.Text(i) == "module" && s.First(next+1) {
			s.levels = append(s.levels, -1) // the next line says which column
		}
	case "def":
		s.method(next)
	case "":
	default:
		// private def name
		if s.Word(next) == "def" && !s.First(next) {
			return next
		}
		if c := s.Text(i)[0]; 'A' <= c && c <= 'Z' && s.IsAssign(next) {
			s.declare(i)
		}
	}
	return s.NextLine(i)
}

// level reports whether a line with that indent is one that counts.
func (s *ruby) level(i int, indent int32) bool {
	if i == 0 || indent < s.base {
		s.base = indent
	}
	n := len(s.levels)
	if n > 0 && s.levels[n-1] == -1 {
		if indent > s.base && (n == 1 || indent > s.levels[n-2]) {
			s.levels[n-1] = indent
			return true
		}
		n--
	}
	for n > 0 && s.levels[n-1] > indent {
		n--
	}
	s.levels = s.levels[:n]
	return indent == s.base || n > 0 && s.levels[n-1] == indent
}

// method declares the method whose name begins at i: "name", "self.name",
// "name=".
func (s *ruby) method(i int) {
	if s.IsWord(i) && s.Is(i+1, '.') {
		i += 2
	}
	if !s.IsWord(i) {
		return
	}
	if s.Is(i+1, '=') && s.Touches(i) && (s.Is(i+2, '(') && s.Touches(i+1) || s.IsWord(i+2)) {
		s.declared.add(s.Src[s.Toks[i].Start:s.Toks[i+1].End])
		return
	}
	s.declare(i)
}
