// Package reader is a stand-in for a language model: a fixed policy, served as an HTTP
// endpoint over the Messages API and over chat completions. It proves the harness where
// no model can be had, and gives a table that anybody can make again. It understands
// nothing: it counts which words of a question a text has.
//
// With docent it searches with the question, reads the sections that the answer names,
// three at most; after a weak match one, which must have most of the words. With list, grep and read it greps for the
// three longest words of the question, and reads 60 lines around the lines with most of
// its words, in three files at most. Either way it stops at the first text that has most
// words of the question and cites that; else it cites the best text, and says that there is
// no answer where that has less than a third of them.
package reader

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A step is a call that was made, and what came of it.
type step struct{ name, args, text string }

// A call is what the reader wants done next.
type call struct {
	name string
	args map[string]any
}

// A passage is text that was read, and where it stands.
type passage struct{ ref, text string }

// What the reader goes by.
const (
	plenty   = 0.6  // share of the question's words with which it stops looking
	least    = 0.34 // share below which there is no answer
	maxReads = 3
)

const refusal = "NOT IN THE DOCS"

// next decides what to do: a call, or a reply.
func next(tools []string, question string, done []step) (reply string, do *call) {
	words := keywords(question)
	if slices.Contains(tools, "search") {
		return withDocent(words, question, done)
	}
	return withFiles(words, done)
}

// decide replies with the best passage.
func decide(words []string, read []passage) string {
	best, most := passage{}, 0.0
	for _, p := range read {
		if s := score(words, p.text); s > most && most < plenty {
			best, most = p, s
		}
	}
	if most < least {
		return refusal
	}
	return fmt.Sprintf("ANSWER: %s\nSOURCE: %s", bestLines(words, best.text), best.ref)
}

// score is the share of the words that a text has.
func score(words []string, text string) float64 {
	if len(words) == 0 {
		return 0
	}
	n := 0
	low := strings.ToLower(text)
	for _, w := range words {
		if strings.Contains(low, w) {
			n++
		}
	}
	return float64(n) / float64(len(words))
}

// bestLines are the three lines of a text that have most of the words, in their order.
func bestLines(words []string, text string) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
	order := slices.Clone(lines)
	slices.SortStableFunc(order, func(a, b string) int {
		return int(100*score(words, b)) - int(100*score(words, a))
	})
	order = order[:min(3, len(order))]
	lines = slices.DeleteFunc(lines, func(l string) bool { return !slices.Contains(order, l) })
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}

const stopWords = ` about after also and any are because been before but can cannot could did does doing don done for from
 get gets has have how into its just like make many more most much must need not now off only our out over per should some
 such than that the their them then there these they this too two use used using very via want was way were what when where
 which while who whose why will with without work would you your `

// keywords are the words of a question that say something, without the endings of plurals.
func keywords(question string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(question), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	}) {
		if len(w) < 3 || strings.Contains(stopWords, " "+w+" ") {
			continue
		}
		if len(w) > 4 {
			w = strings.TrimSuffix(w, "s")
		}
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
