package grep

import (
	"context"
	"slices"
	"testing"
)

// memexfs shows grep("password reset") finding "## How to reset your password": words in
// another order. Expressions and plain texts stay what they are.
func TestWords(t *testing.T) {
	text := []byte("A password reset.\n## How to reset your password\nPresets need passwords.\nRESETTING passwords\nreset it\nback-reset, password\n")
	for _, test := range []struct {
		name, pattern string
		options       Options
		want          []int // lines; nil if there are no words
	}{
		{"in any order, whatever the case", "password reset", Options{}, []int{1, 2, 4, 6}},
		{"where case matters", "password reset", Options{CaseSensitive: true}, []int{1, 2, 6}},
		{"only whole words", "password reset", Options{Word: true}, []int{1, 2, 6}},
		{"a word given twice is one word", "reset reset", Options{}, nil},
		{"one word", "reset", Options{}, nil},
		{"an expression", "password.*reset x", Options{}, nil},
		{"plain text", "password reset", Options{Fixed: true}, nil},
		{"what begins with a mark may stand anywhere", "-reset password", Options{}, []int{6}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, err := ParseWords(test.pattern, test.options)
			if err != nil || (w == nil) != (test.want == nil) {
				t.Fatalf("%v, %v", w, err)
			}
			if w == nil {
				return
			}
			var got []int
			if err := w.Lines(context.Background(), text, func(l Line) bool { got = append(got, l.Number); return true }); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("lines %v, want %v", got, test.want)
			}
		})
	}
}
