package index

// A mark says where a word of a query occurs in a text. Marks of the first
// maxMarks words fit into one number, which is collected while texts are scored;
// those of further words are looked up for the texts that are returned.
type mark uint64

const (
	present mark = 1 << iota // in a field that counts
	inTitle
	inHeadings

	markBits = 3
	maxMarks = 64 / markBits
)

// markShift returns where the mark of list i of the plan begins: for those that
// do not fit, beyond what is looked at.
func markShift(i int) uint {
	return uint(min(i, maxMarks)) * markBits
}

// markOf returns the mark of a word with counts c.
func markOf(c counts) mark {
	var m mark
	if c != 0 {
		m = present
	}
	if c.title() > 0 {
		m |= inTitle
	}
	if c.headings() > 0 {
		m |= inHeadings
	}
	return m
}

// add sets in m what the marks of a list say about the words of the query it was
// made for.
func (m *Match) add(of mark, words uint64) {
	if of&present != 0 {
		m.Words |= words
	}
	if of&inTitle != 0 {
		m.Title |= words
	}
	if of&inHeadings != 0 {
		m.Headings |= words
	}
}
