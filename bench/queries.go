//go:build unix

package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
)

// Queries are made from the corpus itself by one generator with a fixed seed:
// of every ten, three are titles, two are phrases from a body, two are questions
// about a title, two are titles with a typo, and one is two or three of the most
// common words, which is what engines find hardest.
const seed = 42

var questions = []string{
	"how do I use %s", "what is %s", "why does %s not work", "what is the difference between %s and the others",
	"when should I use %s",
}

// queries returns n queries.
func (c *documents) queries(n int) []string {
	g := generator{rand.New(rand.NewPCG(seed, seed)), c, c.commonWords(60)}
	out := make([]string, n)
	for i := range out {
		switch i % 10 {
		case 0, 1, 2:
			out[i] = g.title(1)
		case 3, 4:
			out[i] = g.phrase()
		case 5, 6:
			out[i] = fmt.Sprintf(questions[g.IntN(len(questions))], g.title(1))
		case 7, 8:
			out[i] = g.typo(g.title(1))
		case 9:
			out[i] = strings.Join(g.common(), " ")
		}
	}
	return out
}

// titles returns n titles of several words, which any engine finds by all of
// its words.
func (c *documents) titles(n int) []string {
	g := generator{rand.New(rand.NewPCG(seed, seed+1)), c, nil}
	out := make([]string, n)
	for i := range out {
		out[i] = g.title(2)
	}
	return out
}

type generator struct {
	*rand.Rand
	c        *documents
	frequent []string
}

// title is the title of a chunk with so many words at least, and at most six.
func (g *generator) title(least int) string {
	for range 1000 {
		if w := words(g.c.chunks[g.IntN(len(g.c.chunks))].Title); len(w) >= least && len(w) <= 6 {
			return strings.Join(w, " ")
		}
	}
	return "example of use"
}

// phrase is five to eight words of a body as they stand there.
func (g *generator) phrase() string {
	for range 1000 {
		w := words(g.c.chunks[g.IntN(len(g.c.chunks))].Content)
		if n := 5 + g.IntN(4); len(w) > 2*n {
			at := g.IntN(len(w) - n)
			return strings.Join(w[at:at+n], " ")
		}
	}
	return "in most cases this is enough"
}

// typo exchanges two letters of the longest word.
func (g *generator) typo(s string) string {
	w := words(s)
	at := 0
	for i := range w {
		if len(w[i]) > len(w[at]) {
			at = i
		}
	}
	if r := []rune(w[at]); len(r) > 3 {
		i := 1 + g.IntN(len(r)-2)
		r[i], r[i+1] = r[i+1], r[i]
		w[at] = string(r)
	}
	return strings.Join(w, " ")
}

func (g *generator) common() []string {
	out := make([]string, 2+g.IntN(2))
	for i := range out {
		out[i] = g.frequent[g.IntN(len(g.frequent))]
	}
	return out
}

// commonWords returns the words that most chunks have.
func (c *documents) commonWords(n int) []string {
	count := map[string]int{}
	for i := 0; i < len(c.chunks); i += 10 {
		for _, w := range words(strings.ToLower(c.chunks[i].Content)) {
			count[w]++
		}
	}
	all := make([]string, 0, len(count))
	for w := range count {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	return all[:min(n, len(all))]
}

// words are the runs of letters and digits of a text.
func words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
