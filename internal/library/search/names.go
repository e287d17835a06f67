package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// namesIn returns the words of a question that are written as names are, in lower case: with
// a capital that begins no sentence, or with a capital, a digit or "_" within. Whoever names
// a thing asks about it: a text that lacks "Storybook" does not say how to use it, whatever
// else it has of the question. In a title, where most words have capitals, these say nothing.
func namesIn(question string) map[string]bool {
	names, capital := map[string]bool{}, []string{}
	starts, words := true, 0
	for item := range strings.FieldsSeq(question) {
		word := strings.TrimSuffix(strings.TrimFunc(item, isPunctuation), "'s")
		first, size := utf8.DecodeRuneInString(word)
		if size > 0 {
			words++
			switch {
			case strings.ContainsFunc(word[size:], isNameLetter):
				names[strings.ToLower(word)] = true
			case unicode.IsUpper(first) && !starts && word != "I" && !strings.HasPrefix(word, "I'"):
				capital = append(capital, strings.ToLower(word))
			}
		}
		starts = strings.ContainsRune(".?!:", rune(item[len(item)-1]))
	}
	if 2*len(capital) < words {
		for _, name := range capital {
			names[name] = true
		}
	}
	return names
}

func isPunctuation(c rune) bool { return strings.ContainsRune("\"'`.,;:?!()[]{}", c) }

func isNameLetter(c rune) bool { return c == '_' || unicode.IsUpper(c) || unicode.IsDigit(c) }
