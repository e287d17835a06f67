package grep

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// Whatever a pattern is, it is refused with a reason or it works: all ways to
// search agree, and lines are lines.
func FuzzCompile(f *testing.F) {
	for i, pattern := range handPatterns {
		f.Add(pattern, strings.Join(words[i%len(words):], "\n"), i%3 == 0, i%5 == 0, i%7 == 0)
	}
	f.Fuzz(func(t *testing.T, pattern, text string, caseSensitive, word, fixed bool) {
		p, err := Compile(pattern, Options{CaseSensitive: caseSensitive, Word: word, Fixed: fixed})
		if err != nil {
			if !errors.Is(err, ErrSyntax) && !errors.Is(err, ErrTooLong) && !errors.Is(err, ErrTooBig) {
				t.Fatalf("error %v is of no kind", err)
			}
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Fatalf("error %q would not print on a line", err)
			}
			return
		}
		if len(text) > 1<<12 {
			return
		}
		var got []int
		end := -1
		if err := p.Lines(context.Background(), []byte(text), func(l Line) bool {
			got = append(got, l.Number)
			line := text[l.Start:l.End]
			if l.Start <= end || strings.Contains(line, "\n") || l.Number != 1+strings.Count(text[:l.Start], "\n") {
				t.Fatalf("line %+v of %q", l, text)
			}
			end = l.End
			return true
		}); err != nil {
			t.Fatal(err)
		}
		if want := numbersByNFA(p, text); !slices.Equal(got, want) {
			t.Fatalf("lines %v, one by one %v", got, want)
		}
	})
}
