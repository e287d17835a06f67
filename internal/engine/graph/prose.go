package graph

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-md/docent/doc"
)

// Prose is searched for two things: references in words, and ids that others may
// point at. Both are found by looking for the few bytes they cannot do without,
// over the whole file at once, and then looking around each hit.

// A prose is the text of a document outside code and links.
type prose struct {
	d      *doc.Document
	blocks []int // those that hold text, in reading order
	at     int   // the one looked at last
	code   []doc.Span
	known  int // the block that code is of, plus one
	link   int // links before this one lie behind us
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func newProse(d *doc.Document) *prose {
	p := &prose{d: d}
	for i := range d.Blocks {
		switch d.Blocks[i].Kind {
		case doc.Paragraph, doc.Table, doc.HTML, doc.Component, doc.HeadingBlock:
			p.blocks = append(p.blocks, i)
		}
	}
	return p
}

// block returns the block of text that holds the byte at, which must not lie
// before those asked about earlier, unless it is in code or a link.
func (p *prose) block(at int, links bool) *doc.Block {
	for p.at < len(p.blocks) && p.d.Blocks[p.blocks[p.at]].Span.End <= at {
		p.at++
	}
	if p.at == len(p.blocks) {
		return nil
	}
	b := &p.d.Blocks[p.blocks[p.at]]
	if at < b.Span.Start {
		return nil
	}
	if p.known != p.at+1 {
		p.known, p.code = p.at+1, codeSpans(p.code[:0], b, p.d.Source)
	}
	for len(p.code) > 0 && p.code[0].End <= at {
		p.code = p.code[1:]
	}
	if len(p.code) > 0 && p.code[0].Start <= at {
		return nil
	}
	for p.link < len(p.d.Links) && p.d.Links[p.link].Span.End <= at {
		p.link++
	}
	if links && p.link < len(p.d.Links) && p.d.Links[p.link].Span.Start <= at {
		return nil
	}
	return b
}

// blockStart returns where the block that was returned last begins.
func (p *prose) blockStart() int { return p.d.Blocks[p.blocks[p.at]].Span.Start }

// section returns the section that holds the byte at.
func (p *prose) section(at int) int {
	i, found := slices.BinarySearchFunc(p.d.Sections, at, func(s doc.Section, at int) int { return s.Span.Start - at })
	if !found {
		i--
	}
	return max(i, 0)
}

// codeSpans appends the code spans of a block and its HTML comments to dst, in
// reading order.
func codeSpans(dst []doc.Span, b *doc.Block, src []byte) []doc.Span {
	if b.Kind == doc.HTML {
		return dst
	}
	text := b.Span.Of(src)
	for i := 0; ; {
		n := bytes.Index(text[i:], []byte("<!--"))
		if n < 0 {
			break
		}
		i += n
		end := bytes.Index(text[i:], []byte("-->"))
		if end < 0 {
			break
		}
		dst = append(dst, doc.Span{Start: b.Span.Start + i, End: b.Span.Start + i + end})
		i += end
	}
	if bytes.IndexByte(text, '`') < 0 {
		return dst
	}
	type run struct{ at, n, next int }
	var runs []run
	for i := 0; i < len(text); {
		if text[i] != '`' {
			n := bytes.IndexByte(text[i:], '`')
			if n < 0 {
				break
			}
			i += n
		}
		n := 1
		for i+n < len(text) && text[i+n] == '`' {
			n++
		}
		runs = append(runs, run{i, n, 0})
		i += n
	}
	last := map[int]int{}
	for i := len(runs) - 1; i >= 0; i-- {
		runs[i].next = last[runs[i].n]
		last[runs[i].n] = i
	}
	for i := 0; i < len(runs); i++ {
		if j := runs[i].next; j > i {
			dst = append(dst, doc.Span{Start: b.Span.Start + runs[i].at, End: b.Span.Start + runs[j].at + runs[j].n})
			i = j
		}
	}
	slices.SortFunc(dst, func(a, b doc.Span) int { return cmp.Compare(a.Start, b.Start) })
	return dst
}

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
