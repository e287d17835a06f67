package grep

import (
	"strconv"
	"strings"
)

// What the tests in package grep_test share with those here.
var (
	MadeText     = madeText
	MadePattern  = madePattern
	HandPatterns = handPatterns
)

// String gives the formula as an expression: all("a", one("b", |"c"|)), where
// the bars are word boundaries.
func (n Need) String() string {
	switch n.Op {
	case NeedLiteral:
		return n.Literal.String()
	case NeedAll, NeedOne:
		parts := make([]string, len(n.Sub))
		for i, s := range n.Sub {
			parts[i] = s.String()
		}
		return map[NeedOp]string{NeedAll: "all(", NeedOne: "one("}[n.Op] + strings.Join(parts, ", ") + ")"
	}
	return "nothing"
}

func (l Literal) String() string {
	s := strconv.Quote(l.Text)
	if l.Left {
		s = "|" + s
	}
	if l.Right {
		s += "|"
	}
	return s
}
