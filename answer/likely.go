package answer

import (
	"iter"
	"slices"
	"strings"
)

// Which hits are shown with their text.
//
// Whoever asks pays for every word of the answer, and mostly one hit answers. So text is
// shown where the answer is likely to be, and of the other hits a lead: their text is
// one call away. docs/tokens.md has what that saves, and how the bounds were chosen.
const (
	likelyTexts = 2   // most hits with their text
	likelySize  = 300 // tokens of them together, but for the first
)

// Arrange decides which hits of an answer to q are shown as leads, and finds the best
// line of each of these.
func (a *Answer) Arrange(q *Query, words QueryWords) {
	if !q.Full && !q.Explain && a.hasText() {
		a.markLeads()
	}
	for i := range a.Hits[:min(len(a.Hits), MaxLimit)] { // no user sees more
		if h := &a.Hits[i]; h.AsLead || q.Leads || !a.hasText() {
			h.BestLine = bestLine(h.Body, words)
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

// bestLine is the line or sentence of a text that has most of the question, the first of
// those that have as much; "" where none has any of it.
func bestLine(body string, words QueryWords) string {
	best, most := "", 0.
	for line := range linesWithText(body) {
		share := words.Share(words.Words(line))
		switch {
		case share <= most:
			continue
		case len(line) <= previewSize:
			best, most = line, share
			continue
		}
		for s := range sentences(line) {
			if share := words.Share(words.Words(s)); share > most {
				best, most = s, share
			}
		}
	}
	return shortened(best, previewSize)
}

// previewSize is how many bytes of a line are shown.
const previewSize = 80

// linesWithText yields the lines of a text but for front matter, headings, and those
// that only open, close or rule something.
func linesWithText(body string) iter.Seq[string] {
	return func(yield func(string) bool) {
		inMatter, first := false, true
		for line := range strings.Lines(body) {
			line = strings.TrimSpace(line)
			isRule := line == "---" || line == "+++"
			switch {
			case first && isRule:
				inMatter = true
			case inMatter:
				inMatter = !isRule
			case strings.Trim(line, "-=|:*_ ") == "", line[0] == '#', isMarkup(line):
			case !yield(line):
				return
			}
			first = false
		}
	}
}

// isMarkup reports whether a line is a fence, a tag or a macro.
func isMarkup(line string) bool {
	return slices.ContainsFunc([]string{"```", "~~~", ":::", "{{", "{%", "<"}, func(mark string) bool { return strings.HasPrefix(line, mark) })
}

// trail is a breadcrumb in a line: of a long one its ends.
func trail(titles []string) string {
	if n := len(titles); n > 3 {
		titles = []string{titles[0], "...", titles[n-1]}
	}
	return strings.Join(titles, " > ")
}

// sentences yields the sentences of a line that is too long to be shown.
func sentences(line string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(line) > previewSize {
			i := strings.Index(line, ". ")
			if i < 0 {
				break
			}
			if !yield(line[:i+1]) {
				return
			}
			line = line[i+2:]
		}
		yield(line)
	}
}
