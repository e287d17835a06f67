package symbol

import (
	"strings"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

// PHP: functions, classes and their like, constants, and methods and properties
// that stand alone in a fragment. Namespaces are looked through.

const phpKeywords = `abstract and array as bool break callable case catch class clone const continue declare
	default do echo else elseif empty enum extends false final finally float fn for foreach function global
	goto if implements include include_once instanceof insteadof int interface isset iterable list match
	mixed namespace never new null object or parent php print private protected public readonly require
	require_once return self static string switch this throw trait true try unset use var void while xor
	yield`

type php struct{ *block }

func phpLanguage() *language {
	return &language{
		grammar: lex.Grammar{
			Habits: lex.LongStrings,
			Readers: lex.Readers{
				'/': lex.SlashComment, '#': lex.PHPComment, '"': lex.String, '\'': lex.String,
				'<': lex.PHPHereDoc, '$': lex.PHPVariable, '?': lex.PHPEnd,
			},
			Begin:    lex.PHPBegin,
			Keywords: lex.Reserve(phpKeywords),
			Boundary: phpBoundary,
		},
		declare:     func(b *block) { b.each(php{b}.statement) },
		backslashes: true,
	}
}

func phpBoundary(c *lex.Code, i int) bool {
	for n := 0; n < 3 && oneOf(c.Word(i), "abstract", "final", "readonly"); n++ {
		i++
	}
	switch c.Word(i) {
	case "class", "interface", "trait", "enum", "namespace":
		return c.IsWord(i+1) && !c.First(i+1)
	}
	return false
}

func (s php) statement(i int) int {
	if s.Is(i, '#') && s.Is(i+1, '[') { // an attribute
		return s.Past(i + 1)
	}
	i, member := s.modifiers(i)
	next := i + 1
	switch s.Word(i) {
	case "function":
		next = s.pass(next, '&')
		s.declareWord(next)
	case "class", "interface", "trait", "enum":
		s.class(i)
	case "const":
		return s.constants(next)
	case "define":
		if s.Is(next, '(') && s.IsText(next+1) {
			s.declareQuoted(next + 1)
		}
	case "namespace":
		for ; !s.First(next) && (s.IsWord(next) || s.Is(next, '\\')); next++ {
		}
		if s.Is(next, '{') {
			return next + 1
		}
	default:
		if member {
			s.property(i)
		}
	}
	return s.Skip(i)
}

// class declares the name behind the keyword at i. "enum" may also be a name.
func (s php) class(i int) {
	name, after := i+1, i+2
	if !s.IsWord(name) || s.First(name) {
		return
	}
	if s.Text(i) != "enum" || s.IsAny(after, ":{") || s.Word(after) == "implements" || s.First(after) {
		s.declare(name)
	}
}

// modifiers passes modifiers. member says whether some of them are such that
// only members of a class have.
func (s php) modifiers(i int) (next int, member bool) {
	for oneOf(s.Word(i), "abstract", "final", "readonly", "public", "protected", "private", "static", "var") {
		if s.Is(i+1, '(') { // private(set)
			i = s.Past(i+1) - 1
		}
		member = member || s.Text(i) != "static"
		i++
	}
	return i, member
}

// constants declares the names in the list behind const, and returns the
// token behind it.
func (s php) constants(i int) int {
	for ; i < len(s.Toks) && !s.Is(i, ';') && !(s.First(i) && !s.Continues(i)); i = s.Past(i) {
		if s.IsWord(i) && s.IsAssign(i+1) {
			s.declare(i)
		}
	}
	return i
}

// property declares the variable behind the type at i.
func (s php) property(i int) {
	for (s.IsWord(i) || s.Is(i, '?') || s.Is(i, '|') || s.Is(i, '\\') || s.Is(i, '&')) && !s.First(i+1) {
		i++
	}
	if i < len(s.Toks) && s.Toks[i].Kind == lex.Word && s.Toks[i].Mark == '$' {
		s.declare(i)
	}
}

// declareQuoted records the name in the string that token i is.
func (s php) declareQuoted(i int) {
	name := strings.Trim(s.Text(i), `'"`)
	if name != "" && !lex.IsDigit(name[0]) && lex.WordEnd(name, 0, false) == len(name) {
		s.declared.add(name)
	}
}
