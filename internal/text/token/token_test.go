package token

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		name, text            string
		chars4, o200k, claude int
	}{
		{"no text is no tokens", "", 0, 0, 0},
		{"any text is at least one", " ", 1, 1, 1},
		{"a common word is one", "word", 1, 1, 2},
		{"the space before a word is part of it", "a word", 2, 2, 3},
		{"humps are words", "addEventListener", 4, 3, 5},
		{"numbers are cut into threes", "1234567", 2, 3, 4},
		{"one mark before a word is part of it", "a.b", 1, 2, 5},
		{"an elision is nearly free", "don't", 2, 1, 3},
		{"a rule is not counted by the character", strings.Repeat("-", 64), 16, 5, 8},
		{"but is not free however long", strings.Repeat("-", 16000), 4000, 841, 966},
		{"Chinese is counted by the character", "轮换签名密钥", 2, 4, 8},
		{"Japanese too", "はじめに", 1, 2, 4},
		{"a box is cheap", strings.Repeat("─", 64), 16, 10, 15},
		{"bytes that are not UTF-8 are dear", "\xff\xfe\xfd", 1, 8, 14},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for p, want := range map[Profile]int{Chars4(): tt.chars4, O200k(): tt.o200k, Claude(): tt.claude} {
				if got := p.CountString(tt.text); got != want {
					t.Errorf("%s: Count(%.40q) = %d, want %d", p, tt.text, got, want)
				}
			}
		})
	}
}

func TestLookup(t *testing.T) {
	for _, name := range Names() {
		p, err := Lookup(name)
		if err != nil || p.String() != name {
			t.Errorf("Lookup(%q) = %s, %v", name, p, err)
		}
	}
	_, err := Lookup("gpt2")
	if err == nil || err.Error() != `token profile "gpt2": unknown; there are chars4, claude, o200k` {
		t.Errorf("Lookup of an unknown name: %v", err)
	}
}

// A section of documentation and how many tokens it really has. See
// testdata/README.md for where they come from.
type section struct {
	Source  string
	O200k   int
	Claude3 int
	Text    string
}

// The promise of the prices, on sections the prices were not fitted to.
func TestCountIsCloseToExactCounts(t *testing.T) {
	sections := readSections(t)
	for _, tt := range []struct {
		profile     Profile
		exact       func(section) float64
		median, p95 float64
	}{
		{O200k(), func(s section) float64 { return float64(s.O200k) }, .04, .13},
		{Claude(), func(s section) float64 { return float64(s.Claude3) * 1.1 * 1.3 }, .04, .13},
	} {
		var off []float64
		mean := 0.0
		for _, s := range sections {
			e := float64(tt.profile.CountString(s.Text))/tt.exact(s) - 1
			off = append(off, math.Abs(e))
			mean += e / float64(len(sections))
		}
		slices.Sort(off)
		median, p95 := off[len(off)/2], off[len(off)*95/100]
		t.Logf("%-7s %d sections: median %.1f %%, 95 %% within %.1f %%, worst %.1f %%, mean %+.1f %%",
			tt.profile, len(off), 100*median, 100*p95, 100*off[len(off)-1], 100*mean)
		if median >= tt.median || p95 >= tt.p95 {
			t.Errorf("%s: median %.3f, p95 %.3f; want under %v and %v", tt.profile, median, p95, tt.median, tt.p95)
		}
	}
}

// Callers count blocks once and add; what they add up must not be much less
// than the whole, or a chunk outgrows its limit. One token is lost to rounding;
// a cut inside a line can lose another where it parts a mark from its space.
func TestCountOfTheWholeIsNoMoreThanOfItsParts(t *testing.T) {
	sections := readSections(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(sections).Draw(t, "section").Text
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		allowed := 2
		if rapid.Bool().Draw(t, "between lines") {
			cut = strings.LastIndexByte(text[:cut], '\n') + 1
			allowed = 1
		}
		for _, p := range []Profile{Chars4(), O200k(), Claude()} {
			whole, a, b := p.CountString(text), p.CountString(text[:cut]), p.CountString(text[cut:])
			if whole > a+b+allowed {
				t.Fatalf("%s: %d tokens, but %d + %d around byte %d of %q", p, whole, a, b, cut, text)
			}
		}
	})
}

func TestCountDoesNotAllocate(t *testing.T) {
	text := []byte(strings.Repeat("plain, 中文 and größer\n", 100))
	for _, p := range []Profile{Chars4(), O200k(), Claude()} {
		if n := testing.AllocsPerRun(100, func() { p.Count(text) }); n != 0 {
			t.Errorf("%s: %v allocations", p, n)
		}
	}
}

// No bytes are free: whatever is repeated, twice as much of it must cost more,
// so that no limit in tokens lets through text without end.
func FuzzCount(f *testing.F) {
	for _, s := range []string{"\n", " ", " \n", "-", "|-", "a", "A", "9", "é", "中", "─", "🙂", "\xff", "'", "\r\n\t", "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" || len(s) > 1000 {
			return
		}
		for _, p := range []Profile{Chars4(), O200k(), Claude()} {
			once := p.CountString(s)
			if n := p.Count([]byte(s)); n != once || n < 1 {
				t.Fatalf("%s: %d tokens as bytes, %d as a string: %q", p, n, once, s)
			}
			long := strings.Repeat(s, 1+1000/len(s))
			if n := p.CountString(long + long); n <= p.CountString(long) {
				t.Fatalf("%s: %d tokens in %q repeated to %d bytes, no more in twice that", p, n, s, len(long))
			}
		}
	})
}

func BenchmarkCount(b *testing.B) {
	var text []byte
	for _, s := range readSections(b) {
		text = append(text, s.Text...)
	}
	for _, p := range []Profile{Chars4(), O200k(), Claude()} {
		b.Run(p.String(), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				p.Count(text)
			}
		})
	}
}

func readSections(t testing.TB) []section {
	t.Helper()
	f, err := os.Open("testdata/sections.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []section
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var s section
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// Weights add up at line ends, and rounded are counts.
func TestWeightsAddUp(t *testing.T) {
	pieces := []string{
		"foo", "Foo", "BAR", "it's", " ", "  ", "\t", "\n", "\n\n", "\r\n", "#", "---", "1234", "é", "—", "—", "使用", "\"", "a.b", "```",
	}
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 20).Draw(t, "pieces"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		p, err := Lookup(rapid.SampledFrom(Names()).Draw(t, "profile"))
		if err != nil {
			t.Fatal(err)
		}
		a, b := text.Draw(t, "first")+"\n", strings.TrimLeft(text.Draw(t, "second"), "\r\n")
		both := p.Weigh([]byte(a + b))
		if sum := p.Weigh([]byte(a)) + p.Weigh([]byte(b)); sum != both {
			t.Fatalf("%v: %q weighs %d, its parts %d", p, a+b, both, sum)
		}
		if got, want := p.Round(both), p.CountString(a+b); got != want {
			t.Fatalf("%v: %q rounded %d, counted %d", p, a+b, got, want)
		}
	})
}
