package answer

import (
	"fmt"
	"io"
	"strings"

	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/visible"
)

// OverviewOptions tune an overview. The zero value is a good default.
type OverviewOptions struct {
	Where  []string // only files that meet these conditions: status=draft, date>2025-01
	Depth  int      // deepest heading level shown; 0 means all of a file and none of several
	Offset int      // how many entries of the first level to skip
	Budget int      // most tokens of the text; 0 means 2,000
}

// An Overview is a table of contents within a budget: what a folder holds, or the
// headings of a file, deeper where there is room. Where even the first level has no
// room, it comes in pages.
type Overview struct {
	Of      string          `json:"of"` // the file or folder; "" for all documents
	Entries []OverviewEntry `json:"entries"`
	Offset  int             `json:"offset"`                // entries of the first level before these
	Next    int             `json:"next_offset,omitempty"` // where the next page begins; 0 means that this is the last
	Count   int             `json:"count"`                 // entries of the first level in all
	Closed  int             `json:"closed,omitempty"`      // entries that hold more than is shown
	Whole   bool            `json:"whole"`                 // the plain table of contents fits as well
	Total   OutlineTotal    `json:"total"`
}

// An OverviewEntry is a folder, a file or a heading.
type OverviewEntry struct {
	Ref    string `json:"ref"` // of a folder its path, with a slash at the end
	Title  string `json:"title"`
	About  string `json:"about,omitempty"` // what a folder is about, where that is said
	Level  int    `json:"level"`           // from 0
	Files  int    `json:"files,omitempty"` // in a folder
	Tokens int    `json:"tokens"`
	Closed bool   `json:"closed,omitempty"` // there is more in it, which is not shown
}

// Line is the entry as WriteText writes it.
func (e *OverviewEntry) Line() string {
	about := human.Plural(e.Tokens, "token")
	if e.Files > 0 {
		about = human.Plural(e.Files, "file") + ", " + about
	}
	title := ""
	if e.Title != "" {
		title = "  " + visible.Line(e.Title)
	}
	if e.About != "" {
		title += ": " + visible.Line(e.About)
	}
	return fmt.Sprintf("%*s%s%s  (%s)\n", 2*e.Level, "", visible.Line(e.Ref), title, about)
}

// WriteText writes a line an entry, and what they sum to.
func (o *Overview) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for i := range o.Entries {
		b.WriteString(o.Entries[i].Line())
	}
	b.WriteString(o.Closing())
	return flush(w, b)
}

// Closing sums up, and says how to see more.
func (o *Overview) Closing() string {
	b := &strings.Builder{}
	b.WriteString("\n")
	if o.Total.Files > 1 {
		b.WriteString(human.Plural(o.Total.Files, "file") + ", ")
	}
	fmt.Fprintf(b, "%s, %s\n", human.Plural(o.Total.Sections, "section"), human.Plural(o.Total.Tokens, "token"))
	switch {
	case o.Next > 0:
		fmt.Fprintf(b, "entries %d to %d of %d: offset %d shows the next\n", o.Offset+1, o.Next, o.Count, o.Next)
	case o.Closed > 0 && o.Total.Files > 1:
		b.WriteString("not all is shown: name a folder or file to see more of it\n")
	case o.Closed > 0:
		b.WriteString("not all headings are shown: name a section to see more of it\n")
	}
	return b.String()
}
