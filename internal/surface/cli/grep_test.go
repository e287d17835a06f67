package cli

import (
	"bufio"
	"regexp"
	"strings"
	"testing"

	"github.com/docent-md/docent/answer"
)

// A long line filled three rows of a terminal, and nothing showed what matched in it. On a
// terminal it is cut around the match; in a pipe it is whole.
func TestGrepOnATerminal(t *testing.T) {
	line := strings.Repeat("before ", 20) + "the key " + strings.Repeat("after ", 20)
	m := &answer.Matches{Pattern: "key", Total: 1, Matches: []answer.Match{{Tokens: 7, Path: "a.md", Line: 12, Content: line, Section: "a.md#keys", Headings: []string{"Keys"}}}}
	for _, test := range []struct {
		name   string
		width  int
		colour bool
		want   string
	}{
		{"a pipe", 0, false, "a.md#keys  Keys  (7 tokens)\n12: " + line + "\n"},
		{"a narrow terminal", 40, false, "a.md#keys  Keys  (7 tokens)\n12: …before the key after after after a…\n"},
		{"colours", 40, true, "\x1b[35ma.md#keys\x1b[0m  \x1b[2mKeys  (7 tokens)\x1b[0m\n\x1b[32m12: \x1b[0m…before the \x1b[1;31mkey\x1b[0m after after after a…\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b strings.Builder
			c := &console{out: bufio.NewWriter(&b), colour: test.colour, width: test.width}
			p := painter{console: c, match: regexp.MustCompile("(?i)key"), words: regexp.MustCompile("(?i)key")}
			if err := p.write(m.WriteText); err != nil {
				t.Fatal(err)
			}
			_ = c.out.Flush()
			if b.String() != test.want {
				t.Errorf("%q\nwant %q", b.String(), test.want)
			}
			for row := range strings.Lines(b.String()) {
				if n := len([]rune(strings.TrimSuffix(row, "\n"))); test.width > 0 && !test.colour && n > test.width {
					t.Errorf("%d characters in %q", n, row)
				}
			}
		})
	}
}
