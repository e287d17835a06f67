package answer

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/visible"
)

// A BriefSection is a section for an agent that follows a Ref: what the Ref names, at a
// predictable price, and where to go on.
type BriefSection struct {
	*SectionView
	Whole        int    // tokens of the section with those under it
	WholeLines   [2]int // and its lines; where they are more than those of Section, not all of it is here
	MoreSiblings int    // that are not named
	MoreChildren int
}

// A SectionView is a section, and what surrounds it where that was asked for.
type SectionView struct {
	Section  Record        `json:"section"` // with those under it
	Parent   *SectionLead  `json:"parent"`  // null for a document
	Siblings []SectionLead `json:"siblings"`
	Children []SectionLead `json:"children"`

	References []Reference `json:"references"`  // links in it that stay in the corpus, or should
	Backlinks  []Reference `json:"backlinks"`   // the first links to it from elsewhere
	LinkedFrom int         `json:"linked_from"` // how many there are of those
}

// A SectionLead is a section without its text.
type SectionLead struct {
	SectionID string `json:"section_id"` // a Ref
	Title     string `json:"title"`
	Tokens    int    `json:"tokens"` // with those under it
}

// WriteText writes the section, and the Refs and prices of what surrounds it, where that
// was asked for.
func (v *SectionView) WriteText(w io.Writer) error {
	s := v.Section
	b, around := &strings.Builder{}, &strings.Builder{}
	fmt.Fprintf(b, "# %s (%s)\n# %s\n\n%s\n", visible.Line(s.Citation()), human.Plural(s.Tokens, "token"),
		visible.Line(strings.Join(s.Headings, " > ")), strings.Trim(visible.Text(s.Content), "\n"))
	if v.Parent != nil {
		writeSectionLeads(around, "parent", []SectionLead{*v.Parent})
	}
	writeSectionLeads(around, "children", v.Children)
	writeSectionLeads(around, "siblings", v.Siblings)
	writeReferences(around, "links to", v.References, maxLines)
	writeReferences(around, "linked from", v.Backlinks, maxLines)
	if more := max(len(v.References), v.LinkedFrom) - maxLines; more > 0 {
		fmt.Fprintf(around, "  and %d more links\n", more)
	}
	if around.Len() > 0 {
		b.WriteString("\n---\n" + around.String())
	}
	return flush(w, b)
}

// maxLeads is how many neighbours of a kind are shown with a section; JSON has all.
const maxLeads = 40

// maxLines is how many links of a kind are shown with a section.
const maxLines = 10

func writeSectionLeads(b *strings.Builder, name string, leads []SectionLead) {
	if len(leads) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s:\n", name)
	for i, s := range leads {
		if i == maxLeads {
			fmt.Fprintf(b, "  and %d more\n", len(leads)-i)
			break
		}
		fmt.Fprintf(b, "  %s  %s  (%s)\n", visible.Line(s.SectionID), visible.Line(s.Title), human.Plural(s.Tokens, "token"))
	}
}

// A Reading is some lines of a document.
type Reading struct {
	Ref    string `json:"ref"`
	File   string `json:"file"`
	Lines  [2]int `json:"lines"` // those that are returned; zero when there are none
	Total  int    `json:"total"` // lines of the file
	Tokens int    `json:"tokens"`
	Text   string `json:"text"` // without line numbers
	More   int    `json:"more"` // lines of the place that were not returned

	Plain bool `json:"-"` // WriteText leaves line numbers out
}

// Numbered is the text with line numbers, which are as wide as the last of them.
func (r *Reading) Numbered() string {
	if r.Text == "" {
		return ""
	}
	width := max(3, len(strconv.Itoa(r.Lines[1])))
	b := &strings.Builder{}
	b.Grow(len(r.Text) + (width+2)*(r.Lines[1]-r.Lines[0]+1))
	n := r.Lines[0]
	for line := range strings.Lines(r.Text) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			fmt.Fprintf(b, "%*d\n", width, n)
		} else {
			fmt.Fprintf(b, "%*d  %s\n", width, n, line)
		}
		n++
	}
	return b.String()
}

// Empty reports whether the lines that were asked for are not there.
func (r *Reading) Empty() bool { return r.Text == "" && r.Total > 0 }

// WriteText writes the lines, and how to go on where there are more.
func (r *Reading) WriteText(w io.Writer) error {
	text := r.Numbered()
	if r.Plain {
		text = r.Text
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
	}
	if r.More > 0 {
		text += fmt.Sprintf("[%s more: docent read %s --offset %d]\n", human.Plural(r.More, "line"), shellQuote(r.Ref), r.Lines[1]+1)
	}
	_, err := io.WriteString(w, visible.Text(text))
	return err
}
