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

// Past returns the token after i, or after the group that i opens.
func (c *Code) Past(i int) int {
	if i < len(c.Toks) && c.Toks[i].Kind == Mark {
		switch c.Toks[i].Mark {
		case '(', '[', '{':
			return max(i+1, int(c.Toks[i].next))
		}
	}
	return i + 1
}

// PastAngles returns the token after the "<...>" that begins at i, or i if there
// is
// none. Such a list holds names, marks and groups, and is not long.
func (c *Code) PastAngles(i int) int {
	const longest = 256
	if !c.Is(i, '<') {
		return i
	}
	depth := 0
	for j := i; j < len(c.Toks) && j < i+longest; {
		t := c.Toks[j]
		if t.Kind == Mark {
			switch t.Mark {
			case '<':
				depth++
			case '>':
				if j > i && (c.IsPair(j-1, '-', '>') || c.IsPair(j-1, '=', '>')) {
					break
				}
				if depth--; depth == 0 {
					return j + 1
				}
			case ';', '}', ')':
				return i
			}
		}
		j = c.Past(j)
	}
	return i
}

// Continues reports whether the line that begins with token i goes on from the
// line before: one ends, or the other begins, with an operator.
func (c *Code) Continues(i int) bool {
	return i > 0 && i < len(c.Toks) && c.joined(i) &&
		!(c.Toks[i].Indent <= c.margin && c.boundary != nil && c.boundary(c, i))
}

func (c *Code) joined(i int) bool {
	if t := c.Toks[i]; t.Kind == Mark {
		switch t.Mark {
		case '.', '?', ':', '+', '*', '/', '&', '|', ',', '=', ')', ']', '>', '%', '^':
			return true
		}
	}
	before := c.Toks[i-1]
	if before.Kind != Mark || before.Quiet {
		return false
	}
	switch before.Mark {
	case '.': // unless it is an elision
		return i < 3 || !c.IsPair(i-3, '.', '.') || !c.IsPair(i-2, '.', '.')
	case '*': // unless it is an import
		return i < 2 || !c.Is(i-2, '.')
	case '=', ',', '+', '-', '/', '&', '|', '<', '?', '~', '^', '%', '(', '[':
		return true
	case '>':
		return i > 1 && (c.IsPair(i-2, '=', '>') || c.IsPair(i-2, '-', '>'))
	}
	return false
}

// Skip returns the first token of the statement after the one that i is in.
func (c *Code) Skip(i int) int {
	for i < len(c.Toks) {
		t := c.Toks[i]
		if t.Kind == Mark {
			switch t.Mark {
			case ';', '}':
				return i + 1
			case '{':
				return c.Past(i)
			}
		}
		i = c.Past(i)
		if c.First(i) && !c.Continues(i) {
			return i
		}
	}
	return i
}

// NextLine returns the first token of the line after the one that i is on,
// where groups count as one line.
func (c *Code) NextLine(i int) int {
	for i = c.Past(i); i < len(c.Toks) && !c.Toks[i].First; {
		i = c.Past(i)
	}
	return i
}
