package markdown

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/docent-md/docent/doc"
)

// maxTag is how long a tag may be. Longer ones are not written by people.
const maxTag = 100

// InlineTags returns the tags in the text of d, as Obsidian has them: "#" after a space
// or at the beginning of a line, then letters, digits, "_", "-" and "/", of which one is
// no digit. Code, links, headings and tables have none. Each is returned once.
func InlineTags(d *doc.Document) []string {
	var out []string
	for i := range d.Blocks {
		b := &d.Blocks[i]
		if b.Kind != doc.Paragraph {
			continue
		}
		text := b.Span.Of(d.Source)
		if bytes.IndexByte(text, '#') < 0 {
			continue
		}
		out = appendTags(out, d, text, b.Span.Start)
	}
	return out
}

// appendTags appends the tags of a paragraph, which begins at an offset of the file.
func appendTags(out []string, d *doc.Document, text []byte, start int) []string {
	var ticks tickRuns
	links := d.Links[firstLink(d.Links, start):]
	for i := 0; i < len(text); {
		switch text[i] {
		case '`':
			_, i = ticks.span(text, i)
			continue
		case '#':
		default:
			i++
			continue
		}
		n := 0
		if i == 0 || isTagSpace(text[i-1]) {
			n = tagLen(text[i+1:])
		}
		if n == 0 {
			i++
			continue
		}
		for len(links) > 0 && links[0].Span.End <= start+i {
			links = links[1:]
		}
		tag := string(text[i+1 : i+1+n])
		if (len(links) == 0 || links[0].Span.Start > start+i) && !slices.Contains(out, tag) {
			out = append(out, tag)
		}
		i += 1 + n
	}
	return out
}

func isTagSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// tagLen returns how many bytes at the beginning of s are a tag.
func tagLen(s []byte) int {
	n, named := 0, false
	for n < len(s) {
		r, size := utf8.DecodeRune(s[n:])
		digit := unicode.IsDigit(r)
		if !digit && !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '_' && r != '-' && r != '/' {
			break
		}
		named = named || unicode.IsLetter(r)
		n += size
	}
	// "#foo!" is a tag, "#foo(bar)" and "#foo=1" are something else.
	if n < len(s) && bytes.IndexByte([]byte("(=[{<:@\\"), s[n]) >= 0 {
		return 0
	}
	if !named || n > maxTag {
		return 0
	}
	return len(bytes.TrimRight(s[:n], "/-"))
}
