package docent

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/text/visible"
)

// An Outline is the table of contents of one or more documents, with prices.
type Outline struct {
	Files []OutlineFile `json:"files"`
	Total OutlineTotal  `json:"total"`
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

// An OutlineSection is one heading, with what stands under it.
type OutlineSection struct {
	Ref      string           `json:"ref"`
	Title    string           `json:"title"`
	Level    int              `json:"level"`
	Lines    [2]int           `json:"lines"` // including the sections under it
	Tokens   int              `json:"tokens"`
	Children []OutlineSection `json:"children,omitempty"`
}

// add appends a document, with its headings down to a level of depth.
func (o *Outline) add(d *doc.Document, depth int, count func([]byte) int) {
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
	for _, f := range o.Files {
		if len(f.Sections) == 0 {
			fmt.Fprintf(b, "%s  %s  (%s, %s)\n", visible.Line(f.File), visible.Line(f.Title), plural(f.Count, "section"), plural(f.Tokens, "token"))
			continue
		}
		writeSections(b, f.Sections, 0)
	}
	if len(o.Files) > 1 {
		fmt.Fprintf(b, "\n%s, %s, %s, %s\n", plural(o.Total.Files, "file"), plural(o.Total.Sections, "section"),
			plural(o.Total.Lines, "line"), plural(o.Total.Tokens, "token"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeSections(b *strings.Builder, sections []OutlineSection, indent int) {
	for _, s := range sections {
		fmt.Fprintf(b, "%*s%s  %s  (%s)\n", 2*indent, "", visible.Line(s.Title), visible.Line(s.Ref), plural(s.Tokens, "token"))
		writeSections(b, s.Children, indent+1)
	}
}

// plural gives "1 file", "2 files", "10,954 files".
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return commas(n) + " " + word + "s"
}

// commas groups the digits of a number by threes.
func commas(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Outline lists the headings of a file of the library or, for a folder or "", of
// the files in it. Depth is the deepest level shown; 0 means all of a file and
// none of several.
func (l *Library) Outline(ctx context.Context, ref string, depth int) (*Outline, error) {
	if l.stored != nil {
		return l.stored.outline(ctx, ref, depth)
	}
	files, err := l.under(ref)
	if err != nil {
		return nil, err
	}
	if depth == 0 && len(files) == 1 {
		depth = 6
	}
	out := &Outline{Files: []OutlineFile{}}
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data, err := l.text(k)
		if err != nil {
			return nil, err
		}
		d := markdown.Parse(k.path, data)
		out.add(&d, depth, l.policy.Count)
	}
	return out, nil
}

// under returns the file of that path, or the files in the folder of that path.
func (l *Library) under(ref string) ([]known, error) {
	name := cleanPath(ref)
	if k, ok, err := l.lookup(ref); ref != "" && (ok || err != nil) {
		return []known{k}, err
	}
	all, err := l.live()
	if err != nil || name == "" {
		return all, err
	}
	var in []known
	for _, k := range all {
		if strings.HasPrefix(k.path, name+"/") {
			in = append(in, k)
		}
	}
	if len(in) == 0 {
		return nil, l.noFile(ref)
	}
	return in, nil
}
