package words

import (
	"strings"
	"unicode"
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

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }
