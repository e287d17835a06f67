package embed

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const (
	openingText = "Keys sign every token that the server hands out to its clients."
	rotateText  = "Run the rotate command once a month. It makes a new key and keeps the old one for a day. Clients notice nothing of it."
	revokeText  = "A key that has leaked is revoked at once, and all tokens with it."
)

func keysPage() Page {
	return Page{
		Title: "Keys", Description: "How keys are made and replaced",
		Sections: []Section{
			{"Keys", -1, openingText},
			{"Care", 0, "Two ways."}, // too short to answer anything
			{"Rotate", 1, rotateText},
			{"Revoke", 1, revokeText},
		},
	}
}

func TestMine(t *testing.T) {
	p := keysPage()
	got := Mine(&p, 1)
	want := []Triplet{
		{Query: "Keys", Positive: openingText},
		{Query: "How keys are made and replaced", Positive: openingText},
		{Query: "Keys Care Rotate", Positive: rotateText, Negatives: []string{revokeText}},
		{Query: "Rotate", Positive: rotateText, Negatives: []string{revokeText}},
		{Query: "", Positive: "", Negatives: []string{revokeText}}, // the sentence; see below
		{Query: "Keys Care Revoke", Positive: revokeText, Negatives: []string{rotateText}},
		{Query: "Revoke", Positive: revokeText, Negatives: []string{rotateText}},
	}
	if len(got) == len(want) {
		s := got[4]
		if !strings.Contains(rotateText, s.Query) || strings.Contains(s.Positive, s.Query) || !strings.HasPrefix(s.Positive, "Keys Care Rotate\n") {
			t.Errorf("sentence %q, rest %q", s.Query, s.Positive)
		}
		if got[2].section != s.section || got[2].section == got[5].section {
			t.Error("sections are not told apart")
		}
		got[4].Query, got[4].Positive = "", ""
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Triplet{})); d != "" {
		t.Error(d)
	}
}

func TestMineNoNegatives(t *testing.T) {
	p := keysPage()
	for _, x := range Mine(&p, 0) {
		if x.Negatives != nil {
			t.Errorf("%q has negatives", x.Query)
		}
	}
}

func TestSiblingsComeNearestFirst(t *testing.T) {
	texts := []string{"a", "b", "c", "d", "e", "f"}
	got := siblings(texts, []int{0, 2, 3, 5}, 2, 3)
	if want := []string{"d", "a", "f"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Pages that make no sense give pairs or none, never a panic or a loop.
func TestMineHostilePages(t *testing.T) {
	body := strings.Repeat("a. ", 100_000)
	for _, p := range []Page{
		{},
		{Sections: []Section{{"a", 0, body}}},
		{Sections: []Section{{"a", 1, body}, {"b", 0, body}}},
		{Sections: []Section{{"a", 99, body}, {"b", -5, strings.Repeat("é", 50_000)}}},
		{Title: strings.Repeat("x ", 100_000), Sections: []Section{{"", -1, openingText}}},
	} {
		for _, x := range Mine(&p, 3) {
			if len(x.Query) > maxText || len(x.Positive) > maxText+len(p.Title)+100 {
				t.Errorf("a pair of %d and %d bytes", len(x.Query), len(x.Positive))
			}
		}
	}
}

func manual(pages int) []Page {
	var out []Page
	for i := range pages {
		p := keysPage()
		p.Title = fmt.Sprint("Keys of ward", i)
		for k := range p.Sections {
			p.Sections[k].Body += fmt.Sprintf(" See ward%d for more of part%d.", i, k)
		}
		out = append(out, p)
	}
	return out
}

func TestAdapt(t *testing.T) {
	table := someTable(t, 64, "keys", "rotate", "revoke", "token", "server")
	pages := manual(30)
	d, err := Adapt(context.Background(), table, pages, AdaptOptions{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Adapt(context.Background(), table, pages, AdaptOptions{})
	if err != nil || again.Fingerprint() != d.Fingerprint() {
		t.Errorf("a second time gives %v, %v", again.Fingerprint(), err)
	}
	few, err := Adapt(context.Background(), table, pages, AdaptOptions{Visits: 20})
	if err != nil || few.Fingerprint() == d.Fingerprint() {
		t.Errorf("twenty pairs teach as much as all: %v", err)
	}
	m, err := NewModel(table, d)
	if err != nil {
		t.Fatal(err)
	}
	hits := 0
	for i := range 30 {
		q, best, most := m.Embed(fmt.Sprint("Keys of ward", i)), -1, float32(-2)
		for k, p := range pages {
			v := m.Embed(p.Sections[2].Body)
			if c := Cosine(&q, &v); c > most {
				best, most = k, c
			}
		}
		if best == i {
			hits++
		}
	}
	if hits < 15 { // ward numbers share 64 buckets
		t.Errorf("%d of 30 pages are found by their titles", hits)
	}
}

func TestWorthAdapting(t *testing.T) {
	if WorthAdapting(MinSections-1) || !WorthAdapting(MinSections) {
		t.Error("the limit is not the limit")
	}
}
