package answer

import (
	"fmt"
	"strings"
	"testing"
)

// longHit is a hit of eight paragraphs of some sixty tokens each.
func longHit() Hit {
	var b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&b, "Paragraph %d %s\n\n", i, strings.Repeat("says something about the matter at hand. ", 6))
	}
	return Hit{Ref: "a.md:1-16", File: "a.md", Lines: [2]int{1, 16}, Tokens: 500, Body: b.String(), Explain: []string{"why"}}
}

// What a model takes for the answer is shown, wherever in the section it stands; without
// its word a hit without words of the question is cut from the end.
func TestTrimHeedsTheModel(t *testing.T) {
	fit := func(read func(*Hit, []string) []float64) Hit {
		a := &Answer{Query: "q", Hits: []Hit{longHit()}}
		a.Fit(Budget{Tokens: 480, Count: func(b []byte) int { return len(b) / 4 }, Read: read})
		if len(a.Hits) != 1 || a.Hits[0].Cut == 0 {
			t.Fatalf("the hit was not cut: %+v", a.Hits)
		}
		return a.Hits[0]
	}
	read := fit(func(_ *Hit, texts []string) []float64 {
		scores := make([]float64, len(texts))
		for i, text := range texts {
			if strings.Contains(text, "Paragraph 6") {
				scores[i] = 1
			}
		}
		return scores
	})
	if !strings.Contains(read.Body, "Paragraph 6") || !strings.Contains(strings.Join(read.Explain, "\n"), "local model") {
		t.Errorf("what the model chose is not shown, or not explained: %q\n%s", read.Explain, read.Body)
	}
	for name, nobody := range map[string]func(*Hit, []string) []float64{
		"nobody reads": nil, "no time": func(*Hit, []string) []float64 { return nil },
	} {
		h := fit(nobody)
		if !strings.Contains(h.Body, "Paragraph 0") || strings.Contains(h.Body, "Paragraph 6") || len(h.Explain) != 1 {
			t.Errorf("%s: %q\n%s", name, h.Explain, h.Body)
		}
	}
}

// Windows are whole pieces, all of them, in their order.
func TestWindowsOf(t *testing.T) {
	var pieces []piece
	for _, price := range []int{200, 30, 30, 60, 1, 110, 5} {
		pieces = append(pieces, piece{price: price})
	}
	if got, want := fmt.Sprint(windowsOf(pieces)), "[[0] [1 2] [3 4] [5] [6]]"; got != want {
		t.Errorf("windows %s, want %s", got, want)
	}
}
