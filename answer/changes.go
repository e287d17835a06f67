package answer

import (
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/internal/text/visible"
)

// A SectionChange is what became of a section.
type SectionChange struct {
	Status string `json:"status"` // added, changed, moved or removed
	Ref    string `json:"ref"`    // where it is or, of a removed one, was
	Was    string `json:"was,omitempty"`
	Title  string `json:"title"`
	Lines  [2]int `json:"lines"`
}

// Changes are what became of the sections of a corpus since some time.
type Changes struct {
	Since    string          `json:"since"`
	Until    string          `json:"until,omitempty"`  // the index that was compared, when two were
	Commit   string          `json:"commit,omitempty"` // that was compared with; "" when it was the index
	Added    int             `json:"added"`
	Changed  int             `json:"changed"`
	Moved    int             `json:"moved"`
	Removed  int             `json:"removed"`
	Sections []SectionChange `json:"sections"` // in the order of paths and lines
}

func (c *Changes) Count() {
	for _, s := range c.Sections {
		switch s.Status {
		case "added":
			c.Added++
		case "changed":
			c.Changed++
		case "moved":
			c.Moved++
		case "removed":
			c.Removed++
		}
	}
}

// WriteText writes a line a section, and the sums.
func (c *Changes) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for _, s := range c.Sections {
		fmt.Fprintf(b, "%-8s %s  %s", s.Status, visible.Line(s.Ref), visible.Line(s.Title))
		if s.Was != "" {
			fmt.Fprintf(b, "  (was %s)", visible.Line(s.Was))
		}
		b.WriteString("\n")
	}
	since := visible.Line(c.Since)
	if c.Until != "" {
		since += ", in " + visible.Line(c.Until)
	}
	if c.Commit != "" && !strings.HasPrefix(c.Commit, c.Since) {
		since += fmt.Sprintf(" (%.7s)", c.Commit)
	}
	fmt.Fprintf(b, "%d added, %d changed, %d moved, %d removed since %s\n", c.Added, c.Changed, c.Moved, c.Removed, since)
	return flush(w, b)
}
