package answer

import (
	"fmt"
	"io"
	"slices"
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
	Folders []Folder       `json:"folders,omitempty"`     // those that are described
	Total   OutlineTotal   `json:"total"`                 // of all files, listed or not
	Offset  int            `json:"offset,omitempty"`      // files before those listed
	Next    int            `json:"next_offset,omitempty"` // where the next page begins; 0 means that this is the last
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
	folders := folderLister{slices.Clone(m.Folders)}
	for i := range m.Files {
		folders.before(b, m.Files[i].File)
		b.WriteString(m.Files[i].text())
	}
	b.WriteString(m.closing())
	return flush(w, b)
}

// text is the file as it is written.
func (f *ManifestFile) text() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s  %s  (%s, %s)\n", visible.Line(f.File), f.Title, human.Plural(f.Lines, "line"), human.Plural(f.Tokens, "token"))
	if f.Summary != "" {
		fmt.Fprintf(b, "  %s\n", f.Summary)
	}
	for _, h := range f.Headings {
		fmt.Fprintf(b, "  %d-%d  %s %s\n", h.Lines[0], h.Lines[1], strings.Repeat("#", h.Level), h.Title)
	}
	b.WriteString("\n")
	return b.String()
}

// closing sums up, and says where the next page begins.
func (m *Manifest) closing() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s, %s, %s, %s\n", human.Plural(m.Total.Files, "file"), human.Plural(m.Total.Sections, "section"),
		human.Plural(m.Total.Lines, "line"), human.Plural(m.Total.Tokens, "token"))
	if m.Next > 0 {
		fmt.Fprintf(b, "files %d to %d of %d: offset %d shows the next\n", m.Offset+1, m.Next, m.Total.Files, m.Next)
	}
	return b.String()
}

// maxShare is the part of a page that one file may take, so that a changelog leaves room
// for guides.
const maxShare = 8

// details are how much of a file a page may show, from all to the line of the file.
var details = []func(f *ManifestFile, budget int, count func([]byte) int){
	func(*ManifestFile, int, func([]byte) int) {},
	func(f *ManifestFile, budget int, count func([]byte) int) { f.shrink(budget/maxShare, count) },
	func(f *ManifestFile, budget int, count func([]byte) int) {
		f.keepLevels(2)
		f.shrink(budget/maxShare, count)
	},
	func(f *ManifestFile, _ int, _ func([]byte) int) { f.keepLevels(0) },
	func(f *ManifestFile, _ int, _ func([]byte) int) { f.keepLevels(0); f.Summary = "" },
}

// Page keeps the files from an offset on that a text of budget tokens has room for; 0
// means all. All are kept if that can be had by showing less of each: headings below
// level 2 go first, then headings, then summaries. Else they come in pages, and of no
// file are there more headings than an eighth of a page has room for.
func (m *Manifest) Page(offset, budget int, count func([]byte) int) {
	m.Offset = min(offset, len(m.Files))
	m.Files = slices.Clone(m.Files[m.Offset:])
	if budget == 0 {
		return
	}
	probe := *m
	probe.Next = m.Total.Files
	room := budget - count([]byte(probe.closing()))
	for _, detail := range details {
		if some := m.fit(room, budget, count, detail); len(some) == len(m.Files) {
			m.Files = some
			return
		}
	}
	m.Files = m.fit(room, budget, count, details[1])
	m.Next = m.Offset + len(m.Files)
}

// fit returns as many of the first files as there is room for, with some detail of each,
// at least one.
func (m *Manifest) fit(room, budget int, count func([]byte) int, detail func(f *ManifestFile, budget int, count func([]byte) int)) []ManifestFile {
	var out []ManifestFile
	folders := folderLister{slices.Clone(m.Folders)}
	for _, f := range m.Files {
		about := &strings.Builder{}
		folders.before(about, f.File)
		room -= count([]byte(about.String()))
		detail(&f, budget, count)
		if len(out) == 0 && len(m.Files) == 1 {
			f.shrink(room, count)
		}
		if room -= count([]byte(f.text())); room < 0 && len(out) > 0 {
			break
		}
		out = append(out, f)
	}
	return out
}

// shrink drops headings until the file has at most limit tokens: those of the lower
// levels, and then the last.
func (f *ManifestFile) shrink(limit int, count func([]byte) int) {
	for level := 5; level >= 2 && count([]byte(f.text())) > limit; level-- {
		f.keepLevels(level)
	}
	for len(f.Headings) > 0 && count([]byte(f.text())) > limit {
		f.Headings = f.Headings[:len(f.Headings)*9/10]
	}
}

// keepLevels drops the headings below a level.
func (f *ManifestFile) keepLevels(level int) {
	f.Headings = slices.DeleteFunc(slices.Clone(f.Headings), func(h ManifestHeading) bool { return h.Level > level })
}
