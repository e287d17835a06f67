package grep

import (
	"context"
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for _, test := range []struct {
		name    string
		pattern string
		options Options
		line    string
		want    string // the line, with the match in «»
	}{
		{"the first match", "o", Options{}, "foo", "f«o»o"},
		{"the longest of a repetition", "o+", Options{}, "foo", "f«oo»"},
		{"the shortest, if asked", "o+?", Options{}, "foo", "f«o»o"},
		{"the first branch", "fo|foo", Options{}, "foo", "«fo»o"},
		{"the leftmost, whatever the branch", "b|a", Options{}, "xab", "x«a»b"},
		{"an empty match", "x*", Options{}, "foo", "«»foo"},
		{"a literal", "BAR", Options{}, "foo bar", "foo «bar»"},
		{"a literal that grows", "k", Options{}, "a \u212a", "a «\u212a»"},
		{"a whole word", "foo", Options{Word: true}, "foobar foo", "foobar «foo»"},
		{"the longer branch, to be a word", "foo|foobar", Options{Word: true}, "foobar", "«foobar»"},
		{"a boundary", `\b\w+\b$`, Options{}, "foo bar", "foo «bar»"},
		{"none", "x", Options{}, "foo", "foo"},
		{"none of an expression", "x+y", Options{}, "foo", "foo"},
	} {
		t.Run(test.name, func(t *testing.T) {
			start, end, ok, err := mustCompile(t, test.pattern, test.options).Find(context.Background(), []byte(test.line))
			if err != nil {
				t.Fatal(err)
			}
			got := test.line
			if ok {
				got = test.line[:start] + "«" + test.line[start:end] + "»" + test.line[end:]
			}
			if got != test.want {
				t.Errorf("%s found %s, want %s", patternName(test.pattern, test.options), got, test.want)
			}
		})
	}
}

// Where both mean the same, package regexp finds the same match.
func TestFindAgreesWithRegexp(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	n := 3000
	if testing.Short() {
		n = 300
	}
	for i := range n {
		pattern := asciiPattern(rng, 1+i%4)
		o := Options{CaseSensitive: i%2 == 0}
		p, err := Compile(pattern, o)
		if err != nil {
			t.Fatal(err)
		}
		flags := "(?i)"
		if o.CaseSensitive {
			flags = ""
		}
		re := regexp.MustCompile(flags + pattern)
		for range 5 {
			line := randomText(rng, "aabbcxX_- 01", rng.IntN(24))
			start, end, ok, err := p.Find(context.Background(), []byte(line))
			if err != nil {
				t.Fatal(err)
			}
			want := re.FindStringIndex(line)
			if ok != (want != nil) || ok && (start != want[0] || end != want[1]) {
				t.Errorf("%s in %q: [%d %d] %v, regexp has %v", patternName(pattern, o), line, start, end, ok, want)
			}
		}
	}
}

// asciiPattern returns a pattern that means the same to package regexp for text
// of ASCII. Repetitions of what may be empty are left out: engines differ in
// what such a match prefers.
func asciiPattern(rng *rand.Rand, depth int) string {
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	if depth == 0 {
		return pick("a", "b", "c", "x", "ab", "abc", "_", "-", " ", `\w`, `\d`, `\s`, `\W`, ".", "[ab]", "[^a]", "[a-c0]")
	}
	sub := func() string { return asciiPattern(rng, depth-1) }
	switch rng.IntN(6) {
	case 0:
		return "(?:" + sub() + "|" + sub() + ")"
	case 1:
		return "(?:" + pick("a", "b", "ab", "[ab]", `\w`, "x_") + ")" + pick("*", "+", "?", "{2}", "{1,3}", "*?", "+?", "??", "{2,}")
	case 2:
		return pick(`\b`, "^", `\B`) + sub()
	case 3:
		return sub() + pick(`\b`, "$", `\B`)
	}
	return sub() + sub()
}

func TestFindIsCancelled(t *testing.T) {
	left := 3
	_, _, _, err := mustCompile(t, `(?:\w+ )*z`, Options{}).Find(patient{context.Background(), &left}, []byte(strings.Repeat("word ", 1<<16)))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
