package lex

import "strings"

// Code is a block of code cut into tokens. Tokens are read by number, and every
// method is total: beyond the end there is nothing, and nothing is equal to it.
type Code struct {
	Src  string
	Toks []Token

	margin   uint16 // the least indent of a line
	keywords *Keywords
	boundary Boundary
}

// A Boundary reports whether token i begins what only stands at the top of a
// file.
type Boundary func(c *Code, i int) bool

// Is reports whether token i is the mark m.
func (c *Code) Is(i int, m byte) bool {
	return uint(i) < uint(len(c.Toks)) && c.Toks[i].Kind == Mark && c.Toks[i].Mark == m
}

// IsAny reports whether token i is one of the marks.
func (c *Code) IsAny(i int, marks string) bool {
	return uint(i) < uint(len(c.Toks)) && c.Toks[i].Kind == Mark && strings.IndexByte(marks, c.Toks[i].Mark) >= 0
}

// IsWord reports whether token i is a plain word: no quoted identifier, no
// variable with a sigil, nothing in a tag.
func (c *Code) IsWord(i int) bool {
	return uint(i) < uint(len(c.Toks)) && c.Toks[i].Kind == Word && c.Toks[i].Mark == 0 && !c.Toks[i].Quiet
}

// IsName reports whether token i is a word, quoted or not.
func (c *Code) IsName(i int) bool {
	return uint(i) < uint(len(c.Toks)) && c.Toks[i].Kind == Word && c.Toks[i].Mark != '$' && !c.Toks[i].Quiet
}

// Word returns the spelling of token i if it is a plain word, else "".
func (c *Code) Word(i int) string {
	if c.IsWord(i) {
		return c.Text(i)
	}
	return ""
}

// First reports whether token i begins a line. The end of the code does.
func (c *Code) First(i int) bool {
	return i >= len(c.Toks) || c.Toks[i].First
}

// Touches reports whether no blank is between token i and the next.
func (c *Code) Touches(i int) bool {
	return i+1 < len(c.Toks) && c.Toks[i].End == c.Toks[i+1].Start
}

// IsPair reports whether tokens i and i+1 are the two marks of an operator.
func (c *Code) IsPair(i int, a, b byte) bool {
	return c.Is(i, a) && c.Is(i+1, b) && c.Touches(i)
}

// IsAssign reports whether token i is a "=" that is no part of another operator.
func (c *Code) IsAssign(i int) bool {
	if !c.Is(i, '=') || c.Touches(i) && (c.Is(i+1, '=') || c.Is(i+1, '>') || c.Is(i+1, '~')) {
		return false
	}
	if i == 0 || c.Toks[i-1].Kind != Mark || !c.Touches(i-1) {
		return true
	}
	switch c.Toks[i-1].Mark {
	case '=', '!', '<', '>', '+', '-', '*', '/', '%', '&', '|', '^', '@', ':', '?', '~':
		return false
	}
	return true
}

// Text returns the spelling of token i.
func (c *Code) Text(i int) string {
	if uint(i) >= uint(len(c.Toks)) {
		return ""
	}
	return c.Src[c.Toks[i].Start:c.Toks[i].End]
}

// Reserved reports whether name, which is not empty, is a keyword.
func (c *Code) Reserved(name string) bool { return c.keywords.Has(name) }

// IsText reports whether token i is a string.
func (c *Code) IsText(i int) bool { return uint(i) < uint(len(c.Toks)) && c.Toks[i].Kind == Text }
