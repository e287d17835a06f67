package index

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// What a Writer remembers of earlier texts must not change what it counts in the
// next: it is what the tokenizer reports.
func TestRememberedChainsCountTheSame(t *testing.T) {
	pieces := rapid.SampledFrom([]string{
		"a", "node", "Node", "fooBar", "HTTPServer", "x_y", "__", "v1", "addEventListener", "abcdefghijklmnopqrstuvwx",
		"abcdefghijklmnopqrstuvwxy", "-", ".", ":", "::", "é", "\u0301", "使", "\u212a", "\xff", "\x00", " ", " ", " ", "\n",
	})
	rapid.Check(t, func(t *rapid.T) {
		type token struct {
			kind kind
			text string
		}
		w := new(Builder).Writer()
		for num := range int32(4) {
			s := strings.Join(rapid.SliceOfN(pieces, 0, 40).Draw(t, "text"), "")
			want, got, length := map[token]int{}, map[token]int{}, 0
			new(tokenizer).each(s, func(k kind, text []byte) {
				if k == wordToken || k == pairToken {
					k = wordToken
					length++
				}
				want[token{k, string(text)}]++
			})
			w.keys = append(w.keys, uint64(num))
			if n := w.words(num, 2, s); n != length {
				t.Fatalf("%q has %d words, want %d", s, n, length)
			}
			for i, m := range w.tallies {
				if m.last == num {
					got[token{w.forms[i].kind, string(w.textOf(&w.forms[i]))}] = int(m.counts)
				}
			}
			if d := cmp.Diff(want, got, cmp.AllowUnexported(token{})); d != "" {
				t.Fatalf("%q: %s", s, d)
			}
		}
	})
}
