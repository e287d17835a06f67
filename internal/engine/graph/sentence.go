package graph

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSentence is where a summary is cut that has no end before it, in bytes: about
// three lines.
const maxSentence = 240

// FirstSentence returns the first sentence of a section's words, as a summary of
// it: one line, ended by its own punctuation or, when it is too long, by "…". The
// words should come without the heading.
func FirstSentence(text string) string {
	text = strings.TrimSpace(cutText(text, 8*maxSentence))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		end := i + n
		switch r {
		case '。', '！', '？':
			return oneSentence(text[:end])
		case '.', '!', '?':
			for end < len(text) && strings.IndexByte(`"')]*_`, text[end]) >= 0 {
				end++
			}
			if r != '.' || endsSentence(text[:i], text[end:]) {
				if end == len(text) || isSpace(text[end]) {
					return oneSentence(text[:end])
				}
			}
		case '\n':
			// A list or code follows, or another paragraph.
			before := strings.TrimRight(text[:i], " \r")
			if strings.HasSuffix(before, ":") || strings.HasPrefix(text[end:], "\n") || strings.HasPrefix(text[end:], "\r\n") {
				return oneSentence(before)
			}
		}
		i += n
	}
	return oneSentence(text)
}

// endsSentence reports whether a full stop between two texts ends a sentence.
func endsSentence(before, after string) bool {
	near := before[max(0, len(before)-16):]
	word := near[strings.LastIndexAny(near, " \n\t(")+1:]
	switch strings.ToLower(word) {
	case "e.g", "i.e", "etc", "vs", "cf", "approx", "no", "fig", "sec", "ch", "dr", "mr", "mrs", "ms", "st", "al", "resp", "incl":
		// "etc." may end a sentence, and then a capital follows.
		if !strings.EqualFold(word, "etc") {
			return false
		}
	}
	if len(word) == 1 && unicode.IsUpper(rune(word[0])) { // an initial
		return false
	}
	if word != "" && strings.Trim(word, "0123456789") == "" && len(before) == len(word) { // "1. First"
		return false
	}
	next := strings.TrimLeft(after[:min(len(after), 64)], " \n\r\t")
	r, _ := utf8.DecodeRuneInString(next)
	return !unicode.IsLower(r)
}

// oneSentence makes one line of s and cuts it at a word when it is too long.
func oneSentence(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= maxSentence {
		return s
	}
	s = cutText(s, maxSentence)
	if i := strings.LastIndexByte(s, ' '); i > maxSentence/2 {
		s = s[:i]
	}
	return strings.TrimRight(s, " ,;:.-") + "…"
}
