package docent

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Manifest is a map of the documents, for agents that prefer a map to a
// search: files, headings, lines, and a sentence on each file. Titles and
// summaries are cleaned of what could hide or steer; paths and Refs are as the
// library takes them back.
type Manifest struct {
	Name    string         `json:"name"`
	Summary string         `json:"summary"` // what the documents are about, in a line; may be empty
	Files   []ManifestFile `json:"files"`
	Total   OutlineTotal   `json:"total"`
}

// A ManifestFile is one document of a Manifest.
type ManifestFile struct {
	File     string            `json:"file"`
	Title    string            `json:"title"`
	Summary  string            `json:"summary"` // its description, else its first sentences; may be empty
	Lines    int               `json:"lines"`
	Tokens   int               `json:"tokens"`
	Headings []ManifestHeading `json:"headings"` // in reading order
}

// A ManifestHeading is one heading, without its text.
type ManifestHeading struct {
	Ref   string `json:"ref"`
	Title string `json:"title"`
	Level int    `json:"level"`
	Lines [2]int `json:"lines"` // including the sections under it
}

// Name is how the corpus is called: after its folder, or after the packed file.
func (l *Library) Name() string { return nameOf(l.corpus.dir, l.pack != nil) }

// NameOf is the name that the library at a root will have. It opens nothing.
func NameOf(root string) string {
	if info, err := os.Stat(root); err == nil && info.Mode().IsRegular() {
		return nameOf(root, true)
	}
	if c, err := findCorpus(root); err == nil {
		return nameOf(c.dir, false)
	}
	dir, err := filepath.Abs(root)
	if err != nil {
		dir = root
	}
	return nameOf(dir, false)
}

func nameOf(dir string, packed bool) string {
	name := filepath.Base(dir)
	if packed {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	return visible.Line(name)
}

// Manifest maps the file or the files of the folder that ref names; "" means
// all.
func (l *Library) Manifest(ctx context.Context, ref string) (*Manifest, error) {
	files, err := l.under(ref)
	if err != nil {
		return nil, err
	}
	m := &Manifest{Name: l.Name(), Summary: shorten(l.corpus.config.Description, maxSummary), Files: make([]ManifestFile, 0, len(files))}
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := l.manifestFile(k)
		if err != nil {
			return nil, err
		}
		m.Files = append(m.Files, f)
		m.Total.Files++
		m.Total.Sections += k.file.Sections
		m.Total.Lines += f.Lines
		m.Total.Tokens += f.Tokens
	}
	for _, front := range []string{"README.md", "index.md", "_index.md"} {
		for _, f := range m.Files {
			if m.Summary == "" && strings.EqualFold(f.File, front) {
				m.Summary = f.Summary
			}
		}
	}
	return m, nil
}

func (l *Library) manifestFile(k known) (ManifestFile, error) {
	f := ManifestFile{
		File: k.path, Title: visible.Line(k.file.Title), Summary: shorten(k.file.Description, maxSummary),
		Lines: k.file.Lines, Tokens: k.file.Tokens, Headings: []ManifestHeading{},
	}
	sections, err := l.sections(k)
	if err != nil {
		return f, err
	}
	for i, s := range sections {
		if s.Anchor == "" {
			continue
		}
		lines := subtree(sections, i)
		f.Headings = append(f.Headings, ManifestHeading{
			Ref:   doc.Ref{Path: k.path, Anchor: s.Anchor}.String(),
			Title: visible.Line(s.Title), Level: s.Level, Lines: [2]int{lines.Start, lines.End},
		})
	}
	if f.Summary == "" {
		data, err := l.text(k)
		if err != nil {
			return f, err
		}
		f.Summary = firstSentences(data)
	}
	return f, nil
}

// notProse is how paragraphs begin that say nothing.
var notProse = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(!\[|\[!\[|\{\{|\{%|<)`) })

// maxSummary is the most characters of a summary.
const maxSummary = 160

// firstSentences is what a document opens with: its first paragraph that is no
// picture, badge or macro, as far as a summary reaches. Of a large document only
// the beginning is looked at.
func firstSentences(data []byte) string {
	const enough = 16 << 10
	if len(data) > enough {
		data = data[:enough]
		data = data[:strings.LastIndexByte(string(data), '\n')+1]
	}
	d := markdown.Parse("", data)
	for _, b := range d.Blocks {
		if b.Kind != doc.Paragraph || b.Parent >= 0 || notProse().Match(b.Span.Of(data)) {
			continue
		}
		if text := shorten(string(markdown.AppendText(nil, &d, b.Span)), maxSummary); text != "" {
			return text
		}
	}
	return ""
}

// shorten cuts a text to a line of at most n characters: after a sentence where
// one ends in its second half, else after a word.
func shorten(s string, n int) string {
	s = strings.Join(strings.Fields(visible.Text(s)), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	end := 0
	for i := range s {
		if n--; n < 3 { // room for the dots
			end = i
			break
		}
	}
	cut := s[:end]
	if i := max(strings.LastIndex(cut, ". "), strings.LastIndex(cut, "! "), strings.LastIndex(cut, "? ")); i >= len(cut)/2 {
		return cut[:i+1]
	}
	if i := strings.LastIndexByte(cut, ' '); i >= len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:-") + "..."
}

// WriteText writes the map for reading: a line a file with its summary below, and
// a line a heading with its first and last line.
func (m *Manifest) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for _, f := range m.Files {
		fmt.Fprintf(b, "%s  %s  (%s, %s)\n", visible.Line(f.File), f.Title, plural(f.Lines, "line"), plural(f.Tokens, "token"))
		if f.Summary != "" {
			fmt.Fprintf(b, "  %s\n", f.Summary)
		}
		for _, h := range f.Headings {
			fmt.Fprintf(b, "  %d-%d  %s %s\n", h.Lines[0], h.Lines[1], strings.Repeat("#", h.Level), h.Title)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "%s, %s, %s, %s\n", plural(m.Total.Files, "file"), plural(m.Total.Sections, "section"),
		plural(m.Total.Lines, "line"), plural(m.Total.Tokens, "token"))
	_, err := io.WriteString(w, b.String())
	return err
}
