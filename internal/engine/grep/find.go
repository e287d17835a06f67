package grep

import "context"

// Find returns where the first match in line begins and ends: the leftmost, and
// of several that begin there the one the expression prefers (the longest for *,
// the first branch of |). ok is false if the line does not match. The line must
// come without its "\n".
//
// It costs far more than Lines does and is meant for lines that are shown.
func (p *Pattern) Find(ctx context.Context, line []byte) (start, end int, ok bool, err error) {
	if p.prog == nil {
		start, end, ok = p.literals.list[0].first(line)
		return start, end, ok, ctx.Err()
	}
	w := walker{prog: p.prog, seen: make([]int, len(p.prog.code))}
	err = w.walk(ctx, line)
	return w.start, w.end, w.ok, err
}

// A walker goes through a program with all threads at once, in order of
// preference: Thompson's method, in Pike's order.
type walker struct {
	prog *program
	now  []thread // waiting for the letter at hand
	then []thread // waiting for the next
	seen []int    // by instruction: one more than where a thread last came to it

	start, end int
	ok         bool // a match was found

	stack []uint16
}

// A thread is at instruction pc with a match that began at line[began:].
type thread struct {
	pc    uint16
	began int
}

func (w *walker) walk(ctx context.Context, line []byte) error {
	wordBefore := false
	steps := between
	for i := 0; ; {
		if steps += 16 + len(w.now); steps > between {
			if err := ctx.Err(); err != nil {
				return err
			}
			steps = 0
		}
		l, width := endOfLine, 1
		if i < len(line) {
			l, width = w.prog.next(line[i:])
		}
		holds := func(k look) bool {
			return k.holds(i == 0, wordBefore, i == len(line), w.prog.word[l])
		}
		if !w.ok {
			w.now = append(w.now, thread{uint16(w.prog.start), i})
		}
		w.then = w.then[:0]
		for _, t := range w.now {
			if w.follow(t, i, l, holds) {
				w.start, w.end, w.ok = t.began, i, true
				break // the threads left are preferred less
			}
		}
		if i >= len(line) || w.ok && len(w.then) == 0 {
			return nil
		}
		w.now, w.then = w.then, w.now
		wordBefore = w.prog.word[l]
		i += width
	}
}

// follow takes t to the instructions that take letter l, which is at line[i:].
// It reports whether it came to a match instead, at which it ends.
func (w *walker) follow(t thread, i int, l letter, holds func(look) bool) bool {
	w.stack = append(w.stack[:0], t.pc)
	for len(w.stack) > 0 {
		pc := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if w.seen[pc] == i+1 {
			continue
		}
		w.seen[pc] = i + 1
		switch in := &w.prog.code[pc]; in.op {
		case instMatch:
			return true
		case instSplit:
			w.stack = append(w.stack, in.y, in.x)
		case instLook:
			if holds(look(in.arg)) {
				w.stack = append(w.stack, in.x)
			}
		case instRune:
			if w.prog.takes[in.arg][l] {
				w.then = append(w.then, thread{in.x, t.began})
			}
		}
	}
	return false
}
