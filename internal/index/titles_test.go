package index

import (
	"math"
	"testing"
)

func TestTitles(t *testing.T) {
	info := func(words ...WordInfo) []WordInfo {
		for i := range words {
			words[i].Weight = 1
			words[i].Searched = []string{words[i].Text}
		}
		return words
	}
	word := func(s string) WordInfo { return WordInfo{Word: Word{Text: s}} }
	part := func(s string) WordInfo { return WordInfo{Word: Word{Text: s, Extra: true}} }
	two := info(word("extended"), word("resources"))
	for _, tt := range []struct {
		name  string
		words []WordInfo
		title string
		want  float64
	}{
		{"the question itself", two, "Extended resources", 1},
		{"in another form", two, "Extend a resource", 1},
		{"half of the question", two, "Resources", 0.5},
		{"with words the question has not", two, "Extended resources of nodes", 2. / 3},
		{"an identifier counts by its parts", two, "ExtendedResourceToleration", 2. / 3},
		{"nothing in common", two, "Volumes", 0},
		{"no words at all", two, "!!!", 0},
		{"an identifier asked for whole", info(word("nodeaffinity"), part("node"), part("affinity")), "NodeAffinity", 1},
		{"a corrected word counts as what was searched", []WordInfo{{
			Word: Word{Text: "controler"}, Searched: []string{"controller"}, Weight: 2,
		}}, "Controllers", 1},
		{"only stop words", info(word("the")), "The", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := NewTitles(tt.words).Match(tt.title); math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("Match(%q) = %v, want %v", tt.title, got, tt.want)
			}
		})
	}
}
