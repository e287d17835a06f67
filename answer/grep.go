package answer

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Match is a line that matches.
type Match struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Content string `json:"content"`
	Section string `json:"section"` // Ref of the section it is in
	Tokens  int    `json:"tokens"`  // of that section, with those under it

	Headings []string      `json:"headings"`        // that section's breadcrumb
	Words    bool          `json:"words,omitempty"` // it holds all words of the pattern, but not as the pattern has them
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

// Matches are the lines that match a pattern, by path and line. Of several plain words,
// lines that hold all of them in another order come after those that match exactly.
type Matches struct {
	Pattern string      `json:"pattern"`
	Matches []Match     `json:"matches"`
	Files   []FileCount `json:"files"` // of the files looked at that match
	Total   int         `json:"total"` // matching lines, returned or not
	Partial string      `json:"partial,omitempty"`
	Miss    *GrepMiss   `json:"miss,omitempty"` // why nothing matches
}

// A GrepMiss says why no line matches.
type GrepMiss struct {
	Files   int       `json:"files"`   // that were searched: those that were asked for
	Indexed int       `json:"indexed"` // that there are
	Unknown []Unknown `json:"unknown"` // words of the pattern that stand nowhere
	Words   int       `json:"-"`       // of the pattern, where each counted by itself

	Unmatched string `json:"unmatched,omitempty"` // that no file matches the glob, and what comes nearest
}

// JSONList is what a model is handed: the matches and nothing else.
func (m *Matches) JSONList() any { return m.Matches }

// Empty reports whether no line matches.
func (m *Matches) Empty() bool { return m.Total == 0 }

// WriteText writes the matches under the sections they are in.
func (m *Matches) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	section, last, words := "", 0, false
	for _, h := range m.Matches {
		if h.Words && !words {
			if words = true; section != "" {
				section = ""
				b.WriteString("\n")
			}
			b.WriteString("all words, in any order:\n")
		}
		if h.Section != section {
			if section != "" {
				b.WriteString("\n")
			}
			section, last = h.Section, 0
			fmt.Fprintf(b, "%s  %s  (%s)\n", visible.Line(h.Section), visible.Line(strings.Join(h.Headings, " > ")), human.Plural(h.Tokens, "token"))
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
	for _, line := range m.Missed() {
		b.WriteString(line + "\n")
	}
	return flush(w, b)
}

// Missed returns lines that say why nothing matches; none if something does.
func (m *Matches) Missed() []string {
	miss := m.Miss
	switch {
	case miss == nil:
		return nil
	case miss.Unmatched != "":
		return []string{miss.Unmatched}
	case miss.Files == 0:
		return []string{fmt.Sprintf("no file was searched: of %s none is where you asked for", human.Plural(miss.Indexed, "file"))}
	}
	lines := []string{fmt.Sprintf("no line matches %s in %s", strconv.Quote(shortened(m.Pattern, 60)), human.Plural(miss.Files, "file"))}
	for _, u := range miss.Unknown {
		line := "unknown here: " + shortened(u.Word, 60)
		if len(u.Nearest) > 0 {
			line += " (nearest: " + strings.Join(u.Nearest, ", ") + ")"
		}
		lines = append(lines, line)
	}
	if len(miss.Unknown) == 0 && miss.Words > 1 {
		lines = append(lines, "its words are here, but not in one line: search finds sections about them")
	}
	return lines
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
