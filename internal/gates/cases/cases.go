// Package cases lets a test say how many cases of a gate it tried, for the table in
// docs/reliability.md.
package cases

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
)

// Tried says that so many cases of a gate were tried. Bad ones fail the test.
func Tried(t testing.TB, gate string, tried int) {
	t.Helper()
	t.Log(line(gate, tried))
}

func line(gate string, tried int) string { return fmt.Sprintf("gate %s tried=%d", gate, tried) }

var pattern = regexp.MustCompile(`\bgate ([A-Z]\d+) tried=(\d+)\b`)

// Parse reads what Tried wrote.
func Parse(text string) (gate string, tried int, ok bool) {
	m := pattern.FindStringSubmatch(text)
	if m == nil {
		return "", 0, false
	}
	tried, err := strconv.Atoi(m[2])
	return m[1], tried, err == nil
}
