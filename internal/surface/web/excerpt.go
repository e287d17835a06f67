package web

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A piece of an excerpt is marked if it is a word of the question.
type piece struct {
	Text string
	Mark bool
}

// excerptSize limits the bytes of a hit that are shown.
const excerptSize = 280

// queryWords returns the words of a question that are marked in excerpts, in lower
// case, and what unknown words were read as. Words that weigh little in the ranking
// are left out, unless there are no others.
func queryWords(text string, searched []answer.Correction) []string {
	stop := map[string]bool{}
	for _, w := range index.Parse(text).Words {
		stop[w.Text] = w.Stop
	}
	var out []string
	add := func(s string) {
		for _, w := range strings.FieldsFunc(strings.ToLower(s), notWord) {
			if len(w) > 1 && !stop[w] {
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

func notWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '_'
}

// like reports whether a word of a text matches a word of the question: it is the
// same, or has a long common prefix, which stands in for the index's stemming.
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

// excerpt returns the part of a hit that has most of the words, with these marked.
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

// window finds the part of a text with the most different words of the question, then
// the most words; the first of several.
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

// eachWord calls fn with the offsets of each word.
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

// marked divides a text at the words of the question.
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
