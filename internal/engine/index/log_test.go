package index

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A log gives back by form what came text by text, over as many pages as it takes.
func TestLogPutsPostingsInOrder(t *testing.T) {
	const forms, texts = 500, 300
	rng := rand.New(rand.NewPCG(1, 2))
	var l log
	want := make([][]posting, forms)
	numbers := make([]uint32, texts)
	for text := range texts {
		numbers[text] = uint32(3 * text)
		n := 0
		for form := range uint32(forms - 1) { // the last is in no text
			if text%7 == 0 || rng.IntN(3) > 0 { // some texts are empty
				continue
			}
			c := counts(rng.IntN(3)) // unranked, once in the body, or more
			l.add(form, c)
			want[form] = append(want[form], posting{numbers[text], c})
			n++
		}
		l.endText(n)
	}
	if len(l.pages) < 3 {
		t.Fatalf("%d pages are too few to show anything", len(l.pages))
	}
	var got formLists
	got.postings, got.ends = l.byForm(forms, numbers)
	for form := range want {
		if !slices.Equal(want[form], got.of(uint32(form))) {
			t.Fatalf("form %d has %v, want %v", form, got.of(uint32(form)), want[form])
		}
	}
}
