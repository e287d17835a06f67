package markdown

import "bytes"

// tickRuns finds the ends of code spans. When a run of backticks has no partner
// the rest of the text has been read; where each length was last seen is kept,
// so that it is read once only. Runs over maxTicks open nothing.
type tickRuns struct {
	known bool // last is complete
	dirty bool // last holds something
	last  [maxTicks + 1]int
}

// reset makes t ready for another text.
func (t *tickRuns) reset() {
	if t.dirty {
		*t = tickRuns{}
	}
}

const maxTicks = 80

// span returns the content of the code span that begins at i and the offset
// after it; when the backticks open none, an empty content and the offset after
// them.
func (t *tickRuns) span(s []byte, i int) (content span, after int) {
	n := run(s[i:], '`')
	from := i + n
	if n > maxTicks || t.known && t.last[n] <= i {
		return content, from
	}
	for j := from; j < len(s); {
		k := bytes.IndexByte(s[j:], '`')
		if k < 0 {
			break
		}
		j += k
		m := run(s[j:], '`')
		if m == n {
			return span{int32(from), int32(j)}, j + m
		}
		if m <= maxTicks && !t.known {
			t.last[m], t.dirty = j, true
		}
		j += m
	}
	t.known, t.dirty = true, true
	return content, from
}

// trimCode takes the space off both sides of a code span, where it may have one
// so that it can begin or end with a backtick.
func trimCode(code []byte) []byte {
	if n := len(code); n > 2 && code[0] == ' ' && code[n-1] == ' ' {
		return code[1 : n-1]
	}
	return code
}
