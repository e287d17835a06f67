package content

import (
	"net/url"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
)

// links writes links. They do not nest: what would be a link in a link is its words.
type links struct {
	*page
	to    Places
	ends  []string // closing tags of the open links of Markdown
	depth int      // open links, of Markdown and HTML
}

// target resolves a link. The library resolves links as they are written; in an
// outside address escapes and entities are decoded.
func (x *links) target(written []byte) Link {
	l := x.to.Link(string(written), nil)
	if l.Href == "" || l.Foreign {
		if plain := markdown.Unescape(written); plain != string(written) {
			return x.to.Link(plain, nil)
		}
	}
	return l
}

// words writes a link with a given text; only the text within another link.
func (x *links) words(l Link, text string) {
	if x.depth > 0 {
		x.text([]byte(text))
		return
	}
	x.begin(l)
	x.text([]byte(text))
	x.end()
}

// begin begins a link, which end ends.
func (x *links) begin(l Link) {
	end := ""
	if x.depth == 0 {
		end = x.tag(l)
	}
	x.depth++
	x.ends = append(x.ends, end)
}

func (x *links) end() {
	if n := len(x.ends); n > 0 {
		x.raw(x.ends[n-1])
		x.ends = x.ends[:n-1]
		x.depth--
	}
}

// tag writes the tag of a link, and returns the one that closes it.
func (x *links) tag(l Link) string {
	end := "</a>"
	if l.Href == "" {
		x.raw("<span")
		end = "</span>"
	} else {
		x.around(`<a href="`, l.Href, `"`)
	}
	if l.Foreign {
		x.raw(` rel="noopener noreferrer nofollow"`)
	}
	for _, a := range [][2]string{{"class", l.Class}, {"title", l.Title}} {
		if a[1] != "" {
			x.around(" "+a[0]+`="`, a[1], `"`)
		}
	}
	x.raw(">")
	return end
}

// markdown begins a link of Markdown. "[](){#id}" is no link but a place.
func (x *links) markdown(n *markdown.Piece) {
	if id := attrID(n.Attrs); id != "" && x.embedded == 0 {
		x.around(`<span class="place" id="`, id, `"></span>`)
	}
	if len(n.Target) == 0 && len(n.Attrs) > 0 {
		x.depth++
		x.ends = append(x.ends, "")
		return
	}
	x.begin(x.target(n.Target))
}

// attrID returns the id among attributes, {#id .class}.
func attrID(attrs []byte) string {
	for f := range strings.FieldsSeq(strings.Trim(string(attrs), "{}:")) {
		if id, ok := strings.CutPrefix(f, "#"); ok {
			return id
		}
	}
	return ""
}

// attr returns the value of an attribute, {key="value"}.
func attr(attrs []byte, key string) string {
	for f := range strings.FieldsSeq(strings.Trim(string(attrs), "{}:")) {
		if k, v, ok := strings.Cut(f, "="); ok && k == key {
			return strings.Trim(v, `"'`)
		}
	}
	return ""
}

// knownText is what a reader sees of a link that is not plain Markdown.
func knownText(l *doc.Link) string {
	if l.Kind == doc.Macro {
		if text, ok := macroText(l.Target); ok {
			return text
		}
	}
	return l.Text
}

// Fragment escapes an anchor for an address.
func Fragment(anchor string) string { return (&url.URL{Fragment: anchor}).EscapedFragment() }
