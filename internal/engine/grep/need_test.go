package grep

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNeed(t *testing.T) {
	for _, test := range []struct {
		pattern string
		options Options
		want    string
	}{
		{"foo", Options{}, `"foo"`},
		{"foo", Options{Word: true}, `|"foo"|`},
		{"foo bar", Options{Fixed: true, Word: true}, `|"foo bar"|`},
		{"-foo-", Options{Word: true}, `"-foo-"`}, // its ends are no words
		{`\bfoo`, Options{}, `|"foo"`},
		{`foo\b`, Options{}, `"foo"|`},
		{`\<foo\>`, Options{}, `|"foo"|`},
		{`^foo$`, Options{}, `|"foo"|`},
		{`\Bfoo`, Options{}, `"foo"`},
		{"price|cost|billing", Options{}, `one("price", "cost", "billing")`},
		{"price|cost|billing", Options{Word: true}, `one(|"price"|, |"cost"|, |"billing"|)`},
		{"foo|foobar", Options{}, `"foo"`},
		{"foo|", Options{}, "nothing"},
		{"foo?", Options{}, `"fo"`}, // that or "foo", which contains it
		{"colou?r", Options{}, `one("colour", "color")`},
		{"[bc]ar", Options{}, `one("bar", "car")`},
		{"[bc]ar", Options{CaseSensitive: true}, `one("bar", "car")`},
		{"[a-z]ar", Options{}, `"ar"`},
		{`foo\w+bar`, Options{}, `all("foo", "bar")`},
		{`foo\s+bar`, Options{}, `all("foo"|, |"bar")`},
		{`foo\s*bar`, Options{}, `all("foo", "bar")`},
		{`foo.*foo`, Options{}, `"foo"`},
		{`addEventListener\("\w+"`, Options{}, `all("addEventListener(\"", "\"")`},
		{`\b[A-Z]\w+Controller\b`, Options{}, `"Controller"|`},
		{`\d{4}-\d{2}-\d{2}`, Options{}, `"-"`},
		{"(?:foo)+bar", Options{}, `all("foo", "bar")`},
		{"x(?:foo)+", Options{}, `"xfoo"`},
		{"(?:ab){3}", Options{}, `"ababab"`},
		{"(?:ab){2,}c", Options{}, `all("abab", "c")`},
		{"(?:ab)*c", Options{}, `"c"`},
		{"(?:foo|ba[rz])x", Options{}, `one("foox", "barx", "bazx")`},
		{`(?:foo\d|bar)x`, Options{}, `all(one("foo", "bar"), "x")`},
		{`[("]foo[)"]`, Options{}, `one("\"foo\"", "\"foo)", "(foo\"", "(foo)")`},
		{`[^\w]foo\W`, Options{}, `|"foo"|`},
		{`(?:\s|^)foo(?:\s|$)`, Options{}, `|"foo"|`},
		{`(?:\s|x)foo`, Options{}, `"foo"`},
		{"(?i:K)elvin", Options{CaseSensitive: true}, `"Kelvin"`},
		{`\w+`, Options{}, "nothing"},
		{"", Options{}, "nothing"},
		{"^$", Options{}, "nothing"},
	} {
		p := mustCompile(t, test.pattern, test.options)
		if got := p.Need().String(); got != test.want {
			t.Errorf("%s needs %s, want %s", patternName(test.pattern, test.options), got, test.want)
		}
	}
}

func TestNeedIsNeverLarge(t *testing.T) {
	many := make([]string, 80)
	for i := range many {
		many[i] = string(rune('a'+i%26)) + string(rune('a'+i/26)) + "x"
	}
	for _, pattern := range []string{
		strings.Join(many, "|"),
		strings.Join(many, ".+"),
		strings.Repeat("[ab]", 60),
		strings.Repeat("(?:ab|cd)", 50),
		strings.Repeat(`(?:ab\d|cd)`, 40),
	} {
		if n := mustCompile(t, pattern, Options{}).Need(); n.literals() > maxNeed {
			t.Errorf("%.20s needs %d literals", pattern, n.literals())
		}
	}
}

// satisfies is what a Need promises, in the plainest form.
func satisfies(line string, n Need) bool {
	switch n.Op {
	case NeedLiteral:
		return contains(line, n.Literal)
	case NeedAll:
		for _, sub := range n.Sub {
			if !satisfies(line, sub) {
				return false
			}
		}
	case NeedOne:
		for _, sub := range n.Sub {
			if satisfies(line, sub) {
				return true
			}
		}
		return false
	}
	return true
}

func contains(line string, l Literal) bool {
	want, have := []rune(l.Text), []rune(line)
	word := func(i int) bool { return i >= 0 && i < len(have) && have[i] != utf8.RuneError && isWord(have[i]) }
next:
	for i := 0; i+len(want) <= len(have); i++ {
		for j, r := range want {
			if !strings.EqualFold(string(have[i+j]), string(r)) {
				continue next
			}
		}
		if l.Left && word(i-1) || l.Right && word(i+len(want)) {
			continue
		}
		return true
	}
	return false
}

// checkNeed fails if a line matches and has not what it needs.
func checkNeed(t *testing.T, p *Pattern, text string) {
	t.Helper()
	if err := p.Lines(context.Background(), []byte(text), func(l Line) bool {
		if line := text[l.Start:l.End]; !satisfies(line, p.Need()) {
			t.Errorf("matches %q, which lacks %v", line, p.Need())
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
}

func TestMatchingLinesHaveWhatTheyNeed(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	n := 2000
	if testing.Short() {
		n = 300
	}
	for i := range n {
		pattern := madePattern(rng, 1+i%5)
		p, err := Compile(pattern, Options{CaseSensitive: i%3 == 0, Word: i%4 == 0, Fixed: i%17 == 0})
		if err != nil {
			continue
		}
		checkNeed(t, p, madeText(rng, 30))
		if t.Failed() {
			t.Fatalf("pattern %q", pattern)
		}
	}
}

func FuzzNeed(f *testing.F) {
	for i, pattern := range handPatterns {
		f.Add(pattern, strings.Join(words[i%len(words):], " "), i%3 == 0, i%5 == 0)
	}
	f.Fuzz(func(t *testing.T, pattern, text string, caseSensitive, word bool) {
		p, err := Compile(pattern, Options{CaseSensitive: caseSensitive, Word: word})
		if err != nil || len(text) > 1<<12 {
			return
		}
		checkNeed(t, p, strings.ToValidUTF8(text, "?"))
	})
}
