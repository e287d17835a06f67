package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"html/template"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/surface/web/content"
	"github.com/docent-md/docent/internal/surface/web/sitetree"
	"github.com/docent-md/docent/internal/text/markdown"
)

// wholeText asks for a document from its beginning to its end.
var wholeText = answer.ReadOptions{Limit: 1 << 30}

// A readPage shows one document.
type readPage struct {
	*frame
	*document
	treeView
	Disk          string // the path of the file on this machine; "" if that is not shown
	Told          *agentAnswer
	Agent         bool
	Toggle        string // the address of the other view
	Raw           string // the address of its Markdown
	Crumbs        []place
	Before, After *reference
	Mark          string     // words to mark, those of a search that led here
	Clear         string     // the address without them
	Changed       *time.Time // when it was last changed; nil if that is not known
}

// A document is the part of a page that is cached for a release.
type document struct {
	Path, File string
	Doc        string // its title
	Headed     bool   // the document begins with its title
	Tokens     int
	Lines      int
	HTML       template.HTML
	Why        content.Refusal
	diagrams   bool
	incomplete bool     // something is missing that may come: a picture, or a part of another document
	parts      []part   // documents that it shows parts of
	Source     []string // lines, when it is not rendered
	Meta       string   // front matter
	Contents   []heading

	In, Out, Broken []reference
	MoreIn, MoreOut int // links that are not shown
	Related         []reference
}

// AllIn is how many places link here.
func (d *document) AllIn() int { return len(d.In) + d.MoreIn }

// AllOut is how many places it links to.
func (d *document) AllOut() int { return len(d.Out) + d.MoreOut }

// A heading of the table of contents.
type heading struct {
	Title, URL string
	Level      int
}

// A reference is a link in the margin.
type reference struct {
	URL, Title, Note string
}

// maxMargin limits the links of each kind in the margin.
const maxMargin = 40

// maxShown limits the lines of a source that are shown.
const maxShown = 20_000

func (s *site) readPage(w http.ResponseWriter, r *http.Request, f *frame) error {
	p := readPage{frame: f, Agent: r.URL.Query().Get("view") == "agent"}
	path := r.PathValue("path")
	f.Here = "read"
	now, err := f.release(r.Context())
	if err != nil {
		return err
	}
	reading, err := now.lib.Read(r.Context(), path, wholeText)
	if err != nil {
		return err
	}
	if reading.File != path { // a document has one address, whatever name led to it
		ref, _ := doc.ParseRef(path)
		http.Redirect(w, r, f.address("/read/"+reading.File, ref.Anchor, "view", r.URL.Query().Get("view")), http.StatusFound)
		return nil
	}
	if p.document, err = s.document(r.Context(), f, now, reading); err != nil {
		return err
	}
	if root := now.status.Root; s.opts.Disk && filepath.IsAbs(root) {
		p.Disk = filepath.Join(root, filepath.FromSlash(reading.File))
	}
	f.Title = p.Doc
	tree, err := now.tree(r.Context())
	if err != nil {
		return err
	}
	p.treeView = f.treeAt(tree, tree.Page(p.Path))
	p.Crumbs = f.trailOf(tree, p.Path)
	before, after := tree.Around(p.Path)
	p.Before, p.After = f.neighbour(before), f.neighbour(after)
	p.Raw = f.address("/raw/"+p.Path, "")
	p.Changed = now.changed(r.Context(), p.Path)
	if q := clip(r.URL.Query().Get("q"), 500); q != "" && !p.Agent {
		p.Mark = strings.Join(queryWords(q, nil), " ")
		p.Clear = f.address("/read/"+p.Path, "")
	}
	view := "agent"
	if p.Agent {
		view = ""
		if p.Told, err = s.asAgent(r.Context(), f.corpus, "read", map[string]any{"ref": p.Path}); err != nil {
			return err
		}
	}
	if p.diagrams && !p.Agent {
		w.Header().Set("Content-Security-Policy", diagramPolicy)
	}
	p.Toggle = f.address("/read/"+p.Path, "", "view", view)
	return s.write(w, r, http.StatusOK, "read", p)
}

// crumbs returns the folders above a file, each with its address on a page.
func (f *frame) crumbs(page, file string) []place {
	var out []place
	for i, c := range file {
		if c == '/' {
			name := file[:i]
			out = append(out, place{name[strings.LastIndexByte(name, '/')+1:], f.address(page, "", "dir", name)})
		}
	}
	return out
}

