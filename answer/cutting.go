package answer

import (
	"bytes"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A cutting is a text without its front matter, and where it can be cut: after
// each block that says something and each item of a list, and after each line from
// the first such block on.
type cutting struct {
	body   string
	edges  []int
	lines  []int
	framed []frame
}

// A frame is a fence or a table, which begins with what the rest of it needs.
type frame struct {
	doc.Span
	rows  int // lines of its head
	fence bool
}

func newCutting(text string) cutting {
	d := markdown.Parse("", []byte(text))
	var c cutting
	from, first := 0, -1
	for _, b := range d.Blocks {
		ok := b.Parent < 0 || b.Kind == doc.Item && d.Blocks[b.Parent].Parent < 0
		switch b.Kind {
		case doc.FrontMatter:
			from, ok = b.Span.End, false
		case doc.HeadingBlock, doc.Component, doc.List, doc.Break, doc.HTML:
			ok = false
		case doc.Fence:
			c.framed = append(c.framed, frame{b.Span, 1, true})
		case doc.Table:
			c.framed = append(c.framed, frame{b.Span, 2, false})
		}
		if !ok {
			continue
		}
		if first < 0 {
			first = b.Span.Start
		}
		if b.Span.End < len(text) {
			c.edges = append(c.edges, b.Span.End-from)
		}
	}
	for i := max(first, 0); i < len(text)-1 && first >= 0; i++ {
		if text[i] == '\n' {
			c.lines = append(c.lines, i+1-from)
		}
	}
	for i := range c.framed {
		c.framed[i].Start -= from
		c.framed[i].End -= from
	}
	c.body = text[from:]
	return c
}

// join puts pieces together in the order of the text. A gap is marked; where a piece
// begins within a fence or a table, what that begins with stands before it, unless the
// piece before is of the same one; and a fence is closed.
func (c *cutting) join(pieces []piece, kept []int) string {
	var out []byte
	end, in := 0, -1 // where the last piece ended, and in which frame
	for _, i := range slices.Sorted(slices.Values(kept)) {
		from, text := pieces[i].from, c.body[pieces[i].from:pieces[i].to]
		if from != end {
			if at := c.within(from); at >= 0 && at == in {
				out = append(out, strings.TrimSpace(skipped)+"\n"...)
			} else {
				out = append(out, c.closing(in)...)
				if out = bytes.TrimRight(out, "\n"); len(out) > 0 {
					out = append(out, "\n\n"...)
				}
				out = append(out, skipped+c.head(at, from)...)
			}
			text = strings.TrimLeft(text, "\n")
		}
		out = append(out, text...)
		end = pieces[i].to
		in = c.within(end)
	}
	return string(append(out, c.closing(in)...))
}

// within returns the frame that a place is in, -1 when it is in none.
func (c *cutting) within(at int) int {
	return slices.IndexFunc(c.framed, func(f frame) bool { return f.Start < at && at < f.End })
}

// head is what a frame begins with, up to some place in it.
func (c *cutting) head(in, at int) string {
	if in < 0 {
		return ""
	}
	rest := c.body[c.framed[in].Start:at]
	n := 0
	for range c.framed[in].rows {
		n += strings.IndexByte(rest[n:], '\n') + 1
	}
	return rest[:n]
}

// closing is the line that ends a frame that is a fence.
func (c *cutting) closing(in int) string {
	if in < 0 || !c.framed[in].fence {
		return ""
	}
	head := strings.TrimLeft(c.body[c.framed[in].Start:c.framed[in].End], " \t")
	info := strings.TrimLeft(head, head[:min(1, len(head))])
	return head[:len(head)-len(info)] + "\n"
}
