package grep

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

func mustCompile(t testing.TB, pattern string, o Options) *Pattern {
	t.Helper()
	p, err := Compile(pattern, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// numbers returns the numbers of the lines that match.
func numbers(t testing.TB, p *Pattern, text string) []int {
	t.Helper()
	var out []int
	if err := p.Lines(context.Background(), []byte(text), func(l Line) bool {
		out = append(out, l.Number)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestLines(t *testing.T) {
	for _, test := range []struct {
		name    string
		pattern string
		options Options
		text    string
		want    []int
	}{
		{"case does not matter by default", "foo", Options{}, "Foo\nbar\nFOO", []int{1, 3}},
		{"case matters on request", "foo", Options{CaseSensitive: true}, "Foo\nfoo", []int{2}},
		{"a line is reported once", "o", Options{}, "foo foo\nfoo", []int{1, 2}},
		{"every line matches nothing", "", Options{}, "a\n\nb", []int{1, 2, 3}},
		{"no line follows the last newline", "", Options{}, "a\n", []int{1}},
		{"an empty text has no lines", "", Options{}, "", nil},
		{"a carriage return belongs to the line", `foo\z`, Options{}, "foo\r\nfoo\n", []int{2}},
		{"a line ends before its carriage return too", "foo$", Options{}, "foo\r\nfoo\nfoo\rx\r\n", []int{1, 2}},
		{"a whole line with a carriage return", "^foo$", Options{CaseSensitive: true}, "foo\r\nfoo\r\r\nxfoo\r\n", []int{1}},
		{"an empty line with a carriage return", "^$", Options{}, "\r\nfoo\r\n\n", []int{1, 3}},
		{"a word at the end of a line with a carriage return", "foo$", Options{Word: true}, "a foo\r\nafoo\r\n", []int{1}},
		{"one end or another before a carriage return", "(foo|bar)$", Options{}, "foo\r\nbar\r\nbarx\r\n", []int{1, 2}},
		{"a carriage return can be asked for", `foo\r$`, Options{}, "foo\r\nfoo\n", []int{1}},
		{"a byte order mark is not in the first line", "^foo", Options{}, "\ufefffoo\n\ufefffoo", []int{1}},
		{"a match stays within its line", `a\s+b`, Options{}, "a\nb\na b", []int{3}},
		{"a negated class stays within its line", `a[^x]b`, Options{}, "a\nb\na-b", []int{3}},
		{"^ and $ are the ends of each line", `^b$`, Options{}, "a\nb\nbb\nb", []int{2, 4}},
		{`\A and \z are too`, `\Ab\z`, Options{}, "a\nb\nbb\nb", []int{2, 4}},
		{"a dot is one character, not one byte", "^.$", Options{}, "é\nab\n使", []int{1, 3}},
		{"the Kelvin sign is a k", "kelvin", Options{}, "\u212aELVIN", []int{1}},
		{"the long s is an s", "[r-t]ale", Options{}, "\u017fale", []int{1}},
		{"the small sigmas are one", "ς", Options{}, "Σ\nσ\nς\ns", []int{1, 2, 3}},
		{"the sharp s has a capital", "maße", Options{}, "MAẞE\nMASSE", []int{1}},
		{"the dotted capital I is no i", "i", Options{}, "İ\nI", []int{2}},
		{"letters of all scripts are word characters", `^\w+$`, Options{}, "é\n使用\nа\n-", []int{1, 2, 3}},
		{"digits of all scripts are digits", `^\d+$`, Options{}, "12\n١٢\nx²", []int{1, 2}},
		{"spaces of all scripts are spaces", `^\s$`, Options{}, " \n\u00a0\n\u3000\nx", []int{1, 2, 3}},
		{`\b knows letters of all scripts`, `\bfoo\b`, Options{}, "éfoo\nfoo使\n«foo»", []int{3}},
		{`\b may stand inside`, `o\b.\bb`, Options{}, "foo bar\nfoobar\nfoo_bar", []int{1}},
		{`\B is not \b`, `\Bfoo`, Options{}, "foo\nxfoo", []int{2}},
		{"words", "foo", Options{Word: true}, "foo\nfoobar\nfoo_\nfoo-bar\néfoo", []int{1, 4}},
		{"words are found behind parts of words", "aa", Options{Word: true}, "aaa aa", []int{1}},
		{"words may begin with other characters", "-foo", Options{Word: true}, "x-foo\n -foo\n--foo", []int{2, 3}},
		{"a word may be a choice", "foo|foobar", Options{Word: true}, "foobar\nfoobarx", []int{1}},
		{"plain text has no operators", "a.b*", Options{Fixed: true}, "axb\nA.B*", []int{2}},
		{"plain words", "a.b", Options{Fixed: true, Word: true}, "xa.b\na.b", []int{2}},
		{"a choice", "price|cost|billing", Options{}, "Prices\nnone\ncosts\nbilling", []int{1, 3, 4}},
		{"nested classes", "^[a-z&&[^aeiou]]+$", Options{}, "bcd\nabc", []int{1}},
		{"a set minus another", `^[\w--[0-9]]+$`, Options{}, "abc\nab1", []int{1}},
		{"a set or another, not both", "^[a-c~~b-d]+$", Options{}, "ad\nb", []int{1}},
		{"flags hold to the end of the group", "(?:(?-i)F)oo|BAR", Options{}, "foo\nFOO\nbar", []int{2, 3}},
		{"flags hold in later branches", "a(?-i)B|C", Options{}, "aB\nab\nc\nC", []int{1, 4}},
		{"spaces may be put in", "(?x) f o o # the word", Options{}, "foo", []int{1}},
		{"the start and end of a word", `\<foo\>`, Options{}, "foo\nfoox\nxfoo", []int{1}},
		{"the same by name", `\b{start}foo\b{end}`, Options{}, "foo\nfoox\nxfoo", []int{1}},
		{"an empty class matches nothing", "[a&&b]|c", Options{}, "a\nc", []int{2}},
		{"a repetition of nothing", "(){1000000}a", Options{}, "a", []int{1}},
		{"bytes that are no text match nothing", "^.$", Options{}, "\xff\na", []int{2}},
		{"nor does the replacement character match them", "\ufffd", Options{}, "\xff\n\ufffd", []int{2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := numbers(t, mustCompile(t, test.pattern, test.options), test.text); !slices.Equal(got, test.want) {
				t.Errorf("%s matches lines %v of %q, want %v", patternName(test.pattern, test.options), got, test.text, test.want)
			}
		})
	}
}

func TestLinesSayWhereTheyAre(t *testing.T) {
	text := "\ufeffone\ntwo foo\r\n\nfoo"
	for _, pattern := range []string{"foo", "fo+", "f.o|x", "foo|bar"} {
		var got []string
		p := mustCompile(t, pattern, Options{})
		if err := p.Lines(context.Background(), []byte(text), func(l Line) bool {
			got = append(got, text[l.Start:l.End])
			return true
		}); err != nil {
			t.Fatal(err)
		}
		if want := []string{"two foo\r", "foo"}; !slices.Equal(got, want) {
			t.Errorf("%s: lines %q, want %q", pattern, got, want)
		}
	}
}

func TestLinesStopWhenTold(t *testing.T) {
	for _, pattern := range []string{"foo", "fo+", "[fg]oo", "foo|bar", ""} {
		n := 0
		p := mustCompile(t, pattern, Options{})
		if err := p.Lines(context.Background(), []byte(strings.Repeat("foo\n", 100)), func(Line) bool {
			n++
			return n < 3
		}); err != nil || n != 3 {
			t.Errorf("%q: %d lines and error %v, want 3 and none", pattern, n, err)
		}
	}
}

// patient is a context that is done after Err was asked a number of times.
type patient struct {
	context.Context
	left *int
}

func (p patient) Err() error {
	if *p.left--; *p.left < 0 {
		return context.Canceled
	}
	return nil
}

// However a text is searched, the context is asked every so often: within a long
// line, between short ones, and while an automaton grows.
func TestLinesAreCancelled(t *testing.T) {
	for _, test := range []struct{ name, pattern, text string }{
		{"literal", "foo", strings.Repeat("the line\n", 1<<17)},
		{"literals", "foo|bar", strings.Repeat("the line\n", 1<<17)},
		{"candidates", `foo\d`, strings.Repeat("foo line\n", 1<<17)},
		{"automaton", `\d{4}-\d\d`, strings.Repeat("the line\n", 1<<17)},
		{"automaton in one line", `\d{4}-\d\d`, strings.Repeat("the line ", 1<<17)},
		{"many states", `[ab]*a[ab]{200}[c-z]`, randomText(rand.New(rand.NewPCG(1, 1)), "ab", 1<<16)},
	} {
		t.Run(test.name, func(t *testing.T) {
			left := 5
			p := mustCompile(t, test.pattern, Options{})
			err := p.Lines(patient{context.Background(), &left}, []byte(test.text), func(Line) bool { return true })
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want context.Canceled", err)
			}
		})
	}
}

func randomText(rng *rand.Rand, of string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = of[rng.IntN(len(of))]
	}
	return string(b)
}

// The fast ways to search agree with the slow, obvious one: to walk through the
// program in every line.
func TestLinesAgreeWithTheProgram(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	n := 1500
	if testing.Short() {
		n = 200
	}
	for i := range n {
		pattern := madePattern(rng, 1+i%5)
		o := Options{CaseSensitive: rng.IntN(3) == 0, Word: rng.IntN(4) == 0, Fixed: rng.IntN(9) == 0}
		p, err := Compile(pattern, o)
		if err != nil {
			continue
		}
		text := madeText(rng, 40)
		if got, want := numbers(t, p, text), numbersByNFA(p, text); !slices.Equal(got, want) {
			t.Errorf("%s: lines %v, one by one %v, of\n%q", patternName(pattern, o), got, want, text)
		}
	}
}

func numbersByNFA(p *Pattern, text string) []int {
	prog := p.prog
	if prog == nil { // a single literal: what a program would say
		f := &p.literals.list[0]
		n := literalNode(string(f.runes), f.fold)
		n.sub = append([]*node{{op: opLook, look: f.pre}}, append(n.sub, &node{op: opLook, look: f.post})...)
		prog = compile(n)
	}
	var out []int
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		if matches(prog, []byte(strings.TrimSuffix(line, "\n"))) {
			out = append(out, number)
		}
	}
	return out
}

// An automaton that outgrows its memory begins again and goes on where it was.
func TestLinesWithMoreStatesThanMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var b strings.Builder
	for range 400 {
		b.WriteString(randomText(rng, "ab", 100+rng.IntN(100)))
		b.WriteString([]string{"\n", "c\n", "d\n"}[rng.IntN(3)])
	}
	p := mustCompile(t, `\ba[ab]*b[ab]{90}(?:c|d\b)`, Options{})
	d := p.pool.Get().(*dfa)
	resets := 0
	states := len(d.next)
	text := []byte(b.String())
	for at := 0; at < len(text); {
		i, err := d.find(context.Background(), text[at:])
		if err != nil {
			t.Fatal(err)
		}
		if len(d.next) < states {
			resets++
		}
		states = len(d.next)
		if i < 0 {
			break
		}
		at += i + 1
	}
	if resets == 0 {
		t.Error("the automaton never outgrew its memory")
	}
	if got, want := numbers(t, p, b.String()), numbersByNFA(p, b.String()); !slices.Equal(got, want) {
		t.Errorf("lines %v, one by one %v", got, want)
	}
}

func TestPatternsServeManyGoroutines(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	text := madeText(rng, 300)
	for _, pattern := range []string{"foo", "price|cost|billing", `\w+\s\d+`, `\bfoo\b.*bar`} {
		p := mustCompile(t, pattern, Options{})
		want := numbers(t, p, text)
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				if got := numbers(t, p, text); !slices.Equal(got, want) {
					t.Errorf("%q: lines %v, want %v", pattern, got, want)
				}
			})
		}
		wait.Wait()
	}
}
