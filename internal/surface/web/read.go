package web

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
)

// A readPage shows one document.
type readPage struct {
	*frame
	*document
	Disk   string // where the file lies on this machine; "" when that is not shown
	Told   *told
	Agent  bool
	Toggle string // the address of the other view
	Crumbs []place
}

// A document is a page as it stays for a release.
type document struct {
	Path, File string
	Doc        string // its title
	Headed     bool   // the document shows its title itself
	Tokens     int
	Lines      int
	HTML       template.HTML
	Why        refusal
	Source     []string // lines, when it is not rendered
	Meta       string   // front matter
	Contents   []heading

	In, Out, Broken, Foreign []reference
	MoreIn, MoreOut          int
	Related                  []reference
}

// A heading of the table of contents.
type heading struct {
	Title, URL string
	Level      int
}

// A reference is a link in the margin.
type reference struct {
	URL, Title, Note string
}

// maxMargin is how many links of a kind stand in the margin.
const maxMargin = 40

// maxShown is how many lines of a source are shown.
const maxShown = 20_000

func (s *site) readPage(w http.ResponseWriter, r *http.Request, f *frame) error {
	p := readPage{frame: f, Agent: r.URL.Query().Get("view") == "agent"}
	path := r.PathValue("path")
	f.Here = "read"
	err := f.with(r.Context(), func(lib *docent.Library, m *memory) error {
		reading, err := lib.ReadPlace(r.Context(), path, docent.ReadOptions{Limit: 1 << 30})
		if err != nil || reading.File != path {
			p.document = &document{}
			if err == nil {
				p.Path = reading.File
			}
			return err
		}
		// The file was compared with the index just now: what is kept is true.
		p.document, err = s.document(r.Context(), f, lib, m, reading)
		if err == nil && s.opts.Disk {
			p.Disk = onDisk(m.status, reading.File)
		}
		return err
	})
	if err != nil {
		return err
	}
	if p.Path != path { // a document has one address, whatever name led to it
		ref, _ := doc.ParseRef(path)
		http.Redirect(w, r, f.address("/read/"+p.Path, ref.Anchor, "view", r.URL.Query().Get("view")), http.StatusFound)
		return nil
	}
	f.Title = p.Doc
	p.Crumbs = f.crumbs(p.Path)
	view := "agent"
	if p.Agent {
		view = ""
		if p.Told, err = s.asAgent(r.Context(), f.corpus, "read", map[string]any{"ref": p.Path}); err != nil {
			return err
		}
	}
	p.Toggle = f.address("/read/"+p.Path, "", "view", view)
	return s.write(w, r, http.StatusOK, "read", p)
}

// onDisk is where a file lies, if it lies anywhere.
func onDisk(s *docent.Status, file string) string {
	if s.Root == "" || !filepath.IsAbs(s.Root) {
		return ""
	}
	return filepath.Join(s.Root, filepath.FromSlash(file))
}

// crumbs are the folders above a file, each a search or map narrowed to it.
func (f *frame) crumbs(file string) []place {
	var out []place
	for i, c := range file {
		if c == '/' {
			name := file[:i]
			out = append(out, place{name[strings.LastIndexByte(name, '/')+1:], f.address("/index", "", "dir", name)})
		}
	}
	return out
}

// document returns a document from memory, or takes it apart.
func (s *site) document(ctx context.Context, f *frame, lib *docent.Library, m *memory, r *docent.Reading) (*document, error) {
	key := "read " + r.File
	j, first := m.start(key)
	if !first {
		select {
		case <-j.done:
			if j.err == nil {
				return j.value.(*document), nil
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		// Whoever tried before may only have lost patience.
		return s.newDocument(ctx, f, lib, m, r)
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
	d, j.err = s.newDocument(ctx, f, lib, m, r)
	keep = d != nil && d.Why != tooLate && len(d.HTML) < 1<<20 && len(r.Text) < 1<<20
	return d, j.err
}

func (s *site) newDocument(ctx context.Context, f *frame, lib *docent.Library, m *memory, r *docent.Reading) (*document, error) {
	d := markdown.Parse(r.File, []byte(r.Text))
	links, err := lib.Links(ctx, r.File, 1)
	if err != nil {
		return nil, err
	}
	out := &document{Path: r.File, File: r.File[strings.LastIndexByte(r.File, '/')+1:], Doc: plainTitle(d.Title), Tokens: r.Tokens, Lines: r.Total}
	titles, err := m.titles(lib)
	if err != nil {
		return nil, err
	}
	out.margin(f, links, titles)
	near, err := lib.Related(ctx, r.File, 8)
	if err != nil {
		return nil, err
	}
	for _, n := range near.Neighbours {
		out.Related = append(out.Related, reference{f.readURL(n.SectionID), named(n.SectionID, n.Title, titles), strings.Join(n.Why, "; ")})
	}
	for _, sec := range d.Sections {
		if sec.Anchor != "" && sec.Level > 1 && sec.Level <= 4 {
			out.Contents = append(out.Contents, heading{plainTitle(sec.Title), "#" + fragment(sec.Anchor), sec.Level})
		}
	}
	if len(d.Blocks) > 0 && d.Blocks[0].Kind == doc.FrontMatter {
		out.Meta = strings.TrimSpace(string(d.Blocks[0].Span.Of(d.Source)))
	}
	out.Headed = len(d.Headings) > 0 && d.Headings[0].Level == 1 && d.Sections[0].Heading == 0
	w := newWhere(f, &d, links)
	rendered := s.render.render(ctx, &d, w.link)
	out.HTML, out.Why = rendered.html, rendered.why
	if out.Why != "" {
		out.Headed = false
		out.Source = strings.SplitAfterN(r.Text, "\n", maxShown+1)
		out.Source = out.Source[:min(len(out.Source), maxShown)]
	}
	return out, nil
}

// margin takes over what refers to the document, and what it refers to.
func (d *document) margin(f *frame, l *docent.Links, titles map[string]string) {
	d.In, d.MoreIn = references(f, l.In, titles)
	away := slices.DeleteFunc(slices.Clone(l.Out), func(r docent.Reference) bool {
		return r.SectionID != nil && (*r.SectionID == d.Path || strings.HasPrefix(*r.SectionID, d.Path+"#"))
	})
	d.Out, d.MoreOut = references(f, away, titles)
	for _, r := range l.Unresolved[:min(len(l.Unresolved), maxMargin)] {
		d.Broken = append(d.Broken, reference{Title: firstOf(r.Target, r.RefText), Note: fmt.Sprintf("%s, line %d", r.State, lineOf(r.From))})
	}
}

// references are those to different places, each once.
func references(f *frame, refs []docent.Reference, titles map[string]string) (out []reference, more int) {
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

// named is what a section is called from afar: "See also" alone says nothing.
func named(ref, title string, titles map[string]string) string {
	file, _, _ := strings.Cut(ref, "#")
	title = plainTitle(title)
	switch page := plainTitle(titles[file]); {
	case page == "" || page == title:
		return firstOf(title, ref)
	case title == "":
		return page
	default:
		return page + " › " + title
	}
}

func lineOf(ref string) int {
	r, err := doc.ParseRef(ref)
	if err != nil {
		return 0
	}
	return r.Lines.Start
}
