package retrieve

import (
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/words"
)

// How a flag is told from a word that must not be there.
//
// In "go test -race" the dash belongs to the name of a flag, in "jaguar -car" it excludes
// cars. The documents decide: where they write the word with its dash, it is a flag.

// flagTexts is how many texts with a word are looked through for its dash.
const flagTexts = 50

// ReadFlags takes the dash off those words of a question that are flags in the
// documents, so that they are searched, and returns them.
func ReadFlags(v *snapshot.View, reader *snapshot.Reader, question string) (plain string, flags []string, err error) {
	if !strings.Contains(question, "-") { // as most: nothing is excluded
		return question, nil, nil
	}
	excluded := index.Parse(question).Excluded
	items := strings.Fields(question)
	for i, item := range items {
		if !slices.Contains(excluded, item) {
			continue
		}
		found, err := isFlag(v, reader, item)
		if err != nil {
			return "", nil, err
		}
		if found {
			items[i] = strings.TrimPrefix(item, "-")
			flags = append(flags, item)
		}
	}
	if len(flags) == 0 {
		return question, nil, nil
	}
	return strings.Join(items, " "), flags, nil
}

// isFlag reports whether the documents write a word with its dash.
func isFlag(v *snapshot.View, reader *snapshot.Reader, item string) (bool, error) {
	found, _, err := Lexical(v, answer.Query{Text: item[1:]}, index.Parse(item[1:]), flagTexts, flagTexts)
	if err != nil {
		return false, err
	}
	for _, c := range found {
		body, ok, err := c.Body(reader)
		if err != nil {
			return false, err
		}
		if ok && hasFlag(body, item) {
			return true, nil
		}
	}
	return false, nil
}

// hasFlag reports whether a text has a word with a dash before it that joins it to
// nothing.
func hasFlag(text, item string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], item)
		if i < 0 {
			return false
		}
		before, after := text[:from+i], text[from+i+len(item):]
		if !words.EndsInWord(before) && !strings.HasSuffix(before, "-") && !words.BeginsWithWord(after) {
			return true
		}
		from += i + len(item)
	}
}
