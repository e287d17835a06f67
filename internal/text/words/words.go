package words

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-md/docent/doc"
)

// Slug gives the words of a text, in lower case, one space apart.
func Slug(s string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(s, notWord), " "))
}

// Same reports whether the words of two texts are the same, whatever their
// case.
func Same(a, b string) bool {
	for {
		a, b = strings.TrimLeftFunc(a, notWord), strings.TrimLeftFunc(b, notWord)
		if a == "" || b == "" {
			return a == b
		}
		i, j := strings.IndexFunc(a, notWord), strings.IndexFunc(b, notWord)
		if i < 0 {
			i = len(a)
		}
		if j < 0 {
			j = len(b)
		}
		if !strings.EqualFold(a[:i], b[:j]) {
			return false
		}
		a, b = a[i:], b[j:]
	}
}

// EndsInWord reports whether a text ends within a word.
func EndsInWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && !notWord(r)
}

// BeginsWithWord reports whether a text begins with a word.
func BeginsWithWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && !notWord(r)
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }

// Nearest returns the n names most like want: those that share the most
// pairs of letters, with weight on the last element.
func Nearest(want string, names []string, n int) []string {
	type scored struct {
		name  string
		score float64
	}
	bare := func(name string) string {
		if doc.IsMarkdown(name) {
			return strings.TrimSuffix(name, path.Ext(name))
		}
		return name
	}
	want = bare(want)
	whole, base := Pairs(want), Pairs(path.Base(want))
	var all []scored
	for _, name := range names {
		plain := bare(name)
		s := Similarity(whole, Pairs(plain)) + Similarity(base, Pairs(path.Base(plain)))
		if s > 0.6 {
			all = append(all, scored{name, s})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var out []string
	for _, s := range all[:min(n, len(all))] {
		out = append(out, s.name)
	}
	return out
}

// Pairs are the pairs of neighbouring letters of a name.
func Pairs(s string) map[[2]byte]int {
	m := map[[2]byte]int{}
	s = " " + strings.ToLower(s[:min(len(s), 256)]) + " "
	for i := 0; i+1 < len(s); i++ {
		m[[2]byte{s[i], s[i+1]}]++
	}
	return m
}

// Similarity is Dice's coefficient.
func Similarity(a, b map[[2]byte]int) float64 {
	shared, total := 0, 0
	for p, n := range a {
		shared += min(n, b[p])
		total += n
	}
	for _, n := range b {
		total += n
	}
	return 2 * float64(shared) / float64(max(total, 1))
}
