package answer

import (
	"sort"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
)

// How a hit is cut to the room there is.
//
// It is cut at the end of a block, and begins where it begins: that is where a
// section says what it is about. But where most of the question's words are further
// down, in the last rows of a long table say, the text begins there, at the first place
// that shows all of them.

// muchMore is the share of the question's weight that text further down must have
// beyond what the beginning has: a word in four.
const muchMore = 0.25

// skipped marks omitted text.
const skipped = "[...]\n\n"

// trim cuts a hit so that it takes at most room tokens. The best hit is cut at a
// line where blocks will not do: something of it must be seen. Front matter goes
// first.
func (f *fitter) trim(h Hit, room int) (Hit, bool) {
	c := newCutting(strings.TrimLeft(h.Body, "\n"))
	whole := f.count(c.body)
	price := func(body string) int {
		short := h
		short.Body, short.Cut = body, whole
		return f.count(f.hitText(&short))
	}
	fits := func(body string) bool { return price(body) <= room }
	best := f.beginning(c.body, c.edges, fits)
	if best == "" && len(f.a.Hits) == 0 {
		best = f.beginning(c.body, c.lines, fits)
	}
	if f.Words != nil {
		all := f.Words.Share(f.Words.Words(c.body))
		for _, places := range [][]int{c.edges, c.lines} {
			have := f.Words.Share(f.Words.Words(best))
			if all-have < muchMore {
				break
			}
			if text, share := f.window(&c, places, room-price(skipped), fits); share-have >= muchMore {
				best = text
			}
			if len(f.a.Hits) > 0 {
				break
			}
		}
	}
	if best == "" {
		return Hit{}, false
	}
	h.Body = best
	h.Cut = max(whole-f.count(h.Body), 1)
	return h, true
}

// beginning is as much of a text as fits, up to one of the places; "" when
// nothing does.
func (f *fitter) beginning(body string, places []int, fits func(string) bool) string {
	n := sort.Search(len(places), func(i int) bool { return !fits(body[:places[i]]) })
	if n == 0 {
		return ""
	}
	return body[:places[n-1]]
}

// window is the part of a text from one place to another that fits and has most of
// the question, and how much. It is looked for by the prices of pieces, which add up
// to room nearly enough. Of those that have as much it is the first, without
// what it could do without at its beginning.
func (f *fitter) window(c *cutting, places []int, room int, fits func(string) bool) (string, float64) {
	if len(places) == 0 {
		return "", 0
	}
	ends := append(places[:len(places):len(places)], len(c.body))
	words := make([]uint64, len(places)) // of the piece that begins at a place
	price := make([]int, len(places))
	for i, at := range places {
		piece := c.body[at:ends[i+1]]
		words[i], price[i] = f.Words.Words(piece), f.count(piece)
	}
	var times [64]int // how often the pieces of the window have each word
	have := uint64(0)
	add := func(words uint64, by int) {
		for w := range times {
			if words>>w&1 == 1 {
				times[w] += by
				if times[w] > 0 {
					have |= 1 << w
				} else {
					have &^= 1 << w
				}
			}
		}
	}
	from, to, most := -1, 0, 0.
	for i, end, sum := 0, 0, 0; i < len(places); i++ {
		for end < len(places) && sum+price[end] <= room {
			sum += price[end]
			add(words[end], 1)
			end++
		}
		if end == i { // the piece does not fit
			end++
			continue
		}
		share := f.Words.Share(have)
		if share > most || share == most && from == i-1 {
			from, to, most = i, end, share
		}
		sum -= price[i]
		add(words[i], -1)
	}
	if from < 0 {
		return "", 0
	}
	head := skipped + c.head(places[from])
	text := func(n int) string { return head + strings.TrimLeft(c.body[places[from]:ends[from+n]], "\n") }
	n := sort.Search(to-from, func(n int) bool { return !fits(text(n + 1)) })
	if n == 0 {
		return "", 0
	}
	return text(n), f.Words.Share(f.Words.Words(text(n)))
}

// A cutting is a text without its front matter, and where it can be cut: after
// each block that says something and each item of a list, and after each line from
// the first such block on.
type cutting struct {
	body  string
	edges []int
	lines []int
	heads []doc.Span // fences and tables, which begin with what the rest of them needs
	rows  []int      // how many lines that is
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
			c.heads, c.rows = append(c.heads, b.Span), append(c.rows, 1)
		case doc.Table:
			c.heads, c.rows = append(c.heads, b.Span), append(c.rows, 2)
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
	for i := range c.heads {
		c.heads[i].Start -= from
		c.heads[i].End -= from
	}
	c.body = text[from:]
	return c
}

// head is what a text that begins at some place needs before it: the first line of
// the fence or the head of the table that it begins in.
func (c *cutting) head(at int) string {
	for i, s := range c.heads {
		if s.Start < at && at < s.End {
			rest := c.body[s.Start:s.End]
			n := 0
			for range c.rows[i] {
				line := strings.IndexByte(rest[n:], '\n')
				if line < 0 {
					return ""
				}
				n += line + 1
			}
			if s.Start+n > at {
				return ""
			}
			return rest[:n]
		}
	}
	return ""
}
