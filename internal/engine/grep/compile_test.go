package grep

import (
	"errors"
	"strings"
	"testing"
	"unicode"
)

func TestAnInvalidPatternSaysWhere(t *testing.T) {
	for _, test := range []struct{ pattern, want string }{
		{"[unclosed", `invalid regex: [unclosed: at character 1, "[": the class has no closing ]; write \[ for a plain bracket`},
		{"a[b[c]", `at character 2, "[": the class has no closing ]`},
		{"é(a", `invalid regex: é(a: at character 2, "(": the group has no closing )`},
		{"a)", `at character 2, ")": no group is open here`},
		{"a|*b", `at character 3, "*": nothing stands before it to repeat; write \* for the character itself`},
		{"map{", `at character 4, "{": no count follows the {; write \{ for a plain brace`},
		{"{x}", `at character 1, "{": nothing stands before it to repeat`},
		{"a{2", `at character 2, "{2": the count has no closing }`},
		{"a{3,2}", `at character 2, "{3,2}": the count ends before it begins`},
		{"a{99999999999}", `the count is too high`},
		{`C:\users`, `at character 3, "\u": the escape needs 4 hexadecimal digits`},
		{`\q`, `at character 1, "\q": there is no such escape; write \\ for a plain backslash`},
		{`a\`, `at character 2, "\": nothing follows the backslash`},
		{`(a)\1`, `at character 4, "\1": references to groups are not supported`},
		{`a(?=b)`, `at character 2, "(?=": looking ahead or behind is not supported`},
		{`(?-u)\w`, `at character 4, "u": matching bytes instead of characters is not supported`},
		{`(?q)`, `at character 3, "q": there is no such flag`},
		{`(?i-)a`, `at character 4, "-": no flag follows the -`},
		{`(?ii)a`, `at character 4, "i": the flag is there twice`},
		{`\p{Emoji}`, `at character 1, "\p{Emoji}": no such property is known here`},
		{`[z-a]`, `at character 2, "z-a": the range ends before it begins`},
		{`[a-\d]`, `at character 4, "\d": a range must begin and end with a character`},
		{`[\b]`, `at character 2, "\b": a class cannot contain a place`},
		{`(?P<n>a)(?P<n>b)`, `at character 13, "n": two groups have this name`},
		{`\x{110000}`, `there is no character of that number`},
		{`a\n`, `at character 2, "\n": a pattern is matched line by line`},
		{"a\nb", `invalid regex: a\x{a}b: at character 2, "\x{a}": a pattern is matched line by line`},
		{"a\xffb", `at character 2: the pattern is not UTF-8`},
	} {
		_, err := Compile(test.pattern, Options{})
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: error %v, want a SyntaxError", test.pattern, err)
			continue
		}
		if !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "invalid regex: ") {
			t.Errorf("%q: error\n%v, want\n%s", test.pattern, err, test.want)
		}
	}
}

func TestLargePatternsAreRefused(t *testing.T) {
	for _, test := range []struct {
		name    string
		pattern string
		options Options
		want    error
	}{
		{"a long expression", strings.Repeat("a.", 256), Options{}, nil},
		{"a longer one", strings.Repeat("a.", 257), Options{}, ErrTooLong},
		{"a long plain text", strings.Repeat("ab", 2048), Options{}, nil},
		{"a longer one", strings.Repeat("ab", 2049), Options{}, ErrTooLong},
		{"a long text that is to be taken as it is", strings.Repeat("a.", 2048), Options{Fixed: true}, nil},
		{"a longer one", strings.Repeat("a.", 2049), Options{Fixed: true}, ErrTooLong},
		{"many steps", "[ab]{1998}", Options{}, nil},
		{"too many", "[ab]{2001}", Options{}, ErrTooBig},
		{"too many in a product", "(?:(?:a{10}){20}b{5}){10}", Options{}, ErrTooBig},
		{"far too many", "(((((a{1000}){1000}){1000}){1000}){1000}){1000}", Options{}, ErrTooBig},
		{"optional ones", "(?:x?){1000}y", Options{}, ErrTooBig},
		{"optional classes", "(?:[a-z]{0,100}){10}9", Options{}, ErrTooBig},
		{"large classes are one step", strings.Repeat(`[\w\pL]`, 73), Options{}, nil},
	} {
		p, err := Compile(test.pattern, test.options)
		if !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", test.name, err, test.want)
		}
		if p != nil && p.prog != nil && len(p.prog.code) > MaxProgram+4 {
			t.Errorf("%s: %d instructions", test.name, len(p.prog.code))
		}
	}
}

// A tree is never larger than it says, which is what the cap counts.
func TestSizeIsWhatIsCompiled(t *testing.T) {
	for _, pattern := range append(handPatterns, "a{3,7}b*(c|d|e)+?", "((a?){3}){2,}") {
		n, err := parse(pattern, true)
		if err != nil {
			continue
		}
		if got, want := len(compile(n).code), n.size(1<<20)+1; got != want {
			t.Errorf("%q compiles to %d instructions, says %d", pattern, got, want)
		}
	}
}

// The table of cases is complete, so that folding a class leaves none out.
func TestEveryCaseIsFolded(t *testing.T) {
	cased := casedClass()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if cased.has(r) != (unicode.SimpleFold(r) != r) {
			t.Errorf("%U: has another case: %v, in the table: %v", r, unicode.SimpleFold(r) != r, cased.has(r))
		}
		if len(orbit(r)) > maxCases {
			t.Errorf("%U has %d cases", r, len(orbit(r)))
		}
	}
}

func TestClassesAreSets(t *testing.T) {
	a, b := class{{'a', 'm'}, {'x', 'z'}}, class{{'k', 'y'}, {0x4e00, 0x9fff}}
	for r := rune(0); r < 0x5000; r++ {
		inA, inB := a.has(r), b.has(r)
		for name, got := range map[string]struct{ is, want bool }{
			"union":     {a.union(b).has(r), inA || inB},
			"intersect": {a.intersect(b).has(r), inA && inB},
			"minus":     {a.minus(b).has(r), inA && !inB},
			"negate":    {a.negate().has(r), !inA},
		} {
			if got.is != got.want {
				t.Fatalf("%s: %q: %v", name, r, got.is)
			}
		}
		if r > 0x200 && r < 0x4d00 {
			r = 0x4d00
		}
	}
}