// document returns a document from the cache, or renders it. The key has a hash of the
// text: reading it may have refreshed the index, so that the cache has it as it was.
func (s *site) document(ctx context.Context, f *frame, now *release, r *answer.Reading) (*document, error) {
	m := now.cache
	key := fmt.Sprintf("read %s %x", r.File, maphash.String(s.seed, r.Text))
	j, first := m.start(key)
	for ; !first; j, first = m.start(key) {
		select {
		case <-j.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if j.err != nil { // the other request may only have been cancelled
			return s.newDocument(ctx, f, now, r)
		}
		if d := j.value.(*document); d.isCurrent(ctx, now, s.seed) {
			return d, nil
		}
		m.drop(key, j)
	}
	var d *document
	keep := false
	defer func() {
		if d == nil && j.err == nil {
			j.err = errors.New("not rendered")
		}
		j.value = d
		m.finish(key, j, keep)
	}()
	d, j.err = s.newDocument(ctx, f, now, r)
	keep = d != nil && !d.incomplete && d.Why != tooLate && len(d.HTML) < 1<<20 && len(r.Text) < 1<<20
	return d, j.err
}

func (s *site) newDocument(ctx context.Context, f *frame, now *release, r *answer.Reading) (*document, error) {
	d := markdown.Parse(r.File, []byte(r.Text))
	links, err := now.lib.Links(ctx, r.File, 1)
	if err != nil {
		return nil, err
	}
	out := &document{Path: r.File, File: r.File[strings.LastIndexByte(r.File, '/')+1:], Doc: plainTitle(d.Title), Tokens: r.Tokens, Lines: r.Total}
	titles, err := now.tree(ctx)
	if err != nil {
		return nil, err
	}
	out.margin(f, links, titles)
	near, err := now.lib.Related(ctx, r.File, 8)
	if err != nil {
		return nil, err
	}
	for _, n := range near.Neighbours {
		out.Related = append(out.Related, reference{f.readURL(n.SectionID), named(n.SectionID, n.Title, titles), strings.Join(n.Why, "; ")})
	}
	for _, sec := range d.Sections {
		if sec.Anchor != "" && sec.Level > 1 && sec.Level <= 4 {
			out.Contents = append(out.Contents, heading{plainTitle(sec.Title), "#" + content.Fragment(sec.Anchor), sec.Level})
		}
	}
	if len(d.Blocks) > 0 && d.Blocks[0].Kind == doc.FrontMatter {
		out.Meta = strings.TrimSpace(string(d.Blocks[0].Span.Of(d.Source)))
	}
	out.Headed = len(d.Headings) > 0 && d.Headings[0].Level == 1 && d.Sections[0].Heading == 0
	w := newLinkResolver(f, &d, links)
	w.file = f.filesOf(r.File, now.status.Root)
	rendered := s.render.render(ctx, &d, content.Places{
		Link: w.link, Picture: f.pictureIn(r.File, now.status.Root, &out.incomplete),
		Embed: (&embedder{ctx: ctx, f: f, now: now, seed: s.seed, page: out}).from(r.File, w, nil),
	})
	out.HTML, out.Why, out.diagrams = rendered.HTML, rendered.Why, rendered.Diagrams
	if out.Why != "" {
		out.Headed = false
		out.Source = strings.SplitAfterN(r.Text, "\n", maxShown+1)
		out.Source = out.Source[:min(len(out.Source), maxShown)]
	}
	return out, nil
}

// margin fills in the links to the document and those in it.
func (d *document) margin(f *frame, l *answer.Links, titles *sitetree.Tree) {
	d.In, d.MoreIn = references(f, l.In, titles)
	away := slices.DeleteFunc(slices.Clone(l.Out), func(r answer.Reference) bool {
		return r.SectionID != nil && (*r.SectionID == d.Path || strings.HasPrefix(*r.SectionID, d.Path+"#"))
	})
	d.Out, d.MoreOut = references(f, away, titles)
	for _, r := range l.Unresolved[:min(len(l.Unresolved), maxMargin)] {
		d.Broken = append(d.Broken, reference{Title: cmp.Or(r.Target, r.RefText), Note: fmt.Sprintf("%s, line %d", r.State, lineOf(r.From))})
	}
}

// references returns the links to different places, each place once.
func references(f *frame, refs []answer.Reference, titles *sitetree.Tree) (out []reference, more int) {
	seen := map[string]bool{}
	for _, r := range refs {
		if r.SectionID == nil || seen[*r.SectionID] {
			continue
		}
		seen[*r.SectionID] = true
		if len(out) == maxMargin {
			more++
			continue
		}
		out = append(out, reference{f.readURL(*r.SectionID), named(*r.SectionID, r.Title, titles), *r.SectionID})
	}
	return out, more
}

// named returns the title of a section with that of its page: "See also" alone says
// nothing.
func named(ref, title string, titles *sitetree.Tree) string {
	file, _, _ := strings.Cut(ref, "#")
	title = plainTitle(title)
	page := ""
	if n := titles.Page(file); n != nil {
		page = n.Title
	}
	switch {
	case page == "" || page == title:
		return cmp.Or(title, ref)
	case title == "":
		return page
	default:
		return page + " › " + title
	}
}
