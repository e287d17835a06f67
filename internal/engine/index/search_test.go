package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// vocabulary is small and Zipf-like, with forms that stem alike, identifiers and
// joined names, so that random texts share much and differ in counts.
var vocabulary = strings.Fields(`the the the the of of of a a to in is and
	controller controllers controlling control node nodes pod pods addEventListener
	event listener kube-proxy kubeProxy kube_proxy proxy café cafe naïve v1.2.3 Node.js
	nodejs 使用服务 服务 水 URLs url HTMLElement element zebra quark lepton accident accidentally x y z`)

func randomText(rng *rand.Rand) Text {
	words := func(most int) string {
		var b strings.Builder
		for range rng.IntN(most + 1) {
			// The square makes the first words much more frequent.
			f := rng.Float64()
			b.WriteString(vocabulary[int(f*f*float64(len(vocabulary)))])
			b.WriteString([]string{" ", " ", " ", "-", ".", "\n"}[rng.IntN(6)])
		}
		return b.String()
	}
	return Text{Title: words(4), Headings: words(6), Body: words(60), Rest: words(5)}
}

func randomTexts(rng *rand.Rand, n int) []Text {
	texts := make([]Text, n)
	for i := range texts {
		texts[i] = randomText(rng)
	}
	return texts
}

func randomParams(t *rapid.T) Params {
	f := func(name string, most float64) float64 { return rapid.Float64Range(0, most).Draw(t, name) }
	return Params{
		K1:    f("k1", 3),
		Title: Field{f("wt", 5), f("bt", 1)}, Head: Field{f("wh", 5), f("bh", 1)}, Body: Field{f("wb", 5), f("bb", 1)},
		Exact: f("exact", 1), Part: f("part", 1), Joined: f("joined", 1), Stop: f("stop", 1), Fixed: f("fixed", 1),
	}
}

func randomQuery(t *rapid.T) Query {
	items := rapid.SliceOfN(rapid.SampledFrom(append([]string{
		"-node", "title:pod", `"kube proxy"`, "unknownword", "contrller", `"the event"`, "-the",
	}, vocabulary...)), 1, 8).Draw(t, "query")
	return Parse(strings.Join(items, " "))
}

// Pruning must not change an answer, whatever the parameters.
func TestTopEqualsExhaustive(t *testing.T) {
	sizes := []int{1, 5, 100, 1000, 5000}
	if testing.Short() {
		sizes = sizes[:4]
	}
	var searchers []*Searcher
	for i, n := range sizes {
		rng := rand.New(rand.NewPCG(1, uint64(i)))
		base := mustBuild(t, randomTexts(rng, n), 1)
		delta := mustBuild(t, randomTexts(rng, n/10), 1)
		var dead Set
		for num := range n {
			if rng.IntN(20) == 0 {
				dead.Add(uint32(num))
			}
		}
		order := make([]uint32, n+n/10)
		for i, p := range rng.Perm(len(order)) {
			order[i] = uint32(p)
		}
		for _, in := range [][]Input{{{Reader: base}}, {{Reader: base, Deleted: &dead}, {Reader: delta}}} {
			var o func(uint32) uint32
			if len(in) > 1 {
				o = listed(order)
			}
			s, err := NewSearcher(in, o)
			if err != nil {
				t.Fatal(err)
			}
			searchers = append(searchers, s)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(searchers).Draw(t, "searcher")
		q := randomQuery(t)
		var o Options
		if rapid.Bool().Draw(t, "own parameters") {
			o.Params = randomParams(t)
		}
		if rapid.Bool().Draw(t, "filter") {
			o.Accept = func(n uint32) bool { return n%3 != 0 }
		}
		if rapid.Bool().Draw(t, "near ones") {
			o.Few, o.Near = rapid.IntRange(0, 20).Draw(t, "few"), rapid.Float64Range(0, 1.2).Draw(t, "near")
		}
		k := rapid.SampledFrom([]int{1, 3, 10, 100, 10000}).Draw(t, "k")
		got, err := s.Top(q, k, o)
		if err != nil {
			t.Fatal(err)
		}
		want, err := s.topExhaustive(q, k, o)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want.Matches, got.Matches); d != "" {
			t.Fatalf("%v: %s", q, d)
		}
	})
}

func ExampleSearcher_Top() {
	texts := []Text{
		{Title: "Rotate keys", Body: "How to rotate the keys of a cluster."},
		{Title: "Logs", Body: "Where logs go. Rotating them is another page."},
		{Title: "Nodes", Body: "What a node is."},
	}
	parts, _ := Build(len(texts), func(i int) Text { return texts[i] }, 1)
	r, _ := inMemory(parts)
	s, _ := NewSearcher([]Input{{Reader: r}}, nil)
	res, _ := s.Top(Parse("how do I rotate keys"), 10, Options{})
	for _, m := range res.Matches {
		fmt.Printf("%.2f %s\n", m.Score.Float(), texts[m.Num].Title)
	}
	// Output:
	// 3.40 Rotate keys
	// 0.43 Logs
}
