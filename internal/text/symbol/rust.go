package symbol

import "github.com/docent-md/docent/internal/text/symbol/lex"

// Rust: items. Modules, impl and extern blocks are looked through, traits are
// not.

const rustKeywords = `as async await bool break char const continue crate dyn else enum extern f32 f64 false fn
	for i128 i16 i32 i64 i8 if impl in isize let loop match mod move mut pub ref return self Self static str
	struct super trait true type u128 u16 u32 u64 u8 union unsafe use usize where while`

type rust struct{ *block }

func rustLanguage() *language {
	return &language{
		grammar: lex.Grammar{
			Habits:   lex.DigitQuotes | lex.LongStrings,
			Readers:  lex.Readers{'/': lex.NestedComment, '"': lex.String, '\'': lex.CharOrLifetime},
			Prefixed: lex.RustPrefixed,
			SkipLine: lex.HiddenLine,
			Keywords: lex.Reserve(rustKeywords),
			Boundary: rustBoundary,
		},
		declare: func(b *block) { b.each(rust{b}.item) },
	}
}

func rustBoundary(c *lex.Code, i int) bool {
	switch c.Word(i) {
	case "fn", "struct", "enum", "trait", "mod", "type", "static":
		return c.IsWord(i + 1)
	case "impl", "pub", "use", "extern", "unsafe", "async":
		return c.IsWord(i+1) || c.Is(i+1, '<') || c.Is(i+1, '(')
	}
	return false
}

func (s rust) item(i int) int {
	if s.Is(i, '#') { // an attribute
		if s.Is(i+1, '!') {
			i++
		}
		if s.Is(i+1, '[') {
			return s.Past(i + 1)
		}
		return i + 1
	}
	for {
		switch s.Word(i) {
		case "pub":
			if i++; s.Is(i, '(') {
				i = s.Past(i)
			}
			continue
		case "default", "unsafe", "async", "safe":
			if s.IsWord(i + 1) {
				i++
				continue
			}
		case "extern":
			if i++; s.IsText(i) {
				i++
			}
			if s.Is(i, '{') {
				return i + 1
			}
			if s.Word(i) != "crate" {
				continue
			}
		case "const", "static":
			if oneOf(s.Word(i+1), "fn", "unsafe", "async", "extern") {
				i++
				continue
			}
		}
		return s.declaration(i)
	}
}

// declaration reads an item from its keyword on, behind all modifiers.
func (s rust) declaration(i int) int {
	next := i + 1
	switch s.Word(i) {
	case "const", "static":
		if s.Word(next) == "mut" {
			next++
		}
		if s.IsWord(next) && s.Is(next+1, ':') {
			s.declare(next)
		}
		return s.Skip(next)
	case "fn", "struct", "enum", "trait", "type", "union":
		if s.IsWord(next) && (s.Text(i) != "union" || s.IsAny(next+1, "{<")) {
			s.declare(next)
		}
		return s.Skip(next)
	case "mod":
		if s.IsWord(next) {
			s.declare(next)
			if s.Is(next+1, '{') {
				return next + 2
			}
		}
		return s.Skip(next)
	case "impl":
		return s.inside(next, rustBoundary)
	case "macro_rules":
		if s.Is(next, '!') && s.IsWord(next+1) {
			s.declare(next + 1)
			return s.Past(next + 2)
		}
	}
	return s.Skip(i)
}
