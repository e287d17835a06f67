package docent

import (
	"fmt"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/markdown"
)

// MinBudget is the smallest budget that is taken: below it there is no room
// for one citation and the closing lines.
const MinBudget = 60

// hitEnd separates hits in text.
const hitEnd = "\n---\n\n"

// fit packs the best hits into limit tokens, everything printed included. A hit
// that does not fit whole is cut at the end of a block, once; hits after it get
// in only whole. What had no room is listed with its price, as far as that
// fits too. The promise is exact in the answer's own way of counting: the text
// of the answer is counted as a whole before it is given out.
func (a *Answer) fit(limit int) {
	a.limit = limit
	all := a.Hits
	a.Hits = nil
	reserve := min(limit/5, 80) // for the list of what is left out
	room := limit - reserve - a.count(a.closing())
	cut := false
	for _, h := range all {
		text := h.text(len(a.Hits)) + hitEnd
		if price := a.count(text); price <= room {
			a.Hits = append(a.Hits, h)
			room -= price
			continue
		}
		if !cut {
			if short, ok := a.trim(h, room); ok {
				a.Hits = append(a.Hits, short)
				room -= a.count(short.text(len(a.Hits)-1) + hitEnd)
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
	_ = a.WriteText(b)
	return a.count(b.String())
}

func (a *Answer) count(s string) int { return a.tokens([]byte(s)) }

// trim cuts a hit at the last block edge that leaves it within room tokens. A
// piece that would show nothing but a heading is refused.
func (a *Answer) trim(h Hit, room int) (Hit, bool) {
	body := strings.TrimLeft(h.Body, "\n")
	edges := blockEdges(body)
	whole := a.count(body)
	lo, hi := 0, len(edges) // the first lo edges are known to fit
	for lo < hi {
		mid := (lo + hi + 1) / 2
		short := h
		short.Body, short.Cut = body[:edges[mid-1]], whole
		if a.count(short.text(len(a.Hits))+hitEnd) <= room {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if lo == 0 {
		return Hit{}, false
	}
	h.Body = body[:edges[lo-1]]
	h.Cut = max(whole-a.count(h.Body), 1)
	return h, true
}

// blockEdges returns where text can be cut: after each block that says
// something, and after each item of a list.
func blockEdges(text string) []int {
	d := markdown.Parse("", []byte(text))
	var edges []int
	for _, b := range d.Blocks {
		ok := b.Parent < 0 || b.Kind == doc.Item && d.Blocks[b.Parent].Parent < 0
		switch b.Kind {
		case doc.HeadingBlock, doc.FrontMatter, doc.Component, doc.List, doc.Break:
			ok = false
		}
		if ok && b.Span.End < len(text) {
			edges = append(edges, b.Span.End)
		}
	}
	return edges
}

// checkBudget refuses a budget that cannot be kept.
func checkBudget(n int) error {
	if n != 0 && n < MinBudget {
		return fmt.Errorf("budget of %d tokens: must be at least %d", n, MinBudget)
	}
	return nil
}
