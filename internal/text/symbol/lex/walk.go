package lex

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
