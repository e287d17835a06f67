package rank

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func ids(cs []Fusable) (out []uint32) {
	for _, c := range cs {
		out = append(out, c.ID)
	}
	return out
}

func TestFuse(t *testing.T) {
	cands := func() []Fusable {
		return []Fusable{
			{ID: 1, Words: 10, Likeness: .2, WordsRank: 1, LikenessRank: 3},
			{ID: 2, Words: 9, Likeness: .8, WordsRank: 2, LikenessRank: 1},
			{ID: 3, Words: 0, Likeness: .7, LikenessRank: 2},
		}
	}
	for _, tt := range []struct {
		name string
		fuse func([]Fusable)
		want [3]uint32
	}{
		{"words alone", func(cs []Fusable) { Weighted(cs, 0, .8) }, [3]uint32{1, 2, 3}},
		{"both", func(cs []Fusable) { Weighted(cs, Share, .8) }, [3]uint32{2, 1, 3}},
		{"likeness alone", func(cs []Fusable) { Weighted(cs, 1, .8) }, [3]uint32{2, 3, 1}},
		{"by places", Reciprocal, [3]uint32{2, 1, 3}},
	} {
		cs := cands()
		tt.fuse(cs)
		if got := ids(cs); [3]uint32(got) != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// Fusing never loses, invents or turns round: a candidate that is better by both
// measures stays before the other.
func TestFuseKeepsDominance(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(rt, "n")
		cs := make([]Fusable, n)
		for i := range cs {
			cs[i] = Fusable{ID: uint32(i), Words: float64(rapid.IntRange(0, 9).Draw(rt, "words")), Likeness: float64(rapid.IntRange(-9, 9).Draw(rt, "like")) / 10}
		}
		share := rapid.Float64Range(0, 1).Draw(rt, "share")
		Weighted(cs, share, .9)
		if len(cs) != n {
			rt.Fatal("lost some")
		}
		for i := range cs {
			for k := i + 1; k < n; k++ {
				if cs[k].Words > cs[i].Words && cs[k].Likeness > cs[i].Likeness && cs[k].Score < cs[i].Score {
					rt.Fatalf("%+v comes before %+v", cs[i], cs[k])
				}
			}
		}
	})
}

// What lies below Floor changes nothing among the n best: neither who they are nor
// what they come to.
func TestFloor(t *testing.T) {
	passed, kept := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(rt, "n")
		share := rapid.SampledFrom([]float64{PlainShare, Share}).Draw(rt, "share")
		p, most := DefaultParams(), 0.9
		var words, all []Fusable
		match, page := map[uint32]float64{}, map[uint32]uint64{}
		for i := range rapid.IntRange(1, 40).Draw(rt, "candidates") {
			c := Fusable{ID: uint32(i), Likeness: float64(rapid.IntRange(0, 9).Draw(rt, "likeness")) / 10}
			page[c.ID] = uint64(rapid.IntRange(0, 8).Draw(rt, "page"))
			if i == 0 || rapid.IntRange(0, 3).Draw(rt, "has words") > 0 {
				c.Words = float64(rapid.IntRange(1, 90).Draw(rt, "words")) / 3
				match[c.ID] = rapid.SampledFrom([]float64{0, 0, 0.3, 0.9, 1}).Draw(rt, "title")
				words = append(words, c)
			}
			all = append(all, c)
		}
		ordered := func(cs []Fusable) []Candidate {
			cs = slices.Clone(cs)
			Weighted(cs, share, most)
			out := make([]Candidate, len(cs))
			for i, c := range cs {
				out[i] = Candidate{At: int(c.ID), Score: c.Score, Page: page[c.ID], Match: match[c.ID]}
			}
			Order(out, p)
			return out[:min(n, len(out))]
		}
		least := Floor(ordered(words), n, p, share*bestWords(words))
		few := slices.DeleteFunc(slices.Clone(all), func(c Fusable) bool { return c.Words == 0 && c.Likeness/most < least })
		passed, kept = passed+len(all)-len(few), kept+len(few)-len(words)
		if got, want := ordered(few), ordered(all); !slices.Equal(got, want) {
			rt.Fatalf("the first %d above %v of the nearest:\n got %+v\nwant %+v", n, least, got, want)
		}
	})
	if passed == 0 || kept == 0 {
		t.Errorf("%d candidates were passed over, %d were not: nothing was shown", passed, kept)
	}
}
