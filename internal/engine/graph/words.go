package graph

import (
	"bytes"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
)

// References in words: "See section 2.1", "sections 2.1 and 2.3", "chapter 4",
// "Appendix B", "§ 3"; and, where the document numbers its headings, "refer to 2.1" and
// "(2.1)". A section of something else is not ours: "section 4 of RFC 5280", "RFC
// 5280, section 4", "[the standard](...), section 4".

type wordRef struct {
	text   string
	target string
	at     int
}

// refs reads the references at a hit, which may be several, and returns the offset
// after them. own are the numbers of the document's headings.
func (p *prose) refs(dst []wordRef, h hit, own numbers) ([]wordRef, int) {
	src := p.d.Source
	b := p.block(h.at, true)
	if b == nil || b.Kind != doc.Paragraph && b.Kind != doc.Table {
		return dst, h.at
	}
	text := src[:b.Span.End]
	switch h.kind {
	case parenHit:
		return parenRef(dst, text, h.at, own)
	case seeHit:
		return seeRef(dst, text, h.at, own)
	}
	word, at := "section", h.at+len("§")
	if h.kind == wordHit {
		n := 0
		for h.at+n < len(text) && isLetter(text[h.at+n]) {
			n++
		}
		if word = numberWord(string(text[h.at : h.at+n])); word == "" {
			return dst, h.at
		}
		at = h.at + n
	}
	at = gapEnd(text, at)
	n := p.number(text, at, word)
	if n == 0 || p.elsewhere(text[b.Span.Start:h.at], text[at+n:]) {
		return dst, h.at
	}
	if word == "section" && len(own) == 0 && bytes.IndexByte(text[at:at+n], '.') < 0 {
		return dst, h.at // a lone number means nothing where nothing is numbered
	}
	from := leadStart(text[b.Span.Start:h.at]) + b.Span.Start
	for {
		num := string(text[at : at+n])
		dst = append(dst, wordRef{oneLine(text[from : at+n]), numberText(word, num), h.at})
		at += n
		next := listNext(text, at)
		if next < 0 || len(dst) >= maxHits {
			return dst, at
		}
		if n = p.number(text, next, word); n == 0 {
			return dst, at
		}
		at, from = next, next
	}
}

// parenRef reads "(2.1)" at i, which is a reference if a heading has the number.
func parenRef(dst []wordRef, text []byte, i int, own numbers) ([]wordRef, int) {
	n := numberAt(text[i+1:], false)
	end := i + 1 + n
	if n == 0 || end >= len(text) || text[end] != ')' {
		return dst, i
	}
	num := string(text[i+1 : end])
	if !strings.Contains(num, ".") {
		return dst, i
	}
	if _, ok := own.find(fold(num)); ok {
		dst = append(dst, wordRef{string(text[i : end+1]), num, i})
	}
	return dst, end
}

// seeRef reads "see 2.1" and "refer to 2.1" at i.
func seeRef(dst []wordRef, text []byte, i int, own numbers) ([]wordRef, int) {
	at := i + len("see ")
	if text[i]|0x20 == 'r' {
		at = i + len("refer to ")
	}
	at = gapEnd(text, at)
	n := numberAt(text[at:], false)
	num := string(text[at : at+n])
	if !strings.Contains(num, ".") {
		return dst, i
	}
	if _, ok := own.find(fold(num)); !ok && (strings.Count(num, ".") == 3 || isRelease(text[at+n:])) {
		return dst, i // an address, or a release
	}
	return append(dst, wordRef{oneLine(text[i : at+n]), num, i}), at + n
}

// number returns the length of the number at i that the word may be followed by.
func (p *prose) number(text []byte, i int, word string) int {
	n := numberAt(text[i:], word != "section")
	if n == 0 {
		return 0
	}
	num := text[i : i+n]
	if bytes.IndexByte(num, '.') < 0 && isDigit(num[0]) && len(num) > 2 { // "Section 508" is a law
		return 0
	}
	if word == "chapter" && string(num) == "I" { // "the chapter I wrote"
		return 0
	}
	if i+n+1 < len(text) && text[i+n] == '-' && isLetter(text[i+n+1]) { // "section 2-way"
		return 0
	}
	return n
}

// numberAt is numberLen for text.
func numberAt(b []byte, letters bool) int {
	return numberLen(string(b[:min(len(b), maxNumber+2)]), letters)
}

// gapEnd skips the white space between a word and its number, which may hold one
// line ending and the marks of a quote or of emphasis.
func gapEnd(b []byte, i int) int {
	for n := 0; i < len(b) && n < 16; n++ {
		switch {
		case b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t' || b[i] == '>' || b[i] == '*':
			i++
		case b[i] == 0xc2 && i+1 < len(b) && b[i+1] == 0xa0:
			i += 2
		default:
			return i
		}
	}
	return i
}

// listNext returns where the next number of a list begins, after ", " or " and "
// and the like, or -1.
func listNext(b []byte, i int) int {
	for _, sep := range []string{", and ", ", or ", ", ", " and ", " or ", " to ", " & ", "–", "-"} {
		if bytes.HasPrefix(b[i:], []byte(sep)) && i+len(sep) < len(b) && b[i+len(sep)] != ' ' {
			return i + len(sep)
		}
	}
	return -1
}

// leadStart returns where the words that lead in to a reference begin: "see" or
// "refer to", or the end of the text when there are none.
func leadStart(before []byte) int {
	low := strings.ToLower(string(before[max(0, len(before)-12):]))
	low = strings.ReplaceAll(low, "\n", " ")
	for _, lead := range []string{"see ", "see also ", "refer to "} {
		if strings.HasSuffix(low, lead) && (len(low) == len(lead) || !isLetter(low[len(low)-len(lead)-1])) {
			return len(before) - len(lead)
		}
	}
	return len(before)
}

// elsewhere reports whether a section is one of some other document, by the text
// before and after the reference.
func (p *prose) elsewhere(before, after []byte) bool {
	for _, of := range []string{" of ", "\nof ", " in "} {
		if rest, ok := bytes.CutPrefix(after, []byte(of)); ok {
			if of == " in " {
				return bytes.HasPrefix(rest, []byte("[")) || bytes.HasPrefix(rest, []byte("RFC"))
			}
			return !bytes.HasPrefix(rest, []byte("this ")) && !bytes.HasPrefix(rest, []byte("our "))
		}
	}
	tail := before[max(0, len(before)-40):]
	trimmed := bytes.TrimRight(tail, " ,(*\n")
	if p.link > 0 && len(trimmed) < len(tail) {
		at := p.blockStart() + len(before) - len(tail) + len(trimmed)
		if p.d.Links[p.link-1].Span.End == at {
			return true
		}
	}
	standards := []string{"RFC", "ISO", "IEEE", "ECMA", "POSIX", "PEP "}
	return slices.ContainsFunc(standards, func(name string) bool { return bytes.Contains(tail, []byte(name)) })
}

// isRelease reports whether what follows a number makes it one of a release.
func isRelease(after []byte) bool {
	low := strings.ToLower(string(after[:min(len(after), 12)]))
	signs := []string{" or ", " release", " version", "+", ".x", " and la", " docs", "-"}
	return slices.ContainsFunc(signs, func(s string) bool { return strings.HasPrefix(low, s) })
}

// oneLine returns text without line endings, quote marks and emphasis.
func oneLine(b []byte) string {
	return strings.Join(strings.Fields(lineMarks.Replace(string(b))), " ")
}

var lineMarks = strings.NewReplacer("\n>", " ", "*", "")
