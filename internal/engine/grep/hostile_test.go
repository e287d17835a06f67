package grep

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/gates/cases"
)

// nastyPatterns are expressions made to cost much: nested repetitions, automata
// with more states than memory, large classes, and whatever makes backtracking
// engines explode.
func nastyPatterns() []string {
	var out []string
	add := func(format string, numbers ...int) {
		for _, n := range numbers {
			out = append(out, strings.ReplaceAll(format, "N", fmt.Sprint(n)))
		}
	}
	sizes := []int{2, 10, 50, 200, 600, 990, 1000, 5000}
	add("(?:x?){N}y", sizes...)
	add("(?:x?){N}x{N}", sizes...)
	add("(?:[a-z]{0,N}){10}9", sizes...)
	add("(a|b)*a(a|b){N}[c-z]", sizes...)
	add("[ab]*a[ab]{N}[c-z]", sizes...)
	add(`(?:\w+\s*){N}!`, sizes...)
	add(`(?:\b\w*\b\W*){N}\z`, sizes...)
	add(`(?:a*){N}b`, sizes...)
	add(`(?:(?:a*)*)*{N}[^a]`, sizes...)
	add(`.{0,N}a.{0,N}b`, sizes...)
	add(`(?:.*){N}[^\x00-\x{10ffff}]`, sizes...)
	add(`\pL{N}\d`, sizes...)
	add(`[\w--a]{N}[^\w]\d`, sizes...)
	add(`((((((a{N}){N}){N}){N}){N}){N})`, sizes...)
	add(`(?:a|aa|aaa|aaaa){N}b`, sizes...)
	add(`(?:^|x|$|\b|\B){N}q`, sizes...)
	add(`(?:[a-c]|[b-d]|[c-e]){N}z[a-z]`, sizes...)
	add(`(?i:(?:k|s|\x{212a}|\x{17f})){N}[^k]`, sizes...)
	add(`(?:(?:x{0,N})?y?)*z[^a-z]`, sizes...)
	add(`(?:\d{N}|\w{N})-`, sizes...)
	long := []string{
		"(", "[", "(?:", "[^", "[[", "(?i:", "a|", "|", "a?", "a*", "(a|b)", "[ab]", `\w`, `\W`, `[^\w]`, `[\w&&\pL]`, `\b`, `\B`, "^", "$", ".", ".*", ".*?",
		`\p{Lu}`, "[a-z&&", "[a--", "(a*)*", "(a?)?", "k", "\u212a", "[k-s]", "使", "x{2}", `\x{10ffff}`, `[\x00-\x{10ffff}]`, "(?x: a )", "ab", "abb",
	}
	for _, s := range long {
		out = append(out, strings.Repeat(s, MaxExpression/len(s)))
		out = append(out, strings.Repeat(s, MaxExpression/2/len(s))+strings.Repeat(")", 40))
	}
	var different strings.Builder // classes that share nothing
	for r := 'a'; different.Len() < MaxExpression-12; r++ {
		fmt.Fprintf(&different, `[\w--%c]`, r)
	}
	return append(out, different.String(), strings.Repeat(`[^\W\d]*`, 60), strings.Repeat("(?:a|b)?", 60)+"c")
}

// Every nasty pattern is refused for a reason, or answered: with a context that
// is not done, to the end.
func TestNastyPatternsAreAnsweredOrRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	size := 4 << 10
	if testing.Short() {
		size = 1 << 10
	}
	texts := []string{
		strings.Repeat("x", size), strings.Repeat("a", size), randomText(rng, "ab", size),
		strings.Repeat("word ", size/5), strings.Repeat("kK\u212as", size/6), strings.Repeat("使用", size/6), madeText(rng, size/40),
	}
	patterns := nastyPatterns()
	if len(patterns) < 200 {
		t.Errorf("only %d patterns", len(patterns))
	}
	refused := 0
	for _, pattern := range patterns {
		p, err := Compile(pattern, Options{})
		if err != nil {
			if !errors.Is(err, ErrSyntax) && !errors.Is(err, ErrTooBig) && !errors.Is(err, ErrTooLong) {
				t.Errorf("%.40q: %v", pattern, err)
			}
			refused++
			continue
		}
		for _, text := range texts {
			if err := p.Lines(context.Background(), []byte(text), func(Line) bool { return true }); err != nil {
				t.Errorf("%.40q: %v", pattern, err)
			}
		}
	}
	t.Logf("%d patterns, %d refused", len(patterns), refused)
	cases.Tried(t, "P8", len(patterns))
}
