package embed

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func wordsOf(text string) []string {
	var w splitter
	var out []string
	w.split(text, func(b []byte) { out = append(out, string(b)) })
	return out
}

func TestWords(t *testing.T) {
	long := strings.Repeat("x", maxWord)
	for _, tt := range []struct{ name, text, want string }{
		{"words are in lower case", "Rotate the Keys", "rotate the keys"},
		{"camel case is kept whole and taken apart", "parseHTTPHeader", "parsehttpheader parse http header"},
		{"a capital alone begins a part", "aBC x", "abc a bc x"},
		{"digits stay with the letters before", "utf8Decode v2", "utf8decode utf8 decode v2"},
		{"snake and kebab case are the same name", "max_chunk max-chunk", "maxchunk max chunk maxchunk max chunk"},
		{"underscores around a name are not of it", "__init__", "init"},
		{"dots and colons stay in the whole", "std::vector os.path", "std.vector std vector os.path os path"},
		{"a full stop is no dot", "The end. Next", "the end next"},
		{"one colon joins nothing", "key:value", "key value"},
		{"slashes join nothing", "etc/hosts", "etc hosts"},
		{"options lose their dashes", "--dry-run -v", "dryrun dry run v"},
		{"apostrophes are left out", "don't pod's users’ 'quoted'", "dont pods users quoted"},
		{"letters of other alphabets", "Größe ÉTÉ Ключ", "größe été ключ"},
		{"text without spaces gives pairs", "日本語 中", "日本 本語 中"},
		{"pairs end a name", "api密钥x", "api 密钥 x"},
		{"the longest word", long, long},
		{"a longer one is none", long + "x", ""},
		{"a long name gives its parts only", long + "-ab", long + " ab"},
		{"an overlong part takes the whole with it", "ab-" + long + "y-cd", "ab cd"},
		{"bytes that are no text", "a\xffb\x00c", "a b c"},
		{"nothing", " -_.:' ", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(wordsOf(tt.text), " "); got != tt.want {
				t.Errorf("%q gives %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

// Spaces part words, so texts can be split apart there.
func TestWordsOfTwoTexts(t *testing.T) {
	text := rapid.StringOf(rapid.RuneFrom([]rune("abzABZ09_-.:'’ é日本\n\xff")))
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		want := slices.Concat(wordsOf(a), wordsOf(b))
		if got := wordsOf(a + " " + b); !slices.Equal(got, want) {
			t.Fatalf("%q, apart %q", got, want)
		}
	})
}

// However a text is made, its words are of bounded size and number.
func TestWordsOfHostileText(t *testing.T) {
	const n = 200_000
	for _, unit := range []string{"a", "A", "aB", "_", "a_", "a.", "a::", "::", "'", "a'", "’", "é", "É", "日", "\xff", "a-", "1A", "Aa", "-", "a_______"} {
		text := strings.Repeat(unit, n/len(unit))
		count, bytes := 0, 0
		var w splitter
		w.split(text, func(word []byte) {
			count++
			bytes += len(word)
		})
		if count > n || bytes > 3*n {
			t.Errorf("%q: %d words of %d bytes", unit, count, bytes)
		}
		if cap(w.buf) > 16*maxWord || cap(w.ends) > 16*maxWord {
			t.Errorf("%q: keeps %d bytes", unit, cap(w.buf))
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"parseHTTPHeader", "a_b-c.d::e", "日本語x", "\xff\xfe", strings.Repeat("aB", 80)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, w := range wordsOf(s) {
			if w == "" || len(w) > maxWord || !utf8.ValidString(w) {
				t.Errorf("%q gives the word %q", s, w)
			}
			for _, r := range w {
				if r >= 'A' && r <= 'Z' || r == ' ' || r == '_' || r == '-' {
					t.Errorf("%q gives the word %q", s, w)
				}
			}
		}
	})
}
