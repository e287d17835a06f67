package prose

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// MaxColumns is how wide a line of a document may be.
const MaxColumns = 120

var address = regexp.MustCompile(`https?://\S+|\]\([^)\s]*\)`)

// LongLines finds lines over MaxColumns. Tables, fenced code and addresses do
// not count, as they cannot be wrapped.
func LongLines(text string) []Fault {
	var faults []Fault
	for n, line := range proseLines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "|") {
			continue
		}
		if w := utf8.RuneCountInString(address.ReplaceAllString(line, "")); w > MaxColumns {
			faults = append(faults, Fault{n, fmt.Sprintf("the line has %d columns, at most %d are allowed", w, MaxColumns)})
		}
	}
	return faults
}

// proseLines yields the lines of a document outside fenced code, numbered from 1.
func proseLines(text string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		fence, n := "", 0
		for line := range strings.SplitSeq(text, "\n") {
			n++
			mark := fenceMark(line)
			switch {
			case fence == "" && mark != "":
				fence = mark
			case fence != "" && strings.HasPrefix(mark, fence):
				fence = ""
			case fence == "" && !yield(n, line):
				return
			}
		}
	}
}

// fenceMark is the run of backticks or tildes that a line begins with, if it
// can open or close fenced code.
func fenceMark(line string) string {
	line = strings.TrimSpace(line)
	for _, c := range "`~" {
		if run := line[:len(line)-len(strings.TrimLeft(line, string(c)))]; len(run) >= 3 {
			return run
		}
	}
	return ""
}
