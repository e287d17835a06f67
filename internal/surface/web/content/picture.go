package content

import (
	"path"
	"strconv"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A picture is one whose words are being read: they become the text that stands for it.
type picture struct {
	target, title string
	alt           []byte
	inner         int // pictures in its words
}

// pictures writes pictures.
type pictures struct {
	*page
	links *links
	named *picture // the one whose words are being read; nil if there is none
}

// begin begins a picture of Markdown, whose words follow.
func (x *pictures) begin(n *markdown.Piece) {
	x.named = &picture{target: string(n.Target), title: string(n.Title)}
}

// describe takes a piece of the words of a picture, and writes the picture at its end. It
// reports whether there is one.
func (x *pictures) describe(n *markdown.Piece) bool {
	if x.named == nil {
		return false
	}
	if m, done := x.named.take(n); done {
		x.named = nil
		x.image(m)
	}
	return true
}

// take reads a piece of the words; done says that it was their end.
func (p *picture) take(n *markdown.Piece) (m image, done bool) {
	switch n.Kind {
	case markdown.TextPiece, markdown.CodeSpanPiece, markdown.AddressPiece:
		p.alt = append(p.alt, n.Text...)
	case markdown.KnownPiece:
		p.alt = append(p.alt, n.Link.Text...)
	case markdown.SoftPiece, markdown.BreakPiece:
		p.alt = append(p.alt, ' ')
	case markdown.ImagePiece:
		if !n.Close {
			p.inner++
			return m, false
		}
		if p.inner--; p.inner >= 0 {
			return m, false
		}
		alt, width, height := cutSize(string(p.alt))
		m = image{p.target, alt, p.title, width, height, false}
		if w, h := attr(n.Attrs, "width"), attr(n.Attrs, "height"); w != "" || h != "" {
			m.width, m.height = pixels(w), pixels(h)
		}
		return m, true
	}
	return m, false
}

// An image is a picture with what is said about it.
type image struct {
	dest, alt, title string
	width, height    int // 0 for as it is
	wiki             bool
}

// image writes a picture of the corpus. Pages fetch nothing from elsewhere: another
// picture is a link, or only its words.
func (x *pictures) image(m image) {
	dest := m.dest
	src := x.links.to.Picture(dest, m.wiki)
	if src == "" {
		if plain := markdown.Unescape([]byte(dest)); plain != dest {
			dest = plain
			src = x.links.to.Picture(dest, m.wiki)
		}
	}
	if src == "" {
		x.missing(dest, m.alt)
		return
	}
	x.around(`<img src="`, src, `"`)
	x.around(` alt="`, clip(m.alt, 1000), `" loading="lazy" decoding="async"`)
	for _, a := range []struct {
		name string
		n    int
	}{{"width", m.width}, {"height", m.height}} {
		if a.n > 0 {
			x.raw(" " + a.name + `="` + strconv.Itoa(a.n) + `"`)
		}
	}
	if m.title != "" {
		x.around(` title="`, clip(m.title, 200), `"`)
	}
	x.raw(">")
}

// missing writes the words of a picture that is not shown.
func (x *pictures) missing(dest, alt string) {
	if alt == "" {
		alt = path.Base(clip(dest, 200))
	}
	if l := x.links.to.Link(dest, nil); l.Foreign && x.links.depth == 0 {
		l.Class, l.Title = "picture", clip(dest, 200)
		x.links.words(l, alt)
		return
	}
	x.around(`<span class="picture" title="`, clip(dest, 200), `">`)
	x.around("", alt, "</span>")
}

// html writes <img src>.
func (x *pictures) html(t tag, src string) {
	m := image{dest: strings.TrimSpace(src)}
	m.alt, _ = t.value("alt")
	m.title, _ = t.value("title")
	w, _ := t.value("width")
	h, _ := t.value("height")
	m.width, m.height = pixels(w), pixels(h)
	x.image(m)
}

// isPictureName reports whether a name is that of a picture, as ![[cat.png]] has it.
func isPictureName(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".bmp", ".ico":
		return true
	}
	return false
}

// wiki writes ![[cat.png|120]].
func (x *pictures) wiki(l *doc.Link) {
	m := image{dest: l.Target, wiki: true}
	if l.Text != l.Target {
		m.alt, m.width, m.height = cutSize("|" + l.Text)
	}
	m.dest, _, _ = strings.Cut(m.dest, "#")
	if m.alt == "" {
		m.alt = path.Base(m.dest)
	}
	x.image(m)
}

// cutSize takes the size off the words of a picture, as Obsidian has it: "a cat|120",
// "a cat|120x80".
func cutSize(alt string) (words string, width, height int) {
	at := strings.LastIndexByte(alt, '|')
	if at < 0 {
		return alt, 0, 0
	}
	w, h, both := strings.Cut(strings.TrimSpace(alt[at+1:]), "x")
	width, height = pixels(w), pixels(h)
	if width == 0 || both && height == 0 {
		return strings.TrimPrefix(alt, "|"), 0, 0
	}
	return strings.TrimPrefix(alt[:at], "|"), width, height
}

// pixels reads a length in pixels; 0 for any other.
func pixels(s string) int {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(s), "px"))
	if err != nil || n < 1 || n > 10_000 {
		return 0
	}
	return n
}
