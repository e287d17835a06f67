package answer

import (
	"fmt"
	"strings"
)

// MinBudget is the smallest budget that is accepted: below it there is no room
// for one citation and the closing lines.
const MinBudget = 60

// hitEnd separates hits in text.
const hitEnd = "\n---\n\n"

// moreHits stands before the hits that are shown as leads.
const moreHits = "more:\n"

// Budget says how an answer is made to fit a number of tokens.
type Budget struct {
	Tokens int              // most tokens of the whole answer, everything printed included
	Count  func([]byte) int // how many tokens a text has at most
	Leads  bool             // the hits will be shown as leads
	Words  QueryWords       // says which words of the question a text has; nil cuts hits from the end only

	// Read says how well each of some texts of a hit answers the question, larger where
	// better. It returns nil where there is no time for it. Nil: nobody can say.
	Read func(h *Hit, texts []string) []float64
}

// QueryWords knows the words of a question.
type QueryWords interface {
	Words(text string) uint64   // the set of the question's words in a text
	Share(words uint64) float64 // how much of the question's weight such a set has, at most 1
}

// Fit packs the best hits into the budget. A hit that does not fit whole is cut to
// what was asked for, once (see trim); hits after it get in only whole. What had no
// room is listed with its price, as far as that fits too. The promise is exact in
// the budget's own way of counting: the text of the answer is counted as a whole
// before it is given out.
func (a *Answer) Fit(b Budget) {
	b.Leads = b.Leads || !a.hasText()
	f := fitter{a, b}
	all := a.Hits
	a.Hits = []Hit{}
	reserve := min(b.Tokens/5, 80) // for the list of what is left out
	room := b.Tokens - reserve - f.count(a.closing())
	cut := false
	for _, h := range all {
		if h.AsLead {
			h.Body = ""
		}
		if price := f.count(f.hitText(&h)); price <= room {
			a.Hits = append(a.Hits, h)
			room -= price
			continue
		}
		if !cut && !b.Leads && !h.AsLead {
			if short, ok := f.trim(h, room); ok {
				room -= f.count(f.hitText(&short))
				a.Hits = append(a.Hits, short)
				cut = true
				continue
			}
		}
		a.LeftOut = append(a.LeftOut, h.Lead())
	}
	for f.price() > b.Tokens && f.shrink() {
	}
}

type fitter struct {
	a *Answer
	Budget
}

// shrink gives up what matters least: the last lead, then the last hit.
func (f *fitter) shrink() bool {
	a := f.a
	switch {
	case len(a.LeftOut) > 0:
		a.LeftOut = a.LeftOut[:len(a.LeftOut)-1]
		a.Unlisted++
	case len(a.Hits) > 0:
		a.Hits = a.Hits[:len(a.Hits)-1]
		a.Unlisted++
	case a.Miss != nil && len(a.Miss.Partial) > 0:
		a.Miss.Partial = a.Miss.Partial[:len(a.Miss.Partial)-1]
	case len(a.Unknown) > 0:
		a.Unknown = a.Unknown[:len(a.Unknown)-1]
	case len(a.Also) > 0:
		a.Also = a.Also[:len(a.Also)-1]
	case len(a.Searched) > 0:
		a.Searched = a.Searched[:len(a.Searched)-1]
	default:
		return false
	}
	return true
}

// price is the size of the answer's text, in tokens.
func (f *fitter) price() int {
	b := &strings.Builder{}
	if f.Leads {
		_ = f.a.WriteLeads(b)
	} else {
		_ = f.a.WriteText(b)
	}
	return f.count(b.String())
}

// hitText is the next hit as it will be printed.
func (f *fitter) hitText(h *Hit) string {
	if f.Leads || h.AsLead {
		return h.lead()
	}
	return h.text(len(f.a.Hits)) + hitEnd
}

func (f *fitter) count(s string) int { return f.Count([]byte(s)) }

// CheckBudget refuses a budget that is too small.
func CheckBudget(n int) error {
	if n != 0 && n < MinBudget {
		return fmt.Errorf("budget of %d tokens: must be at least %d", n, MinBudget)
	}
	return nil
}
