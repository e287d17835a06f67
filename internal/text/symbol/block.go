package symbol

import (
	"slices"

	"github.com/docent-md/docent/internal/text/symbol/lex"
)

// A language is how code is cut, and the rules that find what it declares.
type language struct {
	grammar     lex.Grammar
	declare     func(b *block)
	backslashes bool // they join the parts of a name
}

// A block is one block of code and the names that it declares. The type of each
// language embeds it and adds the rules.
type block struct {
	lex.Code
	declared nameSet
}

// each calls statement with the first token of every statement. It returns that
// of the next.
func (b *block) each(statement func(i int) int) {
	for i := 0; i < len(b.Toks); {
		i = max(i+1, statement(i))
	}
}

// declare records the name that token i spells.
func (b *block) declare(i int) {
	if name := b.Text(i); name != "_" && name != "" {
		b.declared.add(name)
	}
}

// declareWord records the name that token i spells if it is a word.
func (b *block) declareWord(i int) {
	if b.IsWord(i) {
		b.declare(i)
	}
}

// pass returns the token behind a mark at i, or i if there is none.
func (b *block) pass(i int, mark byte) int {
	if b.Is(i, mark) {
		i++
	}
	return i
}

// head returns the "{" that ends the head of a declaration from token i on, and
// true. Heads may run over lines. Without one it returns the ";" or the token that
// begins another declaration, and false.
func (b *block) head(i int, boundary func(*lex.Code, int) bool) (next int, ok bool) {
	for ; i < len(b.Toks) && !b.Is(i, ';') && !(b.First(i) && boundary(&b.Code, i)); i = b.Past(i) {
		if b.Is(i, '{') {
			return i, true
		}
	}
	return i, false
}

// inside returns the first token of the body behind the head at i, if there is one.
func (b *block) inside(i int, boundary func(*lex.Code, int) bool) int {
	i, ok := b.head(i, boundary)
	if ok {
		i++
	}
	return i
}

// annotation returns the token after "@name" or "@name(...)".
func (b *block) annotation(i int) int {
	for i += 2; (b.Is(i, '.') || b.Is(i, ':')) && b.IsWord(i+1); i += 2 {
	}
	if b.Is(i, '(') {
		i = b.Past(i)
	}
	return i
}

// oneOf reports whether name is among words.
func oneOf(name string, words ...string) bool { return slices.Contains(words, name) }
