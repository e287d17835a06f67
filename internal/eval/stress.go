package eval

// The synonym stress: what is found when the reader has other words for it than
// the writer. In every question, each word that has synonyms is replaced by one
// that the judged text does not hold. Questions without such a word are left out.
//
// Synonyms come in groups, one a line, in their plain form; a plural or a form in
// -ed or -ing is replaced by the same form. A word occurs in a text when some
// word there begins with it, less its last e or y.

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// Synonyms are groups of words that mean about the same.
type Synonyms map[string][][]string

// ReadSynonyms reads groups, one a line; lines that begin with "#" are comments.
func ReadSynonyms(r io.Reader) (Synonyms, error) {
	out := Synonyms{}
	in := bufio.NewScanner(r)
	for in.Scan() {
		words := strings.Fields(strings.ToLower(in.Text()))
		if len(words) < 2 || words[0][0] == '#' {
			continue
		}
		for i, w := range words {
			others := slices.Concat(words[i+1:], words[:i])
			out[w] = append(out[w], others)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("read synonyms: %w", err)
	}
	return out, nil
}

// Stress returns s with its questions rewritten. Their kinds end in "-synonym";
// questions with typing errors are left out.
func (s *Set) Stress(syn Synonyms) *Set {
	out := *s
	out.Queries = nil
	texts := map[string]string{}
	for _, f := range s.Files {
		texts[f.Path] = f.Text
	}
	for _, q := range s.Queries {
		if strings.HasSuffix(q.Kind, "-typo") {
			continue
		}
		var answer []string
		for _, j := range q.Judged {
			answer = append(answer, wordsOf(judged(texts[j.File], j))...)
		}
		if text := syn.rewrite(q.Text, answer); text != q.Text {
			q.Text = text
			q.Kind = strings.TrimPrefix(q.Kind+"-synonym", "-")
			out.Queries = append(out.Queries, q)
		}
	}
	return &out
}

// judged is the text of a judgement.
func judged(text string, j Judgement) string {
	if j.Start == 0 {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[min(j.Start-1, len(lines)):min(j.End, len(lines))], "")
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
}

func (syn Synonyms) rewrite(text string, answer []string) string {
	var b strings.Builder
	for len(text) > 0 {
		rest := strings.TrimLeftFunc(text, unicode.IsLetter)
		b.WriteString(syn.replace(text[:len(text)-len(rest)], answer))
		text = strings.TrimLeftFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) })
		b.WriteString(rest[:len(rest)-len(text)])
	}
	return b.String()
}

// replace returns the first synonym of a word that no word of the answer begins
// with, in the form of the word.
func (syn Synonyms) replace(word string, answer []string) string {
	low := strings.ToLower(word)
	for _, form := range []string{"", "s", "ed", "ing"} {
		for _, plain := range plainForms(low, form) {
			for _, group := range syn[plain] {
				for _, other := range group {
					if !holds(answer, other) {
						return inflect(other, form)
					}
				}
			}
		}
	}
	return word
}

// plainForms returns what a word may be a form of.
func plainForms(word, form string) []string {
	base, ok := strings.CutSuffix(word, form)
	switch {
	case !ok || len(base) < 3:
		return nil
	case form == "s" && strings.HasSuffix(base, "ie"):
		return []string{base[:len(base)-2] + "y"}
	case form == "s" && strings.HasSuffix(base, "e"):
		return []string{base, base[:len(base)-1]}
	case form == "ed" || form == "ing":
		out := []string{base, base + "e"}
		if n := len(base); base[n-1] == base[n-2] {
			out = append(out, base[:n-1])
		}
		return out
	}
	return []string{base}
}

// inflect is the opposite of plainForms.
func inflect(word, form string) string {
	last := word[len(word)-1]
	switch {
	case form == "s" && last == 'y':
		return word[:len(word)-1] + "ies"
	case form == "s" && (last == 's' || last == 'x' || last == 'h'):
		return word + "es"
	case (form == "ed" || form == "ing") && last == 'e':
		return word[:len(word)-1] + form
	}
	return word + form
}

func holds(answer []string, word string) bool {
	stem := word
	if last := word[len(word)-1]; len(word) > 3 && (last == 'e' || last == 'y') {
		stem = word[:len(word)-1]
	}
	return slices.ContainsFunc(answer, func(w string) bool { return strings.HasPrefix(w, stem) })
}
