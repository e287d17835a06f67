package grep

// matches runs a program over a line, without its "\n", with all threads at
// once: Thompson's method. It is the slow way that the automaton is checked
// against.
func matches(prog *program, line []byte) bool {
	var now, next []uint16
	seen := make([]int, len(prog.code)) // by instruction: one more than where a thread last came to it
	wordBefore := false
	for i := 0; ; {
		l, width := endOfLine, 1
		if i < len(line) {
			l, width = prog.next(line[i:])
		}
		next = next[:0]
		for now = append(now, uint16(prog.start)); len(now) > 0; {
			pc := now[len(now)-1]
			now = now[:len(now)-1]
			if seen[pc] == i+1 {
				continue
			}
			seen[pc] = i + 1
			switch in := &prog.code[pc]; in.op {
			case instMatch:
				return true
			case instSplit:
				now = append(now, in.y, in.x)
			case instLook:
				if look(in.arg).holds(i == 0, wordBefore, i == len(line), prog.word[l]) {
					now = append(now, in.x)
				}
			case instRune:
				if prog.takes[in.arg][l] {
					next = append(next, in.x)
				}
			}
		}
		if i >= len(line) {
			return false
		}
		now, next = next, now
		wordBefore = prog.word[l]
		i += width
	}
}
