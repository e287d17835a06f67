package content

import (
	"html"
	"strconv"
	"strings"
)

// HTML in a document is read tag by tag and written anew: an element of knownElements with
// none of its attributes, a picture or a link as Markdown's are. Other tags are left out,
// and their text stays. An element may begin in one block and end in another, with
// Markdown between them, but never outside of the piece of Markdown that it began in:
// what is still open there is closed.

// markup writes the HTML and the components in a document.
type markup struct {
	*elements
	pictures *pictures
}

// block writes a block of HTML anew. One that begins with text, or with an element of
// a line, is a paragraph.
func (x *markup) block(s string) {
	depth, begun := len(x.open), x.inElement()
	begin := func(block bool) {
		if !begun && !block {
			x.raw(knownElements["p"].open)
			x.push("p", knownElements["p"].close)
		}
		begun = true
	}
	eachTag(s, func(text string) {
		if strings.TrimSpace(text) == "" && strings.Contains(text, "\n") && x.since(" pre ") < 0 {
			return
		}
		begin(false)
		x.text(withMacros([]byte(html.UnescapeString(text))))
	}, func(t tag) {
		begin(knownElements[t.name].block || components[t.name] || t.name == "hr" || t.end)
		x.tag(t, true)
	})
	if len(x.open) > depth && x.open[depth].name == "p" && !x.inElementAt(depth) {
		x.closeFrom(depth)
	}
}

// inline writes the tags in a text anew; block is as for tag.
func (x *markup) inline(s string, block bool) {
	eachTag(s, func(string) {}, func(t tag) { x.tag(t, block) })
}

// tag writes a tag; block says whether it may be one beside paragraphs.
func (x *markup) tag(t tag, block bool) {
	switch t.name {
	case "br":
		x.raw("<br>")
		return
	case "hr":
		if block {
			x.raw("<hr>\n")
		}
		return
	case "img":
		if src, ok := t.value("src"); ok && !t.end {
			x.pictures.html(t, src)
		}
		return
	case "a":
		x.link(t)
		return
	}
	if block && x.componentTag(t) {
		return
	}
	e, ok := knownElements[t.name]
	if !ok || e.block && !block || t.empty {
		return
	}
	if t.end {
		if i := x.since(" " + t.name + " "); i >= 0 {
			x.closeFrom(i)
		}
		return
	}
	if e.within != "" && x.since(e.within) < 0 || x.full() {
		return
	}
	if e.ends != "" {
		if i := x.since(e.ends); i >= 0 && i > x.since(e.within+" ul ol dl table details div ") {
			x.closeFrom(i)
		}
	}
	x.raw(openingTag(t, e))
	x.push(t.name, e.close)
}

// openingTag returns the tag of an element anew, with the attributes that have a meaning.
func openingTag(t tag, e element) string {
	switch align, _ := t.value("align"); {
	case t.name == "details":
		if _, isOpen := t.value("open"); isOpen {
			return "<details open>"
		}
	case t.name == "ol":
		if start, ok := t.value("start"); ok {
			if n, err := strconv.Atoi(start); err == nil && n >= 0 && n < 1e6 {
				return `<ol start="` + strconv.Itoa(n) + `">`
			}
		}
	case strings.EqualFold(align, "center") && (e.open == "<div>" || t.name == "p"):
		return `<div class="center">`
	}
	return e.open
}

// link writes <a href>, or its end.
func (x *markup) link(t tag) {
	if t.end {
		if i := x.since(" a "); i >= 0 {
			x.closeFrom(i)
		}
		return
	}
	href, ok := t.value("href")
	if !ok || x.links.depth > 0 || t.empty || x.full() {
		return
	}
	x.push("a", x.links.tag(x.links.target([]byte(href))))
	x.links.depth++
}
