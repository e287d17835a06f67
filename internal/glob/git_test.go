package glob

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// slowMatch is what match means, tried out in full.
func slowMatch(ops []op, s string) bool {
	if len(ops) == 0 {
		return s == ""
	}
	o, rest := ops[0], ops[1:]
	switch o.kind {
	case literal:
		return s != "" && s[0] == o.char && slowMatch(rest, s[1:])
	case oneByte:
		return s != "" && has(o.set, s[0]) && slowMatch(rest, s[1:])
	}
	if slowMatch(rest, s) {
		return true
	}
	for i := range len(s) {
		if o.kind == star && s[i] == '/' {
			return false
		}
		if (o.kind != folders || s[i] == '/') && slowMatch(rest, s[i+1:]) {
			return true
		}
	}
	return false
}

func literals(s string) []op {
	var ops []op
	for _, c := range []byte(s) {
		ops = append(ops, op{kind: literal, char: c})
	}
	return ops
}

// Keeping two points to return to must find what trying everything finds.
func TestGitMatchesWhatItMeans(t *testing.T) {
	matched := 0
	rapid.Check(t, func(t *rapid.T) {
		pattern := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "/", "*", "?", "[ab]", "[!a]", "**/", "/**/", "/**", "**", `**\/`, `\*`, "a/", "*/"}), 0, 8).Draw(t, "pattern"), "")
		g, ok := Git(pattern)
		if !ok {
			return
		}
		ops := slices.Concat(literals(g.prefix), g.ops, literals(g.suffix))
		for range 5 {
			s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "/", "ab", "a/"}), 0, 12).Draw(t, "s"), "")
			want := slowMatch(ops, s)
			if want {
				matched++
			}
			if got := g.Match(s); got != want {
				t.Fatalf("%q on %q: got %v, want %v", pattern, s, got, want)
			}
		}
	})
	if matched == 0 {
		t.Error("nothing matched")
	}
}
