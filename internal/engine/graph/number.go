package graph

import (
	"path"
	"strings"
)

// Headings are numbered in three ways: "2.1 Title" and "D1.2.3 Title"; "Chapter 4:
// Title"; "Appendix B". A reference in words names the number, with or without the
// word. Both become the text "2.1", "chapter 4" or "appendix B" here, and are
// compared folded.
//
// Numbers are everywhere in documentation, so a heading counts as numbered only
// when words follow its number: "1.2.3" and "1.2.3 (2024-05-01)" are releases.

// maxNumber is the length of the longest number; "D13.2.100.4" is a long one.
const maxNumber = 24

// headingNumber returns the number of a heading and the word before it, "chapter"
// or "appendix" or none.
func headingNumber(title string) (word, num string) {
	s := strings.TrimLeft(title, " §")
	if w, rest, ok := strings.Cut(s, " "); ok {
		if word = numberWord(w); word != "" {
			s = strings.TrimLeft(rest, " ")
		}
	}
	n := numberLen(s, word == "appendix" || word == "chapter")
	if n == 0 {
		// "B. Operators": a letter alone needs a full stop.
		if len(s) > 3 && 'A' <= s[0] && s[0] <= 'Z' && s[1] == '.' && s[2] == ' ' {
			n = 1
		} else {
			return "", ""
		}
	}
	num, s = s[:n], s[n:]
	if word == "section" {
		word = ""
	} else if word != "" && s == "" {
		return word, num
	}
	after := strings.TrimLeft(s, ".:)-–— ")
	if len(after) == len(s) || after == "" || !strings.HasPrefix(s, ".") && s[0] == '-' {
		return "", ""
	}
	if !isLetter(after[0]) && after[0] < 0x80 && !strings.ContainsRune("\"'`<_*(@:", rune(after[0])) {
		return "", ""
	}
	if after[0] == '(' && (len(after) == 1 || !isLetter(after[1])) {
		return "", ""
	}
	return word, num
}

// numberWord returns the word that a number may follow, in one form: "section",
// "chapter", "appendix", or "".
func numberWord(w string) string {
	switch strings.ToLower(w) {
	case "section", "sections", "sec.", "clause":
		return "section"
	case "chapter", "chapters", "chap.", "ch.":
		return "chapter"
	case "appendix", "appendices", "annex":
		return "appendix"
	}
	return ""
}

// numberLen returns the length of the number that s begins with, or 0: up to two
// capital letters and digits, then more parts after full stops. After some words
// a letter or a Roman number will do.
func numberLen(s string, letters bool) int {
	n := 0
	for n < len(s) && n < 2 && 'A' <= s[n] && s[n] <= 'Z' {
		n++
	}
	digits := digitsLen(s[n:])
	if digits == 0 && !(n == 1 && len(s) > 2 && s[1] == '.' && isDigit(s[2])) { // "A.1"
		if letters {
			return letterLen(s, n)
		}
		return 0
	}
	n += digits
	for n+1 < len(s) && s[n] == '.' && isDigit(s[n+1]) {
		n += 1 + digitsLen(s[n+1:])
	}
	if n > maxNumber || n < len(s) && (isWord(s[n]) || s[n] == '%') {
		return 0
	}
	return n
}

// letterLen returns the length of the letter or Roman number that s begins with,
// or 0. capitals is how many capitals it begins with, counted up to two.
func letterLen(s string, capitals int) int {
	n := capitals
	if n == 2 || n == 1 && len(s) > 1 && isLetter(s[1]) {
		n = 0
		for n < len(s) && n < 6 && strings.IndexByte("IVXLC", s[n]) >= 0 {
			n++
		}
	}
	if n < len(s) && (isWord(s[n]) || s[n] >= 0x80 && !strings.HasPrefix(s[n:], "’")) {
		return 0
	}
	return n
}

func digitsLen(s string) int {
	n := 0
	for n < len(s) && n <= 4 && isDigit(s[n]) {
		n++
	}
	if n > 4 {
		return 0
	}
	return n
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) || c == '_' }

// numberText is the form of a number in targets and keys.
func numberText(word, num string) string {
	if word == "chapter" || word == "appendix" {
		return word + " " + num
	}
	return num
}

// isGlobal reports whether a number, as numberText gives it, says enough to be
// looked for in other files: "2.1" and "chapter 4", not "4".
func isGlobal(text string) bool { return strings.ContainsAny(text, ". -") }

// fileChapter returns the number that a file's name gives it, as in
// "ch04-00-ownership.md", as numberText would.
func fileChapter(p string) string {
	base := strings.ToLower(trimExt(path.Base(p)))
	for _, pre := range []string{"chapter", "chap", "ch"} {
		s, ok := strings.CutPrefix(base, pre)
		if !ok {
			continue
		}
		s = strings.TrimLeft(s, "-_ ")
		n := digitsLen(s)
		if n == 0 {
			return ""
		}
		num := strings.TrimLeft(s[:n], "0")
		s = strings.TrimLeft(s[n:], "-_. ")
		// A second number divides the chapter; its first part stands for it.
		if k := digitsLen(s); k > 0 && strings.Trim(s[:k], "0") != "" || num == "" {
			return ""
		}
		return numberText("chapter", num)
	}
	return ""
}

// numbers are the sections of a file by their numbers, folded.
type numbers map[string]int

// numbersOf returns the numbers of the sections of a file. A number with a word
// is there without it too; of equal ones the first counts.
func numbersOf(title func(i int) string, n int) numbers {
	var out numbers
	add := func(key string, i int) {
		if _, ok := out[key]; !ok {
			if out == nil {
				out = numbers{}
			}
			out[key] = i
		}
	}
	for i := range n {
		word, num := headingNumber(title(i))
		if num == "" {
			continue
		}
		add(fold(num), i)
		if word != "" {
			add(fold(numberText(word, num)), i)
		}
	}
	return out
}

// find returns the section that a number, folded, means. "Chapter 4" may be
// headed "4. Title".
func (n numbers) find(key string) (int, bool) {
	if i, ok := n[key]; ok {
		return i, true
	}
	if dash := strings.IndexByte(key, '-'); dash >= 0 {
		i, ok := n[key[dash+1:]]
		return i, ok
	}
	return 0, false
}

// isParted reports whether there are numbers of more than one part.
func (n numbers) isParted() bool {
	for key := range n {
		if strings.Contains(key, ".") {
			return true
		}
	}
	return false
}

// keys appends the keys of the numbers that other files may refer to, those of the
// file at path.
func (n numbers) keys(dst []uint32, path string) []uint32 {
	for key := range n {
		if isGlobal(key) {
			dst = append(dst, hashKey(number, key))
		}
	}
	if s := fileChapter(path); s != "" {
		dst = append(dst, hashKey(number, fold(s)))
	}
	return dst
}
