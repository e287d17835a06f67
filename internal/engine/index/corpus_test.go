package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// countedCorpus is a Corpus made from what Analyse says of every text, which is all
// that a keeper of texts has.
type countedCorpus struct {
	texts       int
	lengths     [3]uint64
	words, term map[string]int
}

func countCorpus(texts []Text) *countedCorpus {
	c := &countedCorpus{texts: len(texts), words: map[string]int{}, term: map[string]int{}}
	for _, t := range texts {
		a := Analyse(t)
		for f, n := range a.Lengths {
			c.lengths[f] += uint64(n)
		}
		seen := map[string]bool{}
		for _, w := range slices.Concat(a.Title, a.Headings, a.Body) {
			if !seen[w] {
				seen[w] = true
				c.words[w]++
			}
		}
		clear(seen)
		for _, w := range a.Terms {
			if !seen[w] {
				seen[w] = true
				c.term[w]++
			}
		}
	}
	return c
}

func (c *countedCorpus) Size() (int, [3]uint64) { return c.texts, c.lengths }

func counted(m map[string]int, keys []string) ([]int, error) {
	out := make([]int, len(keys))
	for i, k := range keys {
		out[i] = m[k]
	}
	return out, nil
}

func (c *countedCorpus) Words(words []string) ([]int, error) { return counted(c.words, words) }
func (c *countedCorpus) Terms(terms []string) ([]int, error) { return counted(c.term, terms) }

func (c *countedCorpus) Vocabulary(prefix string) ([]string, error) {
	var out []string
	for t := range c.term {
		if strings.HasPrefix(t, prefix) {
			out = append(out, t)
		}
	}
	return out, nil
}

// Texts that are kept elsewhere get the scores they would get here: a Searcher over
// the ones that are wanted, with the Corpus of all, answers like one over all.
func TestSomeTextsAreScoredAsAmongAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	vocabulary := strings.Fields(`rotate rotates rotating rotation key keys kubeProxy kube-proxy max_size size proxy
		server servers serving café cafe 1.25 1.26 node nodes drain draining pod pods 使用 使用中 the a of how is`)
	some := func(most int) string {
		words := make([]string, r.IntN(most))
		for i := range words {
			words[i] = vocabulary[min(r.IntN(len(vocabulary)), r.IntN(len(vocabulary)))]
		}
		return strings.Join(words, " ")
	}
	texts := make([]Text, 300)
	for i := range texts {
		texts[i] = Text{Title: some(5), Headings: some(8), Body: some(60)}
	}
	all := wholeSearcher(t, texts)
	corpus := countCorpus(texts)
	queries := []string{
		"rotate keys", "how is the kubeProxy", "title:drain nodes", "drain -pods", `"rotating key"`, "rotat kyes",
		"serv", "使", "1.25", "cafe", "kube-proxy max_size", "the of", "", "drian", "unknownword",
	}
	for range 50 {
		queries = append(queries, some(6))
	}
	for _, text := range queries {
		q := Parse(text)
		want, err := all.Top(q, 10, Options{})
		if err != nil {
			t.Fatal(err)
		}
		planner, err := NewPartial(nil, corpus)
		if err != nil {
			t.Fatal(err)
		}
		wanted, err := planner.Wanted(q, Params{})
		if err != nil {
			t.Fatal(err)
		}
		var picked []Text
		var numbers []uint32
		for i, x := range texts {
			if wanted.wants(Analyse(x)) {
				picked, numbers = append(picked, x), append(numbers, uint32(i))
			}
		}
		reader := readerOf(t, picked)
		part, err := NewPartial([]Input{{Reader: reader}}, corpus)
		if err != nil {
			t.Fatal(err)
		}
		got, err := part.Top(q, 10, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range got.Matches {
			got.Matches[i].Num = numbers[got.Matches[i].Num]
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q:\ngot  %+v\nwant %+v", text, got, want)
		}
		if fmt.Sprint(wanted.Corrections) != fmt.Sprint(want.Corrections) {
			t.Fatalf("%q: corrections %v, want %v", text, wanted.Corrections, want.Corrections)
		}
	}
}

// wants is what Wanted means, in the plainest words.
func (w *Wanted) wants(a Analysis) bool {
	has := func(x WantedWord) bool {
		return slices.Contains(a.Title, x.Word) || !x.Title && (slices.Contains(a.Headings, x.Word) || slices.Contains(a.Body, x.Word))
	}
	if !slices.ContainsFunc(w.Any, has) {
		return false
	}
	for _, group := range w.Must {
		if !slices.ContainsFunc(group, has) {
			return false
		}
	}
	return !slices.ContainsFunc(w.Not, func(word string) bool { return has(WantedWord{Word: word}) })
}

func readerOf(t *testing.T, texts []Text) *Reader {
	t.Helper()
	parts, err := Build(len(texts), func(i int) Text { return texts[i] }, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := inMemory(parts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func wholeSearcher(t *testing.T, texts []Text) *Searcher {
	t.Helper()
	s, err := NewSearcher([]Input{{Reader: readerOf(t, texts)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
