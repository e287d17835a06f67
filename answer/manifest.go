package answer

import (
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/internal/text/human"
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

// WriteText writes the map for reading: a line a file with its summary below, and
// a line a heading with its first and last line.
func (m *Manifest) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for _, f := range m.Files {
		fmt.Fprintf(b, "%s  %s  (%s, %s)\n", visible.Line(f.File), f.Title, human.Plural(f.Lines, "line"), human.Plural(f.Tokens, "token"))
		if f.Summary != "" {
			fmt.Fprintf(b, "  %s\n", f.Summary)
		}
		for _, h := range f.Headings {
			fmt.Fprintf(b, "  %d-%d  %s %s\n", h.Lines[0], h.Lines[1], strings.Repeat("#", h.Level), h.Title)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "%s, %s, %s, %s\n", human.Plural(m.Total.Files, "file"), human.Plural(m.Total.Sections, "section"),
		human.Plural(m.Total.Lines, "line"), human.Plural(m.Total.Tokens, "token"))
	_, err := io.WriteString(w, b.String())
	return err
}
