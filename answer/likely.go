package answer

import "strings"

// Which hits are shown with their text.
//
// Whoever asks pays for every word of the answer, and mostly one hit answers. So text is
// shown where the answer is likely to be, and of the other hits a lead: their text is
// one call away. docs/tokens.md has what that saves, and how the bounds were chosen.
const (
	likelyTexts = 2   // most hits with their text
	likelySize  = 300 // tokens of them together, but for the first
)

// Arrange decides which hits of an answer to q are shown as leads, and shows of each of
// these the line that bestLine gives.
func (a *Answer) Arrange(q *Query, bestLine func(hit int) string) {
	if !q.Full && !q.Explain && a.hasText() {
		a.markLeads()
	}
	for i := range a.Hits[:min(len(a.Hits), MaxLimit)] { // no user sees more
		if h := &a.Hits[i]; h.AsLead || q.Leads || !a.hasText() {
			h.BestLine = shortened(bestLine(i), PreviewSize)
		}
	}
}

// markLeads marks all hits but those that are likely to answer.
func (a *Answer) markLeads() {
	size := 0
	for i := range a.Hits {
		h := &a.Hits[i]
		size += h.Tokens
		h.AsLead = i > 0 && (a.Hits[i-1].AsLead || i >= likelyTexts || size > likelySize || h.Match == Weak || h.Via != nil)
	}
}

// PreviewSize is how many bytes of a line are shown.
const PreviewSize = 80

// trail is a breadcrumb in a line: of a long one its ends.
func trail(titles []string) string {
	if n := len(titles); n > 3 {
		titles = []string{titles[0], "...", titles[n-1]}
	}
	return strings.Join(titles, " > ")
}
