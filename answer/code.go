package answer

import (
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Snippet is a code block, its place and the text that explains it.
type Snippet struct {
	Ref      string   `json:"ref"` // path#anchor:code-1
	File     string   `json:"file"`
	Lines    [2]int   `json:"lines"`
	Title    string   `json:"title"` // of its section
	Headings []string `json:"headings"`
	Language string   `json:"language"` // "" when it has none
	Symbols  []string `json:"symbols"`  // the names it declares
	Kind     string   `json:"kind,omitempty"`
	Code     string   `json:"code"`
	Before   string   `json:"before,omitempty"` // the text that leads up to it
	After    string   `json:"after,omitempty"`  // and the text behind it
	Tokens   int      `json:"tokens"`           // of all that is shown
}

// Snippets are code blocks that were found.
type Snippets struct {
	Query    string    `json:"query"`
	Snippets []Snippet `json:"snippets"`
	Total    int       `json:"total"`             // how many there are, shown or not
	Nearest  []string  `json:"nearest,omitempty"` // names there are, when the one asked for is not

	// Elsewhere is how many blocks have the name in other files or languages than
	// were asked for, when none in those has.
	Elsewhere int `json:"elsewhere,omitempty"`
}

// Fit drops the last blocks until what is printed has at most limit tokens.
func (s *Snippets) Fit(limit int, count func([]byte) int) {
	for len(s.Snippets) > 0 {
		b := &strings.Builder{}
		_ = s.WriteText(b)
		if count([]byte(b.String())) <= limit {
			return
		}
		s.Snippets = s.Snippets[:len(s.Snippets)-1]
	}
}

// Empty reports whether no block was found.
func (s *Snippets) Empty() bool { return s.Total == 0 }

// WriteText writes the blocks as Markdown, each under its Ref and breadcrumb.
func (s *Snippets) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for i, n := range s.Snippets {
		fmt.Fprintf(b, "# [%d] %s (%s)\n# %s\n\n", i+1, visible.Line(n.Ref), visible.Line(n.about()), visible.Line(strings.Join(n.Headings, " > ")))
		if n.Before != "" {
			b.WriteString(strings.Trim(visible.Text(n.Before), "\n") + "\n\n")
		}
		b.WriteString(strings.Trim(visible.Text(n.Code), "\n") + "\n")
		if n.After != "" {
			b.WriteString("\n" + strings.Trim(visible.Text(n.After), "\n") + "\n")
		}
		b.WriteString(hitEnd)
	}
	switch {
	case s.Elsewhere > 0:
		fmt.Fprintf(b, "no code block has %q in the files and language asked for; elsewhere: %s\n", visible.Line(s.Query), human.Plural(s.Elsewhere, "code block"))
	case s.Total == 0 && s.Query == "":
		fmt.Fprintln(b, "no code block found")
	case s.Total == 0 && len(s.Nearest) > 0:
		fmt.Fprintf(b, "no code block has %q; the nearest names are %s\n", visible.Line(s.Query), visible.Line(strings.Join(s.Nearest, ", ")))
	case s.Total == 0:
		fmt.Fprintf(b, "no code block has %q, or a name like it\n", visible.Line(s.Query))
	default:
		fmt.Fprintf(b, "%d of %s\n", len(s.Snippets), human.Plural(s.Total, "code block"))
	}
	return flush(w, b)
}

// about is the note in brackets after a block's Ref.
func (n Snippet) about() string {
	parts := []string{human.Plural(n.Tokens, "token")}
	if n.Language != "" {
		parts = append(parts, n.Language)
	}
	if n.Kind != "" && n.Kind != "uses" {
		parts = append(parts, n.Kind+" it")
	}
	return strings.Join(parts, ", ")
}

// CodeRef is the Ref of a code block: the number counts those of its section.
func CodeRef(path, anchor string, number int) string {
	return doc.Ref{Path: path, Anchor: anchor, Code: number}.String()
}
