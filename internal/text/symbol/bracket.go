package symbol

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

// pair sets next of all opening brackets. branches holds the height of the stack
// at each open #if.
func (s *scanner) pair() {
	stack, branches := s.stack, s.branches
	braces := 0
	base, indent := uint16(1<<15), uint16(0)
	// drop leaves all brackets from height on open no longer: their groups end
	// before token i.
	drop := func(height, i int) {
		for _, o := range stack[height:] {
			s.toks[o.tok].next = int32(i)
			if o.mark == '{' {
				braces--
			}
		}
		stack = stack[:height]
	}
	for i := range s.toks {
		t := &s.toks[i]
		if t.first {
			indent = t.indent
			base = min(base, indent)
			if len(stack) > 0 && indent <= base && t.kind != branch && s.syn.boundary != nil && s.syn.boundary(s, i) {
				drop(0, i)
			}
		}
		if t.kind == branch {
			branches = s.branch(t.mark, branches, len(stack), func(height int) {
				for _, o := range stack[min(height, len(stack)):] {
					s.toks[o.tok].mark = ';'
				}
				drop(min(height, len(stack)), i)
			})
			continue
		}
		if t.kind != mark {
			continue
		}
		switch t.mark {
		case '{':
			braces++
			stack = append(stack, opener{int32(i), indent, t.mark})
		case '(', '[':
			stack = append(stack, opener{int32(i), indent, t.mark})
		case '}':
			if braces == 0 {
				continue
			}
			if t.first {
				if h := sameColumn(stack, indent); h >= 0 {
					drop(h+1, i)
				}
			}
			for stack[len(stack)-1].mark != '{' {
				drop(len(stack)-1, i)
			}
			drop(len(stack)-1, i+1)
		case ')', ']':
			h := len(stack) - 1
			if h > 0 && stack[h].mark != '{' && closerOf(stack[h].mark) != t.mark && closerOf(stack[h-1].mark) == t.mark {
				drop(h, i)
				h--
			}
			if h >= 0 && closerOf(stack[h].mark) == t.mark {
				drop(h, i+1)
			}
		}
	}
	drop(0, len(s.toks))
	s.stack, s.branches, s.margin = stack, branches, base
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

// branch keeps the heights of open #ifs, and at #else calls reset with that of
// the last one.
func (s *scanner) branch(kind byte, open []int, height int, reset func(int)) []int {
	switch {
	case kind == '?':
		return append(open, height)
	case len(open) == 0:
		return open
	case kind == ':':
		reset(open[len(open)-1])
		return open
	}
	return open[:len(open)-1]
}
