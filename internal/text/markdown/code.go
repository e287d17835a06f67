package markdown

import (
	"bytes"

	"github.com/docent-md/docent/doc"
)

// Code returns what a fenced block of d holds, as a reader sees it: without the
// markers of the quotes that it stands in, and without as much indentation as its
// fence has.
func Code(d *doc.Document, b *doc.Block) []byte {
	opening := b.Span.Of(d.Source)
	indent := max(bytes.IndexAny(opening[:lineLen(opening)], "`~"), 0)
	if indent == 0 || b.Inner.Start >= b.Inner.End {
		return b.Inner.Of(d.Source)
	}
	text := unquoted(d, b, b.Inner.Start, b.Inner.End)
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		n := lineLen(text)
		out = append(out, text[min(spaces(text[:n]), indent):n]...)
		text = text[n:]
	}
	return out
}
