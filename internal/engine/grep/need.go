package grep

import (
	"slices"
	"strings"
)

// A Need says what every line that matches contains: a formula of literals. It
// is true of more lines than match, never of fewer.
type Need struct {
	Op      NeedOp
	Literal Literal // of NeedLiteral
	Sub     []Need  // of NeedAll and NeedOne
}

// NeedOp says how to read a Need.
type NeedOp uint8

// The kinds of Need.
const (
	NeedNothing NeedOp = iota // any line may match
	NeedLiteral               // the literal
	NeedAll                   // all of Sub
	NeedOne                   // at least one of Sub
)

// A Literal is a piece of a line. Case does not matter: the line contains it in
// the sense of unicode.SimpleFold.
type Literal struct {
	Text string

	// Left and Right say that it begins and ends at a word boundary: no word
	// character (\w of Unicode) stands before and after it. They are set only
	// where its own first or last character is a word character.
	Left, Right bool

	fold bool // case does not matter to the pattern either
}

// maxNeed is the most literals a Need may have. What goes beyond is left out,
// which makes it true of more lines.
const maxNeed = 64

func (n Need) literals() int {
	if n.Op == NeedLiteral {
		return 1
	}
	total := 0
	for _, s := range n.Sub {
		total += s.literals()
	}
	return total
}

func needAll(subs ...Need) Need {
	var flat []Need
	for _, s := range subs {
		switch s.Op {
		case NeedNothing:
		case NeedAll:
			flat = append(flat, s.Sub...)
		default:
			flat = append(flat, s)
		}
	}
	flat = drop(flat, func(a, b Need) bool { return a.implies(b) })
	// Short of room, the least telling go.
	total := Need{Sub: flat}.literals()
	for total > maxNeed {
		worst := 0
		for i := range flat {
			if flat[i].telling() < flat[worst].telling() {
				worst = i
			}
		}
		total -= flat[worst].literals()
		flat = slices.Delete(flat, worst, worst+1)
	}
	switch len(flat) {
	case 0:
		return Need{}
	case 1:
		return flat[0]
	}
	return Need{Op: NeedAll, Sub: flat}
}

func needOne(subs ...Need) Need {
	var flat []Need
	for _, s := range subs {
		switch s.Op {
		case NeedNothing:
			return Need{}
		case NeedOne:
			flat = append(flat, s.Sub...)
		default:
			flat = append(flat, s)
		}
	}
	flat = drop(flat, func(a, b Need) bool { return b.implies(a) })
	if len(flat) == 1 {
		return flat[0]
	}
	if n := (Need{Op: NeedOne, Sub: flat}); n.literals() <= maxNeed {
		return n
	}
	return Need{}
}

// drop removes each need that another one makes superfluous: covers(a, b) says
// that b is, if a stays.
func drop(list []Need, covers func(a, b Need) bool) []Need {
	var out []Need
next:
	for i, b := range list {
		for j, a := range list {
			if i != j && covers(a, b) && (j < i || !covers(b, a)) {
				continue next
			}
		}
		out = append(out, b)
	}
	return out
}

// implies reports whether every line that satisfies n satisfies m, as far as
// can be seen at a glance.
func (n Need) implies(m Need) bool {
	if n.Op != NeedLiteral || m.Op != NeedLiteral {
		return false
	}
	a, b := n.Literal, m.Literal
	if b.fold != a.fold && !b.fold || b.Left || b.Right {
		// A boundary inside a is as good as one that is asserted, but equal
		// literals are all that matters in practice.
		return a == b
	}
	at, bt := a.Text, b.Text
	if b.fold {
		at, bt = foldString(at), foldString(bt)
	}
	return strings.Contains(at, bt)
}

// telling ranks a need by how few lines satisfy it, as a guess: the length of
// its shortest way to be satisfied.
func (n Need) telling() int {
	switch n.Op {
	case NeedLiteral:
		score := 2 * len(n.Literal.Text)
		if n.Literal.Left {
			score++
		}
		if n.Literal.Right {
			score++
		}
		return score
	case NeedOne:
		least := n.Sub[0].telling()
		for _, s := range n.Sub[1:] {
			least = min(least, s.telling())
		}
		return least
	case NeedAll:
		most := 0
		for _, s := range n.Sub {
			most = max(most, s.telling())
		}
		return most
	}
	return 0
}

func foldString(s string) string { return strings.Map(foldRune, s) }
