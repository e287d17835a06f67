package eval

import (
	"strings"
	"testing"
)

// A ranker that flags what does not name its corpus is right about all questions but the
// one that names both.
func TestForeign(t *testing.T) {
	ask := func(id, text, kind string) Query {
		return Query{ID: id, Text: text, Kind: kind, Judged: []Judgement{{File: "a.md", Score: 1}}}
	}
	red := NewSet("red", []File{{Path: "a.md", Text: "red"}}, []Query{ask("1", "what is red", ""), ask("2", "red and blue", "")})
	again := NewSet("again", red.Files, []Query{ask("1", "is red nice", "")})
	blue := NewSet("blue", []File{{Path: "a.md", Text: "blue"}}, []Query{ask("1", "a blue link", "link"), ask("2", "blue", "link"), ask("3", "bleu", "link-typo")})
	red.Unanswerable = []string{"how old is red"}
	sets := []*Set{red, again, blue}
	asked := map[string]bool{}
	got, err := Foreign(sets, 10, func(set int, q string) (Grade, error) {
		if key := sets[set].Files[0].Text + ": " + q; asked[key] {
			t.Errorf("%s: asked twice", key)
		} else {
			asked[key] = true
		}
		knows := strings.Contains(q, sets[set].Files[0].Text)
		g := Grade{Flagged: !knows, Odds: -1}
		if knows {
			g.Odds = 1
		}
		return g, nil
	})
	if err != nil || len(got) != 4 {
		t.Fatalf("%+v, %v", got, err)
	}
	// Short links are no foreign questions, misspelt ones none at all, and sets with the
	// same documents are not foreign to each other.
	if r := got[0]; r.Own.N != 2 || r.Own.Share != 0 || r.Foreign.N != 1 || r.Foreign.Share != 1 || r.AUROC != 1 || r.Unanswerable.N != 1 || r.Unanswerable.Share != 0 {
		t.Errorf("red: %+v", r)
	}
	if r := got[2]; r.Own.N != 2 || r.Foreign.N != 3 || r.Foreign.Share < .66 || r.AUROC < .8 || r.AUROC == 1 {
		t.Errorf("blue: %+v", r)
	}
	if r := got[3]; r.Own.N != 5 || r.Foreign.N != 5 {
		t.Errorf("all: %+v", r)
	}
	var b strings.Builder
	if err := WriteForeign(&b, got); err != nil || strings.Count(b.String(), "\n") != 5 {
		t.Errorf("%q, %v", b.String(), err)
	}
}
