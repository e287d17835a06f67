package grep

import (
	"math/rand/v2"
	"regexp"
	"testing"
)

// Where both mean the same, package regexp finds the same lines.
func TestLinesAgreeWithRegexp(t *testing.T) {
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
			if got, want := len(numbers(t, p, line)) > 0, line != "" && re.MatchString(line); got != want {
				t.Errorf("%s in %q: %v, regexp says %v", patternName(pattern, o), line, got, want)
			}
		}
	}
}

// asciiPattern returns a pattern that means the same to package regexp for text
// of ASCII.
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
