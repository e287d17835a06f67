package rank

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawn are candidates that are not weighed yet, and what weighing will show.
func drawn(t *rapid.T) (cs, weighed []Candidate) {
	share := rapid.SampledFrom([]float64{0, 0.2, 0.5, 0.9, 1})
	n := rapid.IntRange(0, 40).Draw(t, "candidates")
	for i := range n {
		c := Candidate{
			At: i, Score: float64(rapid.IntRange(0, 30).Draw(t, "score")) / 3,
			Page: uint64(rapid.IntRange(0, 12).Draw(t, "page")),
			Most: Limit{share.Draw(t, "most match"), share.Draw(t, "most path"), rapid.IntRange(0, 9).Draw(t, "may be named") == 0},
		}
		w := c
		w.Match = min(share.Draw(t, "match"), c.Most.Match)
		w.Path = min(share.Draw(t, "path"), c.Most.Path)
		w.Named = c.Most.Named && rapid.Bool().Draw(t, "named")
		cs, weighed = append(cs, c), append(weighed, w)
	}
	return cs, weighed
}

// Top must give what weighing and ordering all gives.
func TestTopIsTheTopOfOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cs, weighed := drawn(t)
		n := rapid.IntRange(0, 45).Draw(t, "n")
		got, err := Top(cs, n, DefaultParams(), func(c *Candidate) error {
			w := weighed[c.At]
			c.Match, c.Path, c.Named = w.Match, w.Path, w.Named
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(weighed)
		Order(want, DefaultParams())
		if want = want[:min(n, len(want))]; !slices.Equal(got, want) {
			t.Fatalf("top %d:\n got %+v\nwant %+v", n, got, want)
		}
	})
}

func TestTopWeighsFew(t *testing.T) {
	var cs []Candidate
	for i := range 100 {
		c := Candidate{At: i, Score: 10 - float64(i)/20, Page: uint64(i)}
		if i%10 == 0 {
			c.Most = Limit{Match: 1, Path: 0.5}
		}
		cs = append(cs, c)
	}
	n := 0
	got, err := Top(cs, 3, DefaultParams(), func(c *Candidate) error {
		n++
		c.Match = c.Most.Match
		return nil
	})
	if err != nil || len(got) != 3 || got[2].At != 20 {
		t.Fatalf("%+v, %v", got, err)
	}
	if n > 10 {
		t.Errorf("%d candidates were weighed for three", n)
	}
}

func TestTopHandsErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	_, err := Top([]Candidate{{Score: 1}}, 1, DefaultParams(), func(*Candidate) error { return broken })
	if err != broken {
		t.Errorf("%v", err)
	}
}
