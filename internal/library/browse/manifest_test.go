package browse

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// A summary is one clean line of at most so many characters.
func TestShorten(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := rapid.String().Draw(rt, "s")
		n := rapid.IntRange(5, 60).Draw(rt, "n")
		got := shorten(s, n)
		if utf8.RuneCountInString(got) > n || !utf8.ValidString(got) || strings.ContainsAny(got, "\n\t\x1b\u202e") {
			rt.Fatalf("shorten(%q, %d) = %q", s, n, got)
		}
	})
}
