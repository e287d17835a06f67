package docent

import (
	"fmt"
	"strings"
)

// MinBudget is the smallest budget that is taken: below it there is no room
// for one citation and the closing lines.
const MinBudget = 60

// hitEnd separates hits in text.
const hitEnd = "\n---\n\n"

// fit packs the best hits into limit tokens, everything printed included. A hit
// that does not fit whole is cut to what was asked for, once (see trim); hits after it get
// in only whole. What had no room is listed with its price, as far as that
// fits too. The promise is exact in the answer's own way of counting: the text
// of the answer is counted as a whole before it is given out.
func (a *Answer) fit(limit int) {
	all := a.Hits
	a.Hits = []Hit{}
	reserve := min(limit/5, 80) // for the list of what is left out
	room := limit - reserve - a.count(a.closing())
	cut := false
	for _, h := range all {
		if price := a.count(a.hitText(&h)); price <= room {
			a.Hits = append(a.Hits, h)
			room -= price
			continue
		}
		if !cut && !a.leads {
			if short, ok := a.trim(h, room); ok {
				room -= a.count(a.hitText(&short))
				a.Hits = append(a.Hits, short)
				cut = true
				continue
			}
		}
		a.LeftOut = append(a.LeftOut, h.leftOut())
	}
	for a.Price() > limit && a.shrink() {
	}
}

// shrink gives up what matters least: the last lead, then the last hit.
func (a *Answer) shrink() bool {
	switch {
	case len(a.LeftOut) > 0:
		a.LeftOut = a.LeftOut[:len(a.LeftOut)-1]
		a.Unlisted++
	case len(a.Hits) > 0:
		a.Hits = a.Hits[:len(a.Hits)-1]
		a.Unlisted++
	case a.Miss != nil && len(a.Miss.Partial) > 0:
		a.Miss.Partial = a.Miss.Partial[:len(a.Miss.Partial)-1]
	case a.Miss != nil && len(a.Miss.Unknown) > 0:
		a.Miss.Unknown = a.Miss.Unknown[:len(a.Miss.Unknown)-1]
	case len(a.Searched) > 0:
		a.Searched = a.Searched[:len(a.Searched)-1]
	default:
		return false
	}
	return true
}

// Price is the size of the answer's text, in tokens.
func (a *Answer) Price() int {
	b := &strings.Builder{}
	if a.leads {
		_ = a.WriteLeads(b)
	} else {
		_ = a.WriteText(b)
	}
	return a.count(b.String())
}

// hitText is the next hit as it will be printed.
func (a *Answer) hitText(h *Hit) string {
	if a.leads {
		return h.lead()
	}
	return h.text(len(a.Hits)) + hitEnd
}

func (a *Answer) count(s string) int { return a.tokens([]byte(s)) }

// checkBudget refuses a budget that cannot be kept.
func checkBudget(n int) error {
	if n != 0 && n < MinBudget {
		return fmt.Errorf("budget of %d tokens: must be at least %d", n, MinBudget)
	}
	return nil
}
