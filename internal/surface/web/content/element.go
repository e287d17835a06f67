package content

import (
	"slices"
	"strings"
)

// An element is one that documents may have.
type element struct {
	open, close string
	block       bool   // stands beside paragraphs, or in a cell
	within      string // the elements that it must stand in, between spaces
	ends        string // those that its beginning ends, up to one of within
}

// knownElements are the elements that may be in a page, by the names that documents have for them.
var knownElements = func() map[string]element {
	m := map[string]element{}
	for name := range strings.FieldsSeq("b strong i em u s del ins code kbd mark sub sup small abbr q cite samp var dfn bdi") {
		m[name] = element{open: "<" + name + ">", close: "</" + name + ">"}
	}
	m["strike"], m["tt"] = m["s"], m["code"]
	for name := range strings.FieldsSeq("ul ol dl table blockquote details figure") {
		m[name] = element{open: "<" + name + ">", close: "</" + name + ">\n", block: true}
	}
	m["table"] = element{open: tableTags[0] + "<table>", close: "</table>" + tableTags[1], block: true}
	m["pre"] = element{open: `<div class="code"><pre tabindex="0">`, close: "</pre></div>\n", block: true}
	for name := range strings.FieldsSeq("h1 h2 h3 h4 h5 h6") {
		m[name] = element{open: "<" + name + ">", close: "</" + name + ">\n", block: true}
	}
	for name := range strings.FieldsSeq("div section article center main header footer nav aside picture") {
		m[name] = element{open: "<div>", close: "</div>\n", block: true}
	}
	m["center"] = element{open: `<div class="center">`, close: "</div>\n", block: true}
	m["p"] = element{open: `<div class="p">`, close: "</div>\n", block: true, ends: " p "}
	for name, x := range map[string]element{
		"li":      {within: " ul ol ", ends: " li "},
		"dt":      {within: " dl ", ends: " dt dd "},
		"dd":      {within: " dl ", ends: " dt dd "},
		"caption": {within: " table "},
		"thead":   {within: " table ", ends: " tbody tr td th "},
		"tbody":   {within: " table ", ends: " thead tbody tr td th "},
		"tfoot":   {within: " table ", ends: " thead tbody tr td th "},
		"tr":      {within: " table thead tbody tfoot ", ends: " tr td th "},
		"td":      {within: " tr ", ends: " td th "},
		"th":      {within: " tr ", ends: " td th "},
		"summary": {within: " details "}, "figcaption": {within: " figure "},
	} {
		x.open, x.close, x.block = "<"+name+">", "</"+name+">", true
		m[name] = x
	}
	return m
}()

// tableTags stand around a table, which scrolls by itself.
var tableTags = [2]string{`<div class="table" role="group" aria-label="table" tabindex="0">`, "</div>\n"}

// An openElement is one that is to be closed.
type openElement struct{ name, close string }

// maxElements is how deep HTML nests. Deeper tags are left out.
const maxElements = 120

// elements are those of HTML that are open, with barriers between pieces of Markdown.
type elements struct {
	*page
	links *links
	open  []openElement
}

// push adds an element that has begun.
func (x *elements) push(name, end string) { x.open = append(x.open, openElement{name, end}) }

// full reports whether no element may begin.
func (x *elements) full() bool { return len(x.open) > maxElements }

// barrier begins a piece of Markdown: elements that begin in it end in it.
func (x *elements) barrier() { x.open = append(x.open, openElement{}) }

// unwind ends the elements since the last barrier.
func (x *elements) unwind() {
	for n := len(x.open) - 1; n >= 0; n-- {
		e := x.open[n]
		x.open = x.open[:n]
		if e.name == "" {
			return
		}
		x.closed(e)
	}
}

func (x *elements) closed(e openElement) {
	if e.name == "a" {
		x.links.depth--
	}
	x.raw(e.close)
}

// since returns where in x.open the innermost element of some names stands, not beyond
// the last barrier, or -1.
func (x *elements) since(names string) int {
	for i := len(x.open) - 1; i >= 0 && x.open[i].name != ""; i-- {
		if strings.Contains(names, " "+x.open[i].name+" ") {
			return i
		}
	}
	return -1
}

// closeFrom closes the elements from the i-th on.
func (x *elements) closeFrom(i int) {
	for _, e := range slices.Backward(x.open[i:]) {
		x.closed(e)
	}
	x.open = x.open[:i]
}

// inElement reports whether an element of HTML is open in this piece of Markdown.
func (x *elements) inElement() bool { return x.inElementAt(len(x.open)) }

func (x *elements) inElementAt(n int) bool { return n > 0 && x.open[n-1].name != "" }
