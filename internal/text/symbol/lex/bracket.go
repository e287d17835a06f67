package lex

// Brackets, and what to do when they do not match. Documentation leaves out
// ends: "function Form() { // ..." is followed by the next function. Writers do
// indent, though, and that tells what was meant:
//
//   - "}" that begins a line ends the block whose line begins in the same
//     column, and all that was left open inside it.
//   - A line in the outermost column that begins with what only stands at the
//     top of a file (the language's boundary: "func", "export", "impl") ends
//     everything that is open.
//   - A "}" too many is nothing. A "(" left open ends with the block it is in.
//   - Of #if, #else and #endif the branches see the same brackets: what the
//     first leaves open, the second is not inside of.

// opener is a bracket that waits for its end.
type opener struct {
	tok    int32
	indent uint16 // of the line it is on
	mark   byte
}

// deepest is how far a "}" looks for the line it belongs to.
const deepest = 64

// A pairer finds the ends of brackets, for block after block with the same
// buffers.
type pairer struct {
	toks     []Token
	stack    []opener
	branches []int // the height of the stack at each open #if
	braces   int   // open "{"
}

// pair sets next of all opening brackets and returns the least indent of a line.
func (p *pairer) pair(c *Code) (margin uint16) {
	p.toks, p.stack, p.branches, p.braces = c.Toks, p.stack[:0], p.branches[:0], 0
	margin, indent := uint16(1<<15), uint16(0)
	for i := range c.Toks {
		t := &c.Toks[i]
		if t.First {
			indent = t.Indent
			margin = min(margin, indent)
			if len(p.stack) > 0 && indent <= margin && t.Kind != Branch && c.boundary != nil && c.boundary(c, i) {
				p.drop(0, i)
			}
		}
		if t.Kind == Branch {
			p.branch(t.Mark, i)
		}
		if t.Kind != Mark {
			continue
		}
		switch t.Mark {
		case '{':
			p.braces++
			p.stack = append(p.stack, opener{int32(i), indent, t.Mark})
		case '(', '[':
			p.stack = append(p.stack, opener{int32(i), indent, t.Mark})
		case '}':
			p.closeBrace(i, indent)
		case ')', ']':
			p.closeOther(i)
		}
	}
	p.drop(0, len(c.Toks))
	return margin
}

// drop takes all brackets from height on off the stack: their groups end before
// token i.
func (p *pairer) drop(height, i int) {
	for _, o := range p.stack[height:] {
		p.toks[o.tok].next = int32(i)
		if o.mark == '{' {
			p.braces--
		}
	}
	p.stack = p.stack[:height]
}

// closeBrace ends the block that the "}" at token i belongs to.
func (p *pairer) closeBrace(i int, indent uint16) {
	if p.braces == 0 {
		return
	}
	if p.toks[i].First {
		if h := sameColumn(p.stack, indent); h >= 0 {
			p.drop(h+1, i)
		}
	}
	for p.stack[len(p.stack)-1].mark != '{' {
		p.drop(len(p.stack)-1, i)
	}
	p.drop(len(p.stack)-1, i+1)
}

// closeOther ends the group that the ")" or "]" at token i belongs to.
func (p *pairer) closeOther(i int) {
	closer := p.toks[i].Mark
	h := len(p.stack) - 1
	if h > 0 && p.stack[h].mark != '{' && CloserOf(p.stack[h].mark) != closer && CloserOf(p.stack[h-1].mark) == closer {
		p.drop(h, i)
		h--
	}
	if h >= 0 && CloserOf(p.stack[h].mark) == closer {
		p.drop(h, i+1)
	}
}

// sameColumn returns the height of the nearest bracket that stands on a line
// with at most the given indent, if it is a brace on a line with just that.
func sameColumn(stack []opener, indent uint16) int {
	for h := len(stack) - 1; h >= 0 && h >= len(stack)-deepest; h-- {
		if stack[h].indent <= indent {
			if stack[h].indent == indent && stack[h].mark == '{' {
				return h
			}
			return -1
		}
	}
	return -1
}

// branch notes the height of the stack at #if, forgets it at #endif, and returns
// to it at #else.
func (p *pairer) branch(kind byte, i int) {
	last := len(p.branches) - 1
	switch {
	case kind == '?':
		p.branches = append(p.branches, len(p.stack))
	case last < 0:
	case kind == ':':
		height := min(p.branches[last], len(p.stack))
		for _, o := range p.stack[height:] {
			p.toks[o.tok].Mark = ';'
		}
		p.drop(height, i)
	default:
		p.branches = p.branches[:last]
	}
}
