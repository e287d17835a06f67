package symbol

import "github.com/docent-md/docent/internal/text/symbol/lex"

// Swift: functions, types, properties. Extensions are looked through; like the
// impl blocks of Rust they only add names to a type.

const swiftKeywords = `actor any as associatedtype async await break case catch class continue convenience
	default defer deinit do dynamic else enum extension fallthrough false fileprivate final for func get
	guard if import in indirect infix init inout internal is isolated lazy let mutating nil nonisolated
	nonmutating open operator optional override postfix precedencegroup prefix private protocol public
	repeat required rethrows return self Self set some static struct subscript super switch throw throws
	true try typealias unowned var weak where while`

type swift struct{ binder }

func swiftLanguage() *language {
	return &language{
		grammar: lex.Grammar{
			Habits: lex.TripleQuotes | lex.SlashParens,
			Readers: lex.Readers{
				'/': lex.NestedComment, '"': lex.String, '\'': lex.String, '`': lex.QuotedWord,
				'#': lex.DirectiveOrString,
			},
			Keywords: lex.Reserve(swiftKeywords),
			Boundary: swiftBoundary,
		},
		declare: func(b *block) { b.each(swift{binder{b}}.statement) },
	}
}

func swiftModifier(name string) bool {
	switch name {
	case "public", "private", "fileprivate", "internal", "open", "package", "static", "final", "override", "mutating",
		"nonmutating", "lazy", "weak", "unowned", "indirect", "convenience", "required", "dynamic", "optional",
		"prefix", "postfix", "infix", "isolated", "nonisolated", "async", "distributed", "consuming", "borrowing":
		return true
	}
	return false
}

func swiftBoundary(c *lex.Code, i int) bool {
	for n := 0; n < 6 && swiftModifier(c.Word(i)) && c.IsWord(i+1); n++ {
		i++
	}
	switch c.Word(i) {
	case "func", "class", "struct", "enum", "protocol", "extension", "import", "actor", "typealias":
		return c.IsName(i+1) && !c.First(i+1)
	}
	return false
}

func (s swift) statement(i int) int {
	for {
		next := i + 1
		name := s.Word(i)
		switch {
		case s.Is(i, '@') && s.IsWord(next):
			i = s.attribute(i)
			continue
		case swiftModifier(name) && s.Is(next, '(') && s.IsWord(s.Past(next)): // private(set)
			i = s.Past(next)
			continue
		case swiftModifier(name) && (s.IsWord(next) || s.Is(next, '@')),
			name == "class" && oneOf(s.Word(next), "func", "var", "let", "subscript"):
			i++
			continue
		}
		switch name {
		case "func", "class", "struct", "enum", "protocol", "actor", "typealias", "macro":
			if s.IsName(next) && !s.First(next) {
				s.declare(next)
			}
		case "extension":
			return s.inside(next, swiftBoundary)
		case "let", "var":
			return s.bindings(next)
		}
		return s.Skip(i)
	}
}

// attribute returns the token after "@name" or "@name(...)". Arguments
// touch the name, unlike a tuple behind it.
func (s swift) attribute(i int) int {
	for i++; s.Is(i+1, '.') && s.IsWord(i+2); i += 2 {
	}
	if s.Touches(i) && s.Is(i+1, '(') {
		return s.Past(i + 1)
	}
	return i + 1
}

// bindings declares what stands behind let and var.
func (s swift) bindings(i int) int {
	for i < len(s.Toks) {
		switch {
		case s.IsName(i):
			s.declare(i)
			i++
		case s.Is(i, '('):
			for j, end := i, s.Past(i); j < end; j++ {
				if (s.Is(j, '(') || s.Is(j, ',')) && s.IsName(j+1) {
					s.declare(j + 1)
				}
			}
			i = s.Past(i)
		default:
			return s.Skip(i)
		}
		more := false
		if i, more = s.value(i); !more {
			return i
		}
	}
	return i
}
