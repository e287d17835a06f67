package harness

import (
	"context"
	"strings"
	"unicode"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
)

// A Place is a range of lines of a file, both counted from 1 and inclusive.
type Place struct {
	File     string
	From, To int
}

func (p Place) overlaps(q Place) bool { return p.File == q.File && p.From <= q.To && q.From <= p.To }

// A Question is one question, with the places that answer it. Without any it cannot be
// answered, and the right reply is to say so.
type Question struct {
	ID, Text string
	Answer   string // in words; "" where that is not known
	Judged   []Place
	Page     bool // the whole file answers, so that any place in it will do
}

// An Outcome is how a question ended.
type Outcome string

// The outcomes.
const (
	Right     Outcome = "right"     // it cited a place that answers; or said rightly that there is none
	Wrong     Outcome = "wrong"     // it cited something else, or nothing
	Abstained Outcome = "abstained" // it said that there is no answer, and there is one
	Invented  Outcome = "invented"  // it answered what the documentation does not
	Failed    Outcome = "failed"    // it said nothing: the endpoint, the time, or calls without end
)

// A Verdict judges one attempt.
type Verdict struct {
	Outcome   Outcome
	Citations int // places that it cited
	Wrong     int // of these, places that do not answer
	Nowhere   int // of these, places that do not exist

	Expected int // words of the known answer; 0 where it is not known
	Said     int // of these, words that its own answer has
}

// widest is how many lines a citation may have. A model that cites whole files has not
// said where the answer is.
const widest = 150

// A Corpus resolves what a model cites.
type Corpus struct {
	lines   map[string]int // of each file
	library *docent.Library
}

// NewCorpus returns the corpus of some files, which the library has indexed.
func NewCorpus(files map[string]string, l *docent.Library) *Corpus {
	c := &Corpus{lines: map[string]int{}, library: l}
	for name, text := range files {
		c.lines[name] = strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	}
	return c
}

// Resolve returns the place that a citation names. Lines count as they were cited: whether
// the text is still there does not matter here.
func (c *Corpus) Resolve(ctx context.Context, citation string) (Place, bool) {
	ref, err := doc.ParseRef(strings.TrimPrefix(citation, "./"))
	if err != nil {
		return Place{}, false
	}
	n, ok := c.lines[ref.Path]
	switch {
	case !ok:
		return Place{}, false
	case ref.Lines.Start > 0:
		p := Place{ref.Path, ref.Lines.Start, max(ref.Lines.Start, ref.Lines.End)}
		return p, p.From <= n
	case ref.Anchor == "" && ref.Heading == "":
		return Place{ref.Path, 1, n}, true
	}
	s, err := c.library.Section(ctx, citation, answer.SectionOptions{})
	if err != nil {
		return Place{}, false
	}
	return Place{ref.Path, s.Section.Source.Lines[0], s.Section.Source.Lines[1]}, true
}

// Judge says how a question ended.
func (c *Corpus) Judge(ctx context.Context, q Question, a Attempt) Verdict {
	if a.Err != nil || strings.TrimSpace(a.Reply) == "" {
		return Verdict{Outcome: Failed}
	}
	r := ParseReply(a.Reply)
	answerable := len(q.Judged) > 0
	if r.Abstains {
		if answerable {
			return Verdict{Outcome: Abstained}
		}
		return Verdict{Outcome: Right}
	}
	v := Verdict{Outcome: Wrong, Citations: len(r.Sources)}
	if !answerable {
		v.Outcome = Invented
	}
	for _, s := range r.Sources {
		p, ok := c.Resolve(ctx, s)
		switch {
		case !ok:
			v.Nowhere++
			v.Wrong++
		case q.answeredBy(p):
			v.Outcome = Right
		default:
			v.Wrong++
		}
	}
	for _, w := range contentWords(q.Answer) {
		v.Expected++
		if strings.Contains(" "+strings.Join(contentWords(r.Answer), " ")+" ", " "+w+" ") {
			v.Said++
		}
	}
	return v
}

func (q *Question) answeredBy(p Place) bool {
	for _, j := range q.Judged {
		if q.Page && p.File == j.File || p.overlaps(j) && (p.To-p.From < widest || p.From >= j.From && p.To <= j.To) {
			return true
		}
	}
	return false
}

// contentWords are the different words of a text that have four letters or a digit.
func contentWords(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		if len(w) < 4 && !strings.ContainsAny(w, "0123456789") || seen[w] {
			continue
		}
		seen[w] = true
		out = append(out, w)
	}
	return out
}
