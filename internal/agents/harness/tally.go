package harness

import (
	"fmt"
	"io"
	"strings"
)

// A Tally sums up what a model did with the questions of one set and one set of tools.
type Tally struct {
	Set string `json:"set"`
	Way string `json:"tools"`

	Questions int `json:"questions"` // that have an answer
	Right     int `json:"right"`
	Wrong     int `json:"wrong"`
	Abstained int `json:"abstained"`
	Failed    int `json:"failed"` // of all

	Unanswerable int `json:"unanswerable"` // that have none
	Refused      int `json:"refused"`      // of these, rightly

	Citations      int `json:"citations"` // in answers to questions that have one
	WrongCitations int `json:"wrong_citations"`
	Nowhere        int `json:"nowhere"` // places that do not exist, in all answers

	AnswerWords int `json:"answer_words"` // of the known answers
	WordsSaid   int `json:"words_said"`

	Calls   int `json:"calls"`
	Misused int `json:"misused_calls"`
	Read    int `json:"tokens_read"`
	Input   int `json:"tokens_in"` // as the endpoint counts, cached ones included
	Output  int `json:"tokens_out"`
}

// Add counts one question.
func (t *Tally) Add(q Question, a Attempt, v Verdict) {
	t.Calls += a.Calls
	t.Misused += a.Misused
	t.Read += a.Read
	t.Input += a.Used.Input + a.Used.CacheRead + a.Used.CacheWrite
	t.Output += a.Used.Output
	t.Nowhere += v.Nowhere
	if v.Outcome == Failed {
		t.Failed++
	}
	if len(q.Judged) == 0 {
		t.Unanswerable++
		if v.Outcome == Right {
			t.Refused++
		}
		return
	}
	t.Questions++
	t.Citations += v.Citations
	t.WrongCitations += v.Wrong
	t.AnswerWords += v.Expected
	t.WordsSaid += v.Said
	switch v.Outcome {
	case Right:
		t.Right++
	case Wrong:
		t.Wrong++
	case Abstained:
		t.Abstained++
	}
}

func (t *Tally) all() int { return t.Questions + t.Unanswerable }

// Sum adds up tallies of one way.
func Sum(way string, some []Tally) Tally {
	sum := Tally{Set: "all", Way: way}
	for _, t := range some {
		if t.Way != way {
			continue
		}
		sum.Questions += t.Questions
		sum.Right += t.Right
		sum.Wrong += t.Wrong
		sum.Abstained += t.Abstained
		sum.Failed += t.Failed
		sum.Unanswerable += t.Unanswerable
		sum.Refused += t.Refused
		sum.Citations += t.Citations
		sum.WrongCitations += t.WrongCitations
		sum.Nowhere += t.Nowhere
		sum.AnswerWords += t.AnswerWords
		sum.WordsSaid += t.WordsSaid
		sum.Calls += t.Calls
		sum.Misused += t.Misused
		sum.Read += t.Read
		sum.Input += t.Input
		sum.Output += t.Output
	}
	return sum
}

// WriteTable writes tallies as a Markdown table.
func WriteTable(w io.Writer, tallies []Tally) error {
	b := &strings.Builder{}
	b.WriteString("| set | tools | right | wrong | \"not there\" | failed | rightly refused | wrong citations | of places that do not exist | answer's words | calls | tokens read | tokens in |\n")
	b.WriteString("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for i := range tallies {
		t := &tallies[i]
		n := float64(max(t.all(), 1))
		fmt.Fprintf(b, "| %s | %s | %s | %d | %d | %d | %s | %s | %d | %s | %.1f | %.0f | %.0f |\n", t.Set, t.Way,
			share(t.Right, t.Questions), t.Wrong, t.Abstained, t.Failed, share(t.Refused, t.Unanswerable),
			share(t.WrongCitations, t.Citations), t.Nowhere, percent(t.WordsSaid, t.AnswerWords),
			float64(t.Calls)/n, float64(t.Read)/n, float64(t.Input)/n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Ratios compares two ways in one line.
func Ratios(a, b Tally) string {
	ratio := func(x, y int) string {
		if x == 0 || y == 0 {
			return "-"
		}
		return fmt.Sprintf("%.2f", float64(x)/float64(y))
	}
	return fmt.Sprintf("%s : %s = right %s, rightly refused %s, calls %s, tokens read %s, tokens in %s",
		a.Way, b.Way, ratio(a.Right, b.Right), ratio(a.Refused, b.Refused), ratio(a.Calls, b.Calls), ratio(a.Read, b.Read), ratio(a.Input, b.Input))
}

func share(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", n, of)
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d %%", (100*n+of/2)/of)
}
