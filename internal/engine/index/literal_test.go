package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestMayContain(t *testing.T) {
	texts := []string{
		"AbortController aborts",
		"controller and controllers",
		"使用服务 Pod",
		"the snake_case_name",
		"a-b-c",
	}
	s := searcherOf(t, texts...)
	for _, c := range []struct {
		name        string
		text        string
		left, right bool
		want        []uint32
	}{
		{"anywhere in a word", "troll", false, false, []uint32{0, 1}},
		{"case does not matter", "CONTROLLER", false, false, []uint32{0, 1}},
		{"a whole word", "controller", true, true, []uint32{1}},
		{"the end of a word", "controller", false, true, []uint32{0, 1}},
		{"the beginning of a word", "controller", true, false, []uint32{1}},
		{"inner words are whole", "and controllers", false, false, []uint32{1}},
		{"all words must be there", "abort controller", false, false, nil},
		{"part of a name", "case_na", false, false, []uint32{3}},
		{"characters without spaces", "用服", false, false, []uint32{2}},
		{"one of them", "服", false, false, []uint32{2}},
		{"two scripts", "务 pod", false, false, []uint32{2}},
		{"absent", "zebra", false, false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, ok, err := s.MayContain(Literal{c.text, c.left, c.right})
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			if got := slices.Collect(set.All()); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	for _, text := range []string{"", "...", " - ", "a\xff"} {
		if _, ok, err := s.MayContain(Literal{Text: text}); ok || err != nil {
			t.Errorf("%q tells texts apart (%v)", text, err)
		}
	}
}

// A file of 10 MiB of words that occur once took 3 s and 280 MiB. Beyond MaxForms they are
// no terms of their own; the text that has them is one that grep reads, and the same
// words in another group are found as ever.
func TestUnlistedWords(t *testing.T) {
	var b Builder
	w := b.Writer()
	add := func(key uint64, text string) {
		if err := w.Add(key, Text{Body: text, Rest: text}); err != nil {
			t.Fatal(err)
		}
	}
	var many strings.Builder
	for i := range MaxForms {
		fmt.Fprintf(&many, "w%d ", i)
	}
	w.Begin()
	add(0, many.String())
	if w.Overflows() {
		t.Error("as many as there may be are too many")
	}
	add(1, "zebra w7")
	add(2, "w7 w8")
	if !w.Overflows() {
		t.Error("one more is not too many")
	}
	w.Begin()
	add(3, "zebra")
	add(4, "w7")
	parts, err := b.Finish(1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := inMemory(parts)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSearcher([]Input{{Reader: r}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		literal string
		want    []uint32
	}{
		{"zebra", []uint32{1, 3}}, // the first of them because it has something unlisted
		{"w7", []uint32{0, 1, 2, 4}},
		{"w8", []uint32{0, 1, 2}},
		{"absent", []uint32{1}},
	} {
		set, ok, err := s.MayContain(Literal{c.literal, true, true})
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if got := slices.Collect(set.All()); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.literal, got, c.want)
		}
	}
	if n := r.terms.count; n != MaxForms+2 {
		t.Errorf("%d terms, want those of the first text, zebra, and the one for the rest", n)
	}
}

func isWordRune(r rune) bool { return classOf(r) != notWord }

// checkGuarantee cuts a piece out of a text, changes its case, and demands that
// the text is among those that may contain it.
func checkGuarantee(t interface{ Fatalf(string, ...any) }, s *Searcher, num uint32, text string, rng *rand.Rand) {
	runes := []rune(text)
	if len(runes) == 0 {
		return
	}
	from := rng.IntN(len(runes))
	to := min(from+1+rng.IntN(12), len(runes))
	literal := slices.Clone(runes[from:to])
	for i, r := range literal {
		if r == utf8.RuneError {
			return
		}
		if rng.IntN(2) == 0 {
			literal[i] = unicode.SimpleFold(r)
		}
	}
	l := Literal{Text: string(literal)}
	l.Left = from == 0 || isWordRune(runes[from-1]) != isWordRune(runes[from])
	l.Right = to == len(runes) || isWordRune(runes[to-1]) != isWordRune(runes[to])
	set, ok, err := s.MayContain(l)
	if err != nil {
		t.Fatalf("%+v: %v", l, err)
	}
	if ok && !set.Has(num) {
		t.Fatalf("text %d %q is not among those that may contain %+v", num, text, l)
	}
}

// A text that contains a literal is always among those that may.
func TestMayContainMissesNothing(t *testing.T) {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"addEventListener", "使用", "ß", "K", "_", "-", "文", "ſ", "\xff", "e\u0301", "²", "ⅷ", "か\u3099", " ", ".", "::", "ไทย"}),
		rapid.StringN(0, 4, -1),
	)
	rapid.Check(t, func(t *rapid.T) {
		texts := make([]Text, rapid.IntRange(1, 4).Draw(t, "texts"))
		whole := make([]string, len(texts))
		for i := range texts {
			text := strings.Join(rapid.SliceOfN(piece, 0, 20).Draw(t, "pieces"), "")
			whole[i] = text
			switch rapid.IntRange(0, 3).Draw(t, "field") {
			case 0:
				texts[i].Title = text
			case 1:
				texts[i].Headings = text
			case 2:
				texts[i].Body = text
			case 3:
				texts[i].Rest = text
			}
		}
		parts, err := Build(len(texts), func(i int) Text { return texts[i] }, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := inMemory(parts)
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewSearcher([]Input{{Reader: r}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range 20 {
			i := rng.IntN(len(texts))
			checkGuarantee(t, s, uint32(i), whole[i], rng)
		}
	})
}

func FuzzMayContain(f *testing.F) {
	f.Add("addEventListener 使用Pod的服务 \u212Aelvin", uint64(1))
	f.Add("a\xffb_c-d.e::f", uint64(2))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) > 1<<12 {
			return
		}
		s := searcherOf(t, text, "other")
		rng := rand.New(rand.NewPCG(seed, 0))
		for range 10 {
			checkGuarantee(t, s, 0, text, rng)
		}
	})
}

func TestTermsAreListedInOrder(t *testing.T) {
	one, two := mustBuild(t, []Text{{Body: "b a c"}, {Body: "a"}}, 1), mustBuild(t, []Text{{Body: "d b"}}, 1)
	s, err := NewSearcher([]Input{{Reader: one}, {Reader: two}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	err = s.Terms(func(term []byte, texts int) bool {
		got.Write(term)
		got.WriteByte('0' + byte(texts))
		return string(term) != "c"
	})
	if err != nil || got.String() != "a2b2c1" {
		t.Errorf("got %s, %v", got.String(), err)
	}
}
