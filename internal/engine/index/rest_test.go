package index

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Every run of the rest must be a term of its text, whatever the body has in
// common with it.
func TestEveryRunOfTheRestIsIndexed(t *testing.T) {
	pieces := []string{
		"foo", "bar", "Foo", "foobar", "a", "b_c", "x1", "é", "caf\u00e9", "使用", "\u2019s", "\u00a0", "\xff", "K\u212a",
		" ", " ", " ", "\n", "*", "[", "](/docs/a)", "`", ".", "-", "::", "<", "&amp;",
	}
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		rest := text.Draw(t, "rest")
		body := text.Draw(t, "body")
		if rapid.Bool().Draw(t, "alike") { // the source without its markup, and something added
			body = strings.NewReplacer("*", "", "`", "", "](/docs/a)", "", "[", "", "&amp;", "&").Replace(rest)
			at := rapid.IntRange(0, len(body)).Draw(t, "at")
			body = body[:at] + text.Draw(t, "added") + body[at:]
		}
		parts, err := Build(1, func(int) Text { return Text{Body: body, Rest: rest} }, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := inMemory(parts)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{}
		tok := tokenizer{}
		tok.each(body, func(k kind, b []byte) {
			if k == wordToken || k == pairToken {
				want[string(b)] = true
			}
		})
		tok.whole = true
		tok.each(rest, func(_ kind, b []byte) { want[string(b)] = true })
		for term := range want {
			if e, err := r.term([]byte(term)); err != nil || e.n != 1 {
				t.Fatalf("%q is not indexed (%v)\nbody %q\nrest %q", term, err, body, rest)
			}
		}
		if r.terms.count != len(want) {
			t.Fatalf("%d terms, want %d", r.terms.count, len(want))
		}
	})
}
