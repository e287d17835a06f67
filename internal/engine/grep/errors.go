package grep

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Why Compile refuses a pattern; test with errors.Is. Every error of Compile is
// one of these.
var (
	ErrSyntax  = errors.New("invalid regex")        // a *SyntaxError says where
	ErrTooLong = errors.New("pattern is too long")  // more than MaxExpression or MaxLiteral bytes
	ErrTooBig  = errors.New("pattern is too large") // more than MaxProgram instructions
)

// A SyntaxError says where a pattern is invalid, and why.
type SyntaxError struct {
	Pattern string
	Start   int // the offending part is Pattern[Start:End]
	End     int
	Problem string
}

// Error gives the pattern, the place as a person counts, and the problem:
//
//	invalid regex: a[unclosed: at character 2, "[": the class has no closing ]
func (e *SyntaxError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s: ", ErrSyntax, visible(e.Pattern))
	switch {
	case e.Start >= len(e.Pattern):
		b.WriteString("at the end")
	default:
		fmt.Fprintf(&b, "at character %d", utf8.RuneCountInString(e.Pattern[:e.Start])+1)
		if part := e.Pattern[e.Start:e.End]; part != "" {
			fmt.Fprintf(&b, ", \"%s\"", visible(part))
		}
	}
	b.WriteString(": ")
	b.WriteString(e.Problem)
	return b.String()
}

// Unwrap makes errors.Is(err, ErrSyntax) true.
func (e *SyntaxError) Unwrap() error { return ErrSyntax }

// visible writes out what would not show on one line of a terminal.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsGraphic(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\x{%x}", r)
		}
	}
	return b.String()
}

const lineProblem = "a pattern is matched line by line and cannot contain the end of a line"
