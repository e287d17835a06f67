package web

import (
	"context"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/surface/web/content"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A page shows the parts of other documents that it embeds, and those that they embed,
// within these limits. Beyond them, and in a circle, an embedded part is a link.
const (
	maxEmbedded   = 20        // parts of a page
	maxEmbedDepth = 3         // parts in parts
	maxEmbedSize  = 128 << 10 // bytes of a part
)

// An embedder finds what one page embeds.
type embedder struct {
	ctx   context.Context
	f     *frame
	now   *release
	seed  maphash.Seed
	count int
	page  *document // that shows them
}

// A part is a document that a page shows something of, as it was then.
type part struct {
	file string
	hash uint64
}

// isCurrent reports whether the documents that a page shows parts of are as they were.
func (d *document) isCurrent(ctx context.Context, now *release, seed maphash.Seed) bool {
	for _, p := range d.parts {
		r, err := now.lib.Read(ctx, p.file, wholeText)
		if err != nil || maphash.String(seed, r.Text) != p.hash {
			return false
		}
	}
	return true
}

// from returns what finds the parts that a document embeds. above are the documents that
// it is in.
func (e *embedder) from(file string, links *linkResolver, above []string) func(*doc.Link) *content.Embedded {
	chain := append(slices.Clone(above), file)
	return func(l *doc.Link) *content.Embedded {
		ref, err := doc.ParseRef(links.targets[l.Target])
		if err != nil || ref.Path == "" || len(chain) > maxEmbedDepth || slices.Contains(chain, ref.Path) || e.count >= maxEmbedded {
			return nil
		}
		e.count++
		return e.part(ref, chain)
	}
}

// part returns a document, or a section of it.
func (e *embedder) part(ref doc.Ref, chain []string) *content.Embedded {
	r, err := e.now.lib.Read(e.ctx, ref.Path, wholeText)
	if err != nil {
		e.page.incomplete = true
		return nil
	}
	if p := (part{r.File, maphash.String(e.seed, r.Text)}); !slices.Contains(e.page.parts, p) {
		e.page.parts = append(e.page.parts, p)
	}
	d := markdown.Parse(ref.Path, []byte(r.Text))
	text, title, ok := sectionText(&d, ref.Anchor)
	if !ok || len(text) > maxEmbedSize {
		return nil
	}
	out, err := e.now.lib.Links(e.ctx, ref.Path, 1)
	if err != nil {
		e.page.incomplete = true
		return nil
	}
	links := newLinkResolver(e.f, &d, out)
	links.file = e.f.filesOf(ref.Path, e.now.status.Root)
	clear(links.anchors) // they are not on this page
	part := markdown.Parse(ref.Path, []byte(text))
	return &content.Embedded{
		Doc: &part, Title: plainTitle(title), Href: e.f.readURL(ref.String()),
		To: content.Places{
			Link: links.link, Picture: e.f.pictureIn(ref.Path, e.now.status.Root, &e.page.incomplete), Embed: e.from(ref.Path, links, chain),
		},
	}
}

// sectionText returns the text of a section with those under it, of the document itself
// for no anchor.
func sectionText(d *doc.Document, anchor string) (text, title string, ok bool) {
	if anchor == "" {
		return string(d.Source), d.Title, true
	}
	at := slices.IndexFunc(d.Sections, func(s doc.Section) bool { return s.Anchor == anchor })
	if at < 0 {
		return "", "", false
	}
	end := at + 1
	for end < len(d.Sections) && d.Sections[end].Level > d.Sections[at].Level {
		end++
	}
	return strings.Clone(string(d.Source[d.Sections[at].Span.Start:d.Sections[end-1].Span.End])), d.Sections[at].Title, true
}
