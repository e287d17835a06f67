package grep

import (
	"bytes"
	"context"
	"unicode/utf8"
)

// How lines are matched.
//
// A dfa says which lines match, not where in the line. It is the automaton of a
// program, made while it runs: a state is the set of instructions the program
// may be at, and the state that follows it for a letter is worked out once and
// cached in a table. So most characters cost one look in a table, and none more
// than a walk through the program.
//
// The end of a line is a letter like others: it leads back to the start. A text
// of many lines is therefore one run, which only a match interrupts.
//
// Hostile expressions have more states than there is memory. The table is
// emptied when it is over maxStateBytes; at worst every character then costs a
// walk through the program, so that time is linear still.
type dfa struct {
	prog    *program
	next    []uint32 // next[s+letter] is the state that follows s; 0 if not known yet
	start   uint32
	matched uint32 // the state of a line that matches
	dead    uint32 // the state of a line that cannot match any more
	credit  int    // what runs have saved, in characters; see minRun
	maker   maker
}

const maxStateBytes = 2 << 20

// between is how many bytes are read between two looks at the context, and
// stateCost how many bytes making a state counts for.
const (
	between   = 64 << 10
	stateCost = 256
)

// A run of characters that leave the state as it is saves time if it is longer
// than minRun. The search for runs ends when too many are not.
const (
	minRun    = 6
	maxCredit = 4096
)

// find returns where text, which begins at the start of a line, first has a
// matching line: some place in it or at its end. It is -1 if no line matches.
func (d *dfa) find(ctx context.Context, text []byte) (int, error) {
	switch {
	case len(text) == 0 || d.start == d.dead:
		return -1, nil
	case d.start == d.matched:
		return 0, nil
	}
	s, dead := d.start, d.dead
	for i := 0; i < len(text); {
		if err := ctx.Err(); err != nil {
			return -1, err
		}
		ascii, next := &d.prog.ascii, d.next
		for end := min(i+between, len(text)); i < end; {
			at := i
			var l letter
			if b := text[i]; b < utf8.RuneSelf {
				l = ascii[b]
				i++
			} else {
				var n int
				l, n = d.prog.next(text[i:])
				i += n
			}
			to := next[s+uint32(l)]
			if to > dead {
				if d.credit > 0 && to == s {
					// Where many characters in a row leave the state as it is,
					// none needs to wait for the one before.
					for i < end && text[i] < utf8.RuneSelf && next[s+uint32(ascii[text[i]])] == s {
						i++
					}
					d.credit = min(d.credit+i-at-minRun, maxCredit)
				}
				s = to
				continue
			}
			if to == 0 {
				to = d.step(s, l)
				next = d.next
				end -= min(stateCost, end-i)
			}
			switch s = to; to {
			case d.matched:
				return at, nil
			case dead:
				skip := bytes.IndexByte(text[i:], '\n')
				if skip < 0 {
					return -1, nil
				}
				i += skip + 1
				s = d.start
			}
		}
	}
	if text[len(text)-1] != '\n' {
		to := d.next[s+uint32(endOfLine)]
		if to == 0 {
			to = d.step(s, endOfLine)
		}
		if to == d.matched {
			return len(text) - 1, nil
		}
	}
	return -1, nil
}
