package words_test

import (
	"testing"

	"github.com/docent-md/docent/internal/text/words"
	"pgregory.net/rapid"
)

func TestSameWords(t *testing.T) {
	text := rapid.StringOf(rapid.SampledFrom([]rune("aAbB- _éÉ使.1")))
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		if got, want := words.Same(a, b), words.Slug(a) == words.Slug(b); got != want {
			t.Fatalf("%q and %q: %v, want %v", a, b, got, want)
		}
	})
}
