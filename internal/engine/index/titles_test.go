package index

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
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

// A title says what the titles above it leave out; only a title that has all by
// itself is the question.
func TestTitlesUnderOthers(t *testing.T) {
	var info []WordInfo
	for _, w := range []string{"stop", "opacity", "syntax"} {
		info = append(info, WordInfo{Word: Word{Text: w}, Searched: []string{w}, Weight: 1})
	}
	titles := NewTitles(info)
	for _, tt := range []struct {
		name  string
		title string
		above []string
		want  float64
	}{
		{"none above", "Syntax", nil, 1. / 3},
		{"the rest stands above", "Syntax", []string{"Stop opacity"}, 1./3 + 0.9*2/3},
		{"in two titles", "Syntax", []string{"Opacity", "Stop"}, 1./3 + 0.9*2/3},
		{"nothing new above", "Stop opacity", []string{"Opacity"}, 2. / 3},
		{"words the question has not count in the title", "Formal syntax", []string{"Stop opacity"}, (1./3 + 0.9*2/3) / 2},
		{"but not above", "Syntax", []string{"Stop opacity of gradients in SVG"}, 1./3 + 0.9*2/3},
		{"a title with nothing of it", "See also", []string{"Stop opacity"}, 0},
		{"all by itself", "Stop opacity syntax", []string{"Stop opacity"}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var above []Reading
			for _, s := range tt.above {
				above = append(above, titles.Read(s))
			}
			if got := titles.Read(tt.title).Under(above...); math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("%q under %q: %v, want %v", tt.title, tt.above, got, tt.want)
			}
		})
	}
}

// A title taken apart must answer as the title does.
func TestPhrasesMatchAsTitles(t *testing.T) {
	words := []string{
		"the", "of", "abort", "Controllers", "AbortController", "kube-proxy", "abort_signal", "signals", "a.b.c", "dying", "Café",
		"使用", "--flag", "v1.2", "!", "HTMLElement", "what",
	}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, name), " ")
		}
		var info []WordInfo
		for _, w := range Parse(draw("query")).Words {
			info = append(info, WordInfo{Word: w, Searched: []string{w.Text}, Weight: float64(1 + len(w.Text))})
		}
		titles := NewTitles(info)
		for range 5 {
			title := draw("title")
			p := titles.Phrase(title)
			if got, want := titles.ReadPhrase(p), titles.Read(title); got != want {
				t.Fatalf("%q: read as %v, as a phrase %v", title, want, got)
			}
			if got, want := titles.CoverPhrase(p), titles.Cover(title); got != want {
				t.Fatalf("%q: cover %v, as a phrase %v", title, want, got)
			}
		}
	})
}

// What the postings say about a text limits what its titles can show.
func TestMostLimitsMatch(t *testing.T) {
	words := []string{"abort", "Controllers", "AbortController", "signals", "the", "kube-proxy", "read", "only"}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 5).Draw(t, name), " ")
		}
		texts := make([]Text, rapid.IntRange(1, 6).Draw(t, "texts"))
		for i := range texts {
			texts[i] = Text{Title: draw("title"), Headings: draw("heading") + "\n" + draw("path"), Body: draw("body")}
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
		query := draw("query")
		if rapid.Bool().Draw(t, "operator") {
			query = "title:" + query
		}
		res, err := s.Top(Parse(query), 10, Options{})
		if err != nil {
			t.Fatal(err)
		}
		titles := NewTitles(res.Words)
		for _, m := range res.Matches {
			match, cover := titles.Most(&m)
			text := texts[m.Num]
			heading, path, _ := strings.Cut(text.Headings, "\n")
			for _, title := range []string{text.Title, heading} {
				if got := titles.Match(title); got > match {
					t.Fatalf("%q: title %q matches by %v, at most %v", query, title, got, match)
				}
			}
			if got := titles.Cover(path); got > cover {
				t.Fatalf("%q: path %q covers %v, at most %v", query, path, got, cover)
			}
		}
	})
}
