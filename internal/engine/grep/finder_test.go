package grep

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestPairFindsAllThereIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom([]byte("abAB[{ \n\xc3\xa9`@")), 0, 70).Draw(t, "text")
		first := rapid.SampledFrom([]byte("aA[b@")).Draw(t, "first")
		second := rapid.SampledFrom([]byte("bB{a ")).Draw(t, "second")
		fold := rapid.Bool().Draw(t, "fold")
		p := newPair(first, second, fold)
		want := -1
		for i := 0; i+1 < len(text) && want < 0; i++ {
			if fold && text[i]|0x20 == first|0x20 && text[i+1]|0x20 == second|0x20 ||
				!fold && text[i] == first && text[i+1] == second {
				want = i
			}
		}
		if got := p.index(text); got != want {
			t.Fatalf("found at %d, stands at %d", got, want)
		}
	})
}

// occurrences returns every place where the literal stands, by looking at each.
func occurrences(text, literal string, fold bool) [][2]int {
	var out [][2]int
	for i := range text {
		n := 0
		rest := text[i:]
		for _, want := range literal {
			var r rune
			for _, r = range rest {
				break
			}
			size := len(string(r))
			if rest == "" || string(r) != rest[:min(size, len(rest))] || r != want && (!fold || foldRune(r) != foldRune(want)) {
				n = -1
				break
			}
			n += size
			rest = rest[size:]
		}
		if n >= 0 {
			out = append(out, [2]int{i, i + n})
		}
	}
	return out
}

// A cursor and the way of Knuth, Morris and Pratt find the same places as
// looking everywhere does.
func TestFindersFindEveryOccurrence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]string{"ab", "aAbB", "k\u212aK", "s\u017f ", "é\u00c9e", "σςΣa", "使用a", "xyzq "}).Draw(t, "letters")
		draw := func(name string, low, high int) string {
			return string(rapid.SliceOfN(rapid.SampledFrom([]rune(letters)), low, high).Draw(t, name))
		}
		text, literal := draw("text", 0, 60), draw("literal", 1, 5)
		fold := rapid.Bool().Draw(t, "fold")
		want := occurrences(text, literal, fold)

		f := newFinder(literal, fold, 0, 0)
		var got [][2]int
		c := newCursor(&f, []byte(text))
		c.seek(0)
		for {
			start, end, ok := c.next()
			if !ok {
				break
			}
			got = append(got, [2]int{start, end})
		}
		if !slices.Equal(got, want) {
			t.Fatalf("a cursor finds %v, want %v", got, want)
		}
		got = nil
		f.each([]byte(text), func(start, end int) bool {
			got = append(got, [2]int{start, end})
			return true
		})
		if !slices.Equal(got, want) {
			t.Fatalf("the linear way finds %v, want %v", got, want)
		}
	})
}

// A text that makes a cursor compare in vain everywhere is searched in another
// way, with the same result.
func TestTiredCursors(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	literal := strings.Repeat("abb", 300) + "aabb"
	var b bytes.Buffer
	for range 60 {
		b.WriteString(strings.Repeat("abb", 200+rng.IntN(300)))
		b.WriteString([]string{"aabb\n", "\n", "aabbx\n", "aab\n"}[rng.IntN(4)])
	}
	b.WriteString(literal) // in the last line, without an end
	for _, o := range []Options{{}, {CaseSensitive: true}, {Word: true}} {
		p := mustCompile(t, literal, o)
		c := newCursor(&p.literals.list[0], b.Bytes())
		c.seek(0)
		for ok := true; ok; {
			_, _, ok = c.next()
		}
		if !c.tired {
			t.Errorf("%+v: the text does not make a cursor tired", o)
		}
		if got, want := numbers(t, p, b.String()), numbersByNFA(p, b.String()); !slices.Equal(got, want) {
			t.Errorf("%+v: lines %v, want %v", o, got, want)
		}
	}
}
