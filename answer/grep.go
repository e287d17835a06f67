package answer

import (
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/internal/text/visible"
)

// A Match is a line that matches.
type Match struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Content string `json:"content"`
	Section string `json:"section"` // Ref of the section it is in

	Headings []string      `json:"headings"` // that section's breadcrumb
	Before   []ContextLine `json:"before,omitempty"`
	After    []ContextLine `json:"after,omitempty"`
}

// A ContextLine is a line near a match.
type ContextLine struct {
	Line    int    `json:"line"`
	Content string `json:"content"`
}

// FileCount is how many lines of a file match.
type FileCount struct {
	Path  string `json:"path"`
	Count int    `json:"count"`
}

// Matches are the lines that match a pattern, by path and line.
type Matches struct {
	Pattern string      `json:"pattern"`
	Matches []Match     `json:"matches"`
	Files   []FileCount `json:"files"` // of the files looked at that match
	Total   int         `json:"total"` // matching lines, returned or not
	Partial string      `json:"partial,omitempty"`
}

// JSONList is what a model is handed: the matches and nothing else.
func (m *Matches) JSONList() any { return m.Matches }

// Empty reports whether no line matches.
func (m *Matches) Empty() bool { return m.Total == 0 }

// WriteText writes the matches under the sections they are in.
func (m *Matches) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	section, last := "", 0
	for _, h := range m.Matches {
		if h.Section != section {
			if section != "" {
				b.WriteString("\n")
			}
			section, last = h.Section, 0
			fmt.Fprintf(b, "%s  %s\n", visible.Line(h.Section), visible.Line(strings.Join(h.Headings, " > ")))
		}
		for _, c := range h.Before {
			last = writeLine(b, c.Line, '-', c.Content, last)
		}
		last = writeLine(b, h.Line, ':', h.Content, last)
		for _, c := range h.After {
			last = writeLine(b, c.Line, '-', c.Content, last)
		}
	}
	m.writeEnd(b)
	return flush(w, b)
}

// writeLine writes a line that was not written yet, after a mark where lines
// between it and the last one are left out of its context.
func writeLine(b *strings.Builder, n int, mark byte, text string, last int) int {
	if n <= last {
		return last
	}
	fmt.Fprintf(b, "%d%c %s\n", n, mark, strings.TrimRight(visible.Text(text), "\r"))
	return n
}

func (m *Matches) writeEnd(b *strings.Builder) {
	if more := m.Total - len(m.Matches); more > 0 {
		plus := ""
		if m.Partial != "" {
			plus = "at least "
		}
		fmt.Fprintf(b, "\n%s%d more: narrow the pattern or the files, or raise the limit\n", plus, more)
	}
	if m.Partial != "" && m.Total == len(m.Matches) {
		fmt.Fprintf(b, "%s\n", m.Partial)
	}
}

// WriteFiles writes the paths of the files that match.
func (m *Matches) WriteFiles(w io.Writer) error {
	for _, f := range m.Files {
		if _, err := fmt.Fprintln(w, visible.Line(f.Path)); err != nil {
			return err
		}
	}
	return nil
}

// WriteCounts writes how many lines of each file match.
func (m *Matches) WriteCounts(w io.Writer) error {
	for _, f := range m.Files {
		if _, err := fmt.Fprintf(w, "%s:%d\n", visible.Line(f.Path), f.Count); err != nil {
			return err
		}
	}
	return nil
}
