package answer

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/visible"
)

// An Outline is the table of contents of one or more documents, with prices.
type Outline struct {
	Files   []OutlineFile `json:"files"`
	Folders []Folder      `json:"folders,omitempty"` // those that are described
	Total   OutlineTotal  `json:"total"`
}

// A Folder is a folder of documents, and a sentence on what they are about: that of the
// config, else the summary of its index page.
type Folder struct {
	Folder string `json:"folder"`
	About  string `json:"about"`
}

// A folderLister writes the line of each folder before the first of its files.
type folderLister struct{ left []Folder }

func (l *folderLister) before(b *strings.Builder, file string) {
	l.left = slices.DeleteFunc(l.left, func(f Folder) bool {
		in := strings.HasPrefix(file, f.Folder+"/")
		if in {
			fmt.Fprintf(b, "%s/  %s\n", visible.Line(f.Folder), visible.Line(f.About))
		}
		return in
	})
}

// OutlineTotal sums up an Outline.
type OutlineTotal struct {
	Files    int `json:"files"`
	Sections int `json:"sections"`
	Lines    int `json:"lines"`
	Tokens   int `json:"tokens"`
}

// An OutlineFile is one document of an Outline.
type OutlineFile struct {
	File     string           `json:"file"`
	Title    string           `json:"title"`
	Lines    int              `json:"lines"`
	Tokens   int              `json:"tokens"`
	Count    int              `json:"section_count"`
	Sections []OutlineSection `json:"sections,omitempty"`
}

// An OutlineSection is one heading, with the sections under it.
type OutlineSection struct {
	Ref      string           `json:"ref"`
	Title    string           `json:"title"`
	Level    int              `json:"level"`
	Lines    [2]int           `json:"lines"` // including the sections under it
	Tokens   int              `json:"tokens"`
	Children []OutlineSection `json:"children,omitempty"`
}

// Add appends a document, with its headings down to a level of depth.
func (o *Outline) Add(d *doc.Document, depth int, count func([]byte) int) {
	own := make([]int, len(d.Sections))
	f := OutlineFile{File: d.Path, Title: d.Title, Count: len(d.Sections)}
	for i, s := range d.Sections {
		own[i] = count(s.Span.Of(d.Source))
		f.Tokens += own[i]
		f.Lines = s.Lines.End
	}
	if depth > 0 {
		f.Sections = outlineSections(d, own, depth)
	}
	o.AddFile(f)
}

// AddFile appends what is known of a document.
func (o *Outline) AddFile(f OutlineFile) {
	o.Files = append(o.Files, f)
	o.Total.Files++
	o.Total.Sections += f.Count
	o.Total.Lines += f.Lines
	o.Total.Tokens += f.Tokens
}

// outlineSections builds the tree in one pass: a section's children are
// complete when the section itself is reached from behind.
func outlineSections(d *doc.Document, own []int, depth int) []OutlineSection {
	made := make([]OutlineSection, len(d.Sections))
	for i := len(d.Sections) - 1; i >= 0; i-- {
		s := d.Sections[i]
		end := d.Sections[s.End-1].Lines.End
		o := &made[i]
		o.Title, o.Level = s.Title, s.Level
		o.Lines = [2]int{s.Lines.Start, end}
		o.Tokens += own[i]
		o.Ref = doc.Ref{Path: d.Path, Anchor: s.Anchor, Lines: doc.Lines{Start: s.Lines.Start, End: end}}.String()
		slices.Reverse(o.Children)
		if s.Parent >= 0 {
			parent := &made[s.Parent]
			parent.Tokens += o.Tokens
			if s.Level <= depth {
				parent.Children = append(parent.Children, *o)
			}
		}
	}
	return made[:1]
}

// WriteText writes the outline for reading: a line a heading, indented, with
// its Ref and price; for several documents, a line each and what they sum to.
func (o *Outline) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	folders := folderLister{slices.Clone(o.Folders)}
	for _, f := range o.Files {
		folders.before(b, f.File)
		if len(f.Sections) == 0 {
			fmt.Fprintf(b, "%s  %s  (%s, %s)\n", visible.Line(f.File), visible.Line(f.Title), human.Plural(f.Count, "section"), human.Plural(f.Tokens, "token"))
			continue
		}
		writeSections(b, f.Sections, 0)
	}
	if len(o.Files) > 1 {
		fmt.Fprintf(b, "\n%s, %s, %s, %s\n", human.Plural(o.Total.Files, "file"), human.Plural(o.Total.Sections, "section"),
			human.Plural(o.Total.Lines, "line"), human.Plural(o.Total.Tokens, "token"))
	}
	return flush(w, b)
}

func writeSections(b *strings.Builder, sections []OutlineSection, indent int) {
	for _, s := range sections {
		fmt.Fprintf(b, "%*s%s  %s  (%s)\n", 2*indent, "", visible.Line(s.Title), visible.Line(s.Ref), human.Plural(s.Tokens, "token"))
		writeSections(b, s.Children, indent+1)
	}
}
