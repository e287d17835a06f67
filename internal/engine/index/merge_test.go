package index

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func partsOf(t testing.TB, texts []Text, workers int) []Part {
	t.Helper()
	parts, err := Build(len(texts), func(i int) Text { return texts[i] }, workers)
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

func sameParts(t interface{ Fatalf(string, ...any) }, want, got []Part) {
	for i := range want {
		if want[i].Name != got[i].Name || !bytes.Equal(want[i].Data, got[i].Data) {
			t.Fatalf("part %s differs: %d bytes, want %d", want[i].Name, len(got[i].Data), len(want[i].Data))
		}
	}
}

func TestBuildIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	texts := randomTexts(rand.New(rand.NewPCG(1, 2)), 1500)
	want := partsOf(t, texts, 1)
	for _, workers := range []int{2, 3, 8} {
		sameParts(t, want, partsOf(t, texts, workers))
	}
}

// Merging gives the bytes a build of the texts that are left would give,
// whatever was deleted and however the inputs interleave.
func TestMergeEqualsBuild(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		n := rapid.IntRange(1, 4).Draw(rt, "inputs")
		var in []Input
		var all [][]Text
		var order []Place
		for i := range n {
			texts := randomTexts(rng, rapid.SampledFrom([]int{0, 1, 3, 40, 300}).Draw(rt, "texts"))
			all = append(all, texts)
			dead := &Set{}
			for j := range texts {
				if rng.IntN(4) == 0 {
					dead.Add(uint32(j))
				} else {
					order = append(order, Place{i, uint32(j)})
				}
			}
			in = append(in, Input{mustBuild(t, texts, 1), dead})
		}
		given := order
		switch rapid.SampledFrom([]string{"one after the other", "interleaved", "shuffled"}).Draw(rt, "order") {
		case "one after the other":
			given = nil
		case "interleaved":
			var mixed []Place
			by := make([][]Place, n)
			for _, p := range order {
				by[p.Input] = append(by[p.Input], p)
			}
			for len(mixed) < len(order) {
				if i := rng.IntN(n); len(by[i]) > 0 {
					mixed, by[i] = append(mixed, by[i][0]), by[i][1:]
				}
			}
			order, given = mixed, mixed
		case "shuffled":
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		got, err := Merge(in, given, 2)
		if err != nil {
			rt.Fatal(err)
		}
		var left []Text
		for _, p := range order {
			left = append(left, all[p.Input][p.Num])
		}
		sameParts(rt, partsOf(t, left, 1), got)
	})
}

// An index that grew by additions and deletions answers like one built afresh.
func TestIncrementalEqualsRebuild(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		type live struct {
			key  int
			text Text
			at   Place
		}
		var in []Input
		var texts []live // by key, which is the order after a rebuild
		next := 0
		for range rapid.IntRange(1, 8).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"add", "delete", "replace", "merge"}).Draw(rt, "step") {
			case "add", "replace":
				added := randomTexts(rng, 1+rng.IntN(60))
				input := len(in)
				in = append(in, Input{mustBuild(t, added, 1), &Set{}})
				for i, text := range added {
					at := Place{input, uint32(i)}
					if len(texts) > 0 && rng.IntN(2) == 0 {
						old := &texts[rng.IntN(len(texts))]
						in[old.at.Input].Deleted.Add(old.at.Num)
						old.text, old.at = text, at
						continue
					}
					texts = append(texts, live{next, text, at})
					next++
				}
			case "delete":
				for range min(len(texts), 1+rng.IntN(20)) {
					i := rng.IntN(len(texts))
					in[texts[i].at.Input].Deleted.Add(texts[i].at.Num)
					texts = append(texts[:i:i], texts[i+1:]...)
				}
			case "merge":
				var order []Place
				for i := range texts {
					order = append(order, texts[i].at)
					texts[i].at = Place{0, uint32(i)}
				}
				parts, err := Merge(in, order, 1)
				if err != nil {
					rt.Fatal(err)
				}
				r, err := inMemory(parts)
				if err != nil {
					rt.Fatal(err)
				}
				in = []Input{{r, &Set{}}}
			}
		}
		var fresh []Text
		total := 0
		bases := make([]int, len(in))
		for i := range in {
			bases[i] = total
			total += in[i].Reader.Len()
		}
		order := make([]uint32, total)
		for i, l := range texts {
			fresh = append(fresh, l.text)
			order[bases[l.at.Input]+int(l.at.Num)] = uint32(i)
		}
		grown, err := NewSearcher(in, listed(order))
		if err != nil {
			rt.Fatal(err)
		}
		built, err := NewSearcher([]Input{{Reader: mustBuild(t, fresh, 1)}}, nil)
		if err != nil {
			rt.Fatal(err)
		}
		for range 5 {
			q := randomQuery(rt)
			k := 1 + rng.IntN(30)
			want, err := built.Top(q, k, Options{})
			if err != nil {
				rt.Fatal(err)
			}
			got, err := grown.Top(q, k, Options{})
			if err != nil {
				rt.Fatal(err)
			}
			for i := range got.Matches {
				got.Matches[i].Num = order[got.Matches[i].Num]
			}
			if d := cmp.Diff(want, got, cmp.AllowUnexported(Word{})); d != "" {
				rt.Fatalf("%v: %s", q, d)
			}
		}
	})
}
