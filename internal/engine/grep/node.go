package grep

import "unicode/utf8"

// The tree of a parsed expression. Groups leave no trace in it: nothing asks
// what a group matched.
type node struct {
	op     op
	r      rune // of opRune
	fold   bool // of opRune: case does not matter
	class  class
	look   look // of opLook; lineEnd for the opConcat of "$"
	sub    []*node
	min    int
	max    int // of opRepeat; -1 if there is no limit
	greedy bool
}

type op uint8

const (
	opEmpty     op = iota // matches nothing at all, everywhere
	opRune                // one character
	opClass               // one character of class
	opLook                // no character, where look holds
	opConcat              // sub, one after another
	opAlternate           // one of sub, the first that matches preferred
	opRepeat              // sub[0], min to max times
)

// A look is a set of conditions on a place between two characters. All of them
// must hold.
type look uint8

// Conditions. The text is one line, so ^ and \A are the same.
const (
	lineStart look = 1 << iota
	lineEnd
	wordEdge    // \b
	notWordEdge // \B
	wordStart   // \<
	wordEnd     // \>
	halfStart   // no word character before; -w
	halfEnd     // no word character behind; -w
)

const (
	edgeLooks    = lineStart | lineEnd | wordEdge | wordStart | wordEnd | halfStart | halfEnd // never inside a word
	wordLooks    = wordEdge | notWordEdge | wordStart | wordEnd | halfStart | halfEnd         // need to know word characters
	forwardLooks = lineEnd | wordEdge | notWordEdge | wordStart | wordEnd | halfEnd           // need to know the next character
)

// holds reports whether every condition of l holds between two characters of
// which start and end say that there is none.
func (l look) holds(start, wordBefore, end, wordAfter bool) bool {
	var fails look
	if !start {
		fails |= lineStart
	}
	if !end {
		fails |= lineEnd
	}
	if wordBefore == wordAfter {
		fails |= wordEdge
	} else {
		fails |= notWordEdge
	}
	if wordBefore {
		fails |= wordStart | halfStart
	} else {
		fails |= wordEnd
	}
	if wordAfter {
		fails |= wordEnd | halfEnd
	} else {
		fails |= wordStart
	}
	return l&fails == 0
}

// holdsAt reports whether l holds at text[i], in its line.
func (l look) holdsAt(text []byte, i int) bool {
	if l == 0 {
		return true
	}
	before, _ := utf8.DecodeLastRune(text[:i])
	after, _ := utf8.DecodeRune(text[i:])
	start := i == 0 || before == '\n'
	end := i == len(text) || after == '\n'
	return l.holds(start, !start && isWord(before), end, !end && isWord(after))
}

func literalNode(text string, fold bool) *node {
	n := &node{op: opConcat}
	for _, r := range text {
		n.sub = append(n.sub, runeNode(r, fold))
	}
	return n
}

// runeNode returns the tree of one character. fold is set only where there is
// another case, so that the flag of "-" or "7" never matters.
func runeNode(r rune, fold bool) *node {
	return &node{op: opRune, r: r, fold: fold && !caseless(r)}
}

// size returns how many instructions n compiles to, or a number above limit.
func (n *node) size(limit int) int {
	total := 0
	add := func(k int) { total = min(total+k, limit+1) }
	switch n.op {
	case opRune, opClass, opLook:
		add(1)
	case opConcat, opAlternate:
		if n.op == opAlternate {
			add(len(n.sub) - 1)
		}
		for _, s := range n.sub {
			add(s.size(limit))
		}
	case opRepeat:
		body := n.sub[0].size(limit)
		switch {
		case n.max < 0:
			add(times(max(n.min, 1), body, limit) + 1)
		default:
			add(times(n.min, body, limit))
			add(times(n.max-n.min, body+1, limit))
		}
	}
	return total
}

// times returns a*b, or a number above limit.
func times(a, b, limit int) int {
	if b > 0 && a > limit/b {
		return limit + 1
	}
	return a * b
}
