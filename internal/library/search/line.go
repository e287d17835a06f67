package search

import (
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/text/markdown"
)

// bestLine is the line or sentence of a hit that has most of the question, the first of
// those that have as much, in words; "" where none has any of it. Lines of code stay as
// they are. The hit was read by judge.
func (h *hit) bestLine(words *index.Titles) string {
	body, most := h.Body, 0.
	start, end := 0, 0 // of the best so far
	matter := frontMatter(body)
	for rest := h.seen; len(rest) > 0; {
		from := strings.LastIndexByte(body[:rest[0].At], '\n') + 1
		line, _, _ := strings.Cut(body[from:], "\n")
		share := words.Share(wordsBefore(&rest, from+len(line)))
		if share <= most || from < matter || !hasText(line) || isMarkup(line) {
			continue
		}
		if len(strings.TrimSpace(line)) <= answer.PreviewSize {
			start, end, most = from, from+len(line), share
			continue
		}
		inLine, _ := slices.BinarySearchFunc(h.seen, from, func(s index.Sighting, at int) int { return s.At - at })
		seen := h.seen[inLine:]
		for sentence := range strings.SplitAfterSeq(line, ". ") {
			from += len(sentence)
			if share := words.Share(wordsBefore(&seen, from)); share > most {
				start, end, most = from-len(sentence), from, share
			}
		}
	}
	if inFence(body[:start]) {
		return strings.TrimSpace(body[start:end])
	}
	return markdown.LineWords(body[start:end])
}

// isMarkup reports whether a line shows no words. Most lines begin with a word, and need not
// be parsed to know.
func isMarkup(line string) bool {
	line = strings.TrimLeft(line, " \t|>")
	return line != "" && strings.IndexByte("[:{<!", line[0]) >= 0 && markdown.LineWords(line) == ""
}

// wordsBefore takes from seen what stands before an end, and returns its words.
func wordsBefore(seen *[]index.Sighting, end int) (words uint64) {
	for len(*seen) > 0 && (*seen)[0].At < end {
		words |= (*seen)[0].Words
		*seen = (*seen)[1:]
	}
	return words
}

// inFence reports whether the line after some text is within fenced code.
func inFence(before string) bool {
	fence := ""
	for line := range strings.Lines(before) {
		line = strings.TrimLeft(line, " \t>")
		switch {
		case fence != "" && strings.HasPrefix(line, fence):
			fence = ""
		case fence == "" && (strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")):
			fence = line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
		}
	}
	return fence != ""
}

// frontMatter returns where the front matter of a text ends.
func frontMatter(body string) int {
	for _, rule := range []string{"---\n", "+++\n"} {
		if rest, ok := strings.CutPrefix(body, rule); ok {
			if i := strings.Index(rest, "\n"+rule); i >= 0 {
				return len(rule) + i + 1
			}
			return len(body)
		}
	}
	return 0
}

// hasText reports whether a line is more than a heading, and does not only open, close
// or rule something.
func hasText(line string) bool {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"#", "```", "~~~", ":::", "{{", "{%", "<"} {
		if strings.HasPrefix(line, mark) {
			return false
		}
	}
	return strings.Trim(line, "-=|:*_ ") != ""
}
