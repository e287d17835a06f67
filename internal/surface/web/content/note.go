package content

import (
	"slices"
	"strconv"

	"github.com/docent-md/docent/internal/text/markdown"
)

// Footnotes stand at the end of the page, in the order of their first marks; those that no
// mark leads to follow.
type notes struct {
	page   *page
	order  []string          // labels, by number
	number map[string]int    // 1 for the first
	text   map[string][]byte // as written
	open   []openNote        // that are being written
}

// An openNote is a footnote that is being written, and the page that it was found on.
type openNote struct {
	label string
	page  []byte
}

// numberOf returns the number of a footnote, and whether this is its first mark.
func (x *notes) numberOf(label string) (n int, first bool) {
	if n = x.number[label]; n > 0 {
		return n, false
	}
	if x.number == nil {
		x.number = map[string]int{}
	}
	x.order = append(x.order, label)
	x.number[label] = len(x.order)
	return len(x.order), true
}

// mark writes the mark of a footnote; linked says that it stands in a link, and cannot be one.
func (x *notes) mark(label string, linked bool) {
	n, first := x.numberOf(label)
	number := strconv.Itoa(n)
	if linked || x.page.embedded > 0 {
		x.page.raw("<sup>" + number + "</sup>")
		return
	}
	x.page.raw(`<sup class="note-mark"><a href="#docent-note-` + number + `"`)
	if first {
		x.page.raw(` id="docent-mark-` + number + `"`)
	}
	x.page.raw(">" + number + "</a></sup>")
}

// inline writes the mark of a footnote that stands where its mark is, and puts its words
// aside. No label has a "^".
func (x *notes) inline(n *markdown.Piece, linked bool) {
	label := ""
	if !n.Close {
		label = "^" + strconv.Itoa(len(x.order))
		x.mark(label, linked)
	}
	x.aside(&markdown.Piece{Info: []byte(label), Close: n.Close})
}

// aside puts aside what a footnote says.
func (x *notes) aside(n *markdown.Piece) {
	if !n.Close {
		x.open = append(x.open, openNote{string(n.Info), x.page.html})
		x.page.html = nil
		return
	}
	last := x.open[len(x.open)-1]
	x.open = x.open[:len(x.open)-1]
	if x.text == nil {
		x.text = map[string][]byte{}
	}
	if _, twice := x.text[last.label]; !twice {
		x.text[last.label] = x.page.html
	}
	x.page.html = last.page
}

// writeAll writes the footnotes.
func (x *notes) writeAll() {
	if len(x.text) == 0 {
		return
	}
	labels := x.order
	rest := make([]string, 0, len(x.text))
	for label := range x.text {
		if x.number[label] == 0 {
			rest = append(rest, label)
		}
	}
	slices.Sort(rest)
	labels = append(slices.Clone(labels), rest...)
	x.page.raw("<hr>\n<ol class=\"notes\">\n")
	for i, label := range labels {
		number := strconv.Itoa(i + 1)
		if x.page.embedded > 0 {
			x.page.raw("<li>")
		} else {
			x.page.raw(`<li id="docent-note-` + number + `">`)
		}
		x.page.html = append(x.page.html, x.text[label]...)
		if i < len(x.order) && x.page.embedded == 0 {
			x.page.raw(`<a class="note-back" href="#docent-mark-` + number + `" aria-label="back to the text">↩</a>`)
		}
		x.page.raw("</li>\n")
	}
	x.page.raw("</ol>\n")
}
