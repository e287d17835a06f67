package web

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A piece of an excerpt is marked where it is a word that was asked for.
type piece struct {
	Text string
	Mark bool
}

// excerptSize is how many bytes of a hit are shown.
const excerptSize = 280

// queryWords are the words of a question, in lower case, with what those that are
// unknown were read as.
func queryWords(text string, searched []docent.Change) []string {
	var out []string
	add := func(s string) {
		for _, w := range strings.FieldsFunc(strings.ToLower(s), notWord) {
			if len(w) > 1 && !stopWords[w] {
				out = append(out, w)
			}
		}
	}
	add(text)
	for _, c := range searched {
		add(c.To)
	}
	if len(out) == 0 { // of "to be or not to be", everything counts
		out = strings.FieldsFunc(strings.ToLower(text), notWord)
	}
	return out
}

var stopWords = map[string]bool{
	"a": true, "an": true, "and": true, "are": true, "as": true, "at": true, "be": true, "by": true, "can": true, "do": true,
	"does": true, "for": true, "from": true, "how": true, "i": true, "if": true, "in": true, "is": true, "it": true, "my": true,
	"of": true, "on": true, "or": true, "the": true, "to": true, "what": true, "when": true, "where": true, "which": true,
	"with": true, "you": true, "your": true,
}

func notWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '_'
}

// like reports whether a word of a text is one of those asked for: the same, or
// of the same stem as far as a reader would mark it. The index knows stems
// exactly; here a long common beginning will do.
func like(word string, words []string) bool {
	word = strings.ToLower(word)
	for _, w := range words {
		if word == w {
			return true
		}
		n := 0
		for n < len(word) && n < len(w) && word[n] == w[n] {
			n++
		}
		if n >= 4 && len(word)-n <= 4 && len(w)-n <= 3 || n >= 3 && n == len(w) && len(word)-n <= 2 {
			return true
		}
	}
	return false
}

// excerpt gives the part of a hit that has most of the words asked for, with
// those marked.
func excerpt(body string, words []string) []piece {
	body = clip(body, 16<<10)
	d := markdown.Parse("", []byte(body))
	from := 0
	for _, h := range d.Headings {
		if h.Span.Start == from || strings.TrimSpace(body[from:h.Span.Start]) == "" {
			from = h.Span.End // titles are shown above
		}
	}
	if len(d.Blocks) > 0 && d.Blocks[0].Kind == doc.FrontMatter {
		from = max(from, d.Blocks[0].Span.End)
	}
	plain := markdown.AppendText(nil, &d, doc.Span{Start: from, End: len(body)})
	text := strings.Join(strings.Fields(string(plain)), " ")
	start, end := window(text, words)
	var out []piece
	if start > 0 {
		out = append(out, piece{Text: "… "})
	}
	out = append(out, marked(text[start:end], words)...)
	if end < len(text) {
		out = append(out, piece{Text: " …"})
	}
	return out
}

// window finds the stretch of a text with the most different words, then the most
// words, that were asked for; the earliest of several.
func window(text string, words []string) (start, end int) {
	if len(text) <= excerptSize {
		return 0, len(text)
	}
	type spot struct{ at, which int }
	var spots []spot
	eachWord(text, func(from, to int) {
		if like(text[from:to], words) {
			which := 0
			for i, w := range words {
				if strings.HasPrefix(strings.ToLower(text[from:to]), w[:min(len(w), 4)]) {
					which = i
				}
			}
			spots = append(spots, spot{from, which})
		}
	})
	best, at := -1, 0
	for i, s := range spots {
		seen, score := map[int]bool{}, 0
		for _, t := range spots[i:min(len(spots), i+24)] {
			if t.at > s.at+excerptSize-60 {
				break
			}
			score++
			if !seen[t.which] {
				seen[t.which] = true
				score += 8
			}
		}
		if score > best {
			best, at = score, s.at
		}
	}
	start = max(0, at-60)
	if start > 0 {
		if i := strings.IndexByte(text[start:], ' '); i >= 0 && start+i < at {
			start += i + 1
		} else {
			start = at
		}
	}
	end = min(len(text), start+excerptSize)
	if end < len(text) {
		if i := strings.LastIndexByte(text[start:end], ' '); i > 0 {
			end = start + i
		}
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
	}
	return start, end
}

// eachWord calls fn with the place of each word.
func eachWord(text string, fn func(from, to int)) {
	from := -1
	for i, r := range text {
		switch {
		case notWord(r):
			if from >= 0 {
				fn(from, i)
			}
			from = -1
		case from < 0:
			from = i
		}
	}
	if from >= 0 {
		fn(from, len(text))
	}
}

// marked divides a text at the words that were asked for.
func marked(text string, words []string) []piece {
	var out []piece
	last := 0
	eachWord(text, func(from, to int) {
		if !like(text[from:to], words) {
			return
		}
		if from > last {
			out = append(out, piece{Text: text[last:from]})
		}
		out = append(out, piece{Text: text[from:to], Mark: true})
		last = to
	})
	if last < len(text) {
		out = append(out, piece{Text: text[last:]})
	}
	return out
}
