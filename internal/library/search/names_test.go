package search

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/engine/index"
)

func TestNamesIn(t *testing.T) {
	for question, want := range map[string]string{
		"How do I write Storybook stories for single-file components?": "storybook",
		"My list is empty. How can Pinia's store be saved?":            "pinia",
		"can setupNodeEvents run in a worker":                          "setupnodeevents",
		"is max_running heeded by HTTP2, and am I to set it?":          "http2 max_running",
		"Why does it stop?":                       "",
		"Advanced Resource Settings For Clusters": "", // a title
		"I think I'd rather not":                  "",
		"Émile asks how the Übersicht is drawn":   "übersicht",
	} {
		got := strings.Join(slices.Sorted(maps.Keys(namesIn(question))), " ")
		if got != want {
			t.Errorf("%s: %q, not %q", question, got, want)
		}
	}
}

// A word that no text has is not at home, however few texts there are, and one that many
// texts have and documentation at large seldom has is.
func TestHomeOf(t *testing.T) {
	word := func(text string, texts int) index.WordInfo {
		return index.WordInfo{Word: index.Word{Text: text}, Searched: []string{text}, DocFreq: texts}
	}
	for _, c := range []struct {
		words    []index.WordInfo
		min, max float64
	}{
		{[]index.WordInfo{word("frobnicator", 0)}, -1, 0},
		{[]index.WordInfo{word("frobnicator", 20)}, 0.5, 1},
		{[]index.WordInfo{word("frobnicator", 20), word("ticketless", 0)}, 0.2, 0.5},
		{[]index.WordInfo{word("user", 0)}, -10, -0.5},
		{nil, 0, 0},
	} {
		if got := homeOf(c.words, 50); got < c.min || got > c.max {
			t.Errorf("%+v: %.2f, not from %.2f to %.2f", c.words, got, c.min, c.max)
		}
	}
}
