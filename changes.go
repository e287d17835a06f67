package docent

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/visible"
)

// A SectionChange is what became of a section.
type SectionChange struct {
	Status string `json:"status"` // added, changed, moved or removed
	Ref    string `json:"ref"`    // where it stands or, of a removed one, stood
	Was    string `json:"was,omitempty"`
	Title  string `json:"title"`
	Lines  [2]int `json:"lines"`
}

// Changes are what became of the sections of a corpus since some time.
type Changes struct {
	Since    string          `json:"since"`
	Commit   string          `json:"commit,omitempty"` // that was compared with; "" when it was the index
	Added    int             `json:"added"`
	Changed  int             `json:"changed"`
	Moved    int             `json:"moved"`
	Removed  int             `json:"removed"`
	Sections []SectionChange `json:"sections"` // in the order of paths and lines
}

// A version is a document as it was or is: what a comparison needs of it.
type version struct {
	path     string
	sections []sectionVersion
}

type sectionVersion struct {
	title, anchor string
	lines         doc.Lines
	whole         uint64 // hash of heading and text
	text          uint64 // hash of the text; 0 when there is none
}

func versionOf(d *doc.Document) version {
	v := version{path: d.Path}
	for _, s := range d.Sections {
		all := s.Span.Of(d.Source)
		text := all
		if s.Heading >= 0 {
			text = d.Source[min(d.Headings[s.Heading].Span.End, s.Span.End):s.Span.End]
		}
		v.sections = append(v.sections, sectionVersion{
			title: s.Title, anchor: s.Anchor, lines: s.Lines, whole: wordsHash(all), text: wordsHash(text),
		})
	}
	return v
}

// wordsHash is a hash of a text that does not tell line endings and spaces apart;
// 0 for a text without words.
func wordsHash(text []byte) uint64 {
	h := fnv.New64a()
	some := false
	for w := range strings.FieldsSeq(string(text)) {
		some = true
		_, _ = io.WriteString(h, w)
		_, _ = h.Write([]byte{' '})
	}
	if !some {
		return 0
	}
	return h.Sum64()
}

// A side is one section of a comparison.
type side struct {
	path string
	sectionVersion
}

func (s side) ref() string { return refIn(s.path, s.anchor) }

// compareVersions says what became of the sections of old documents. Sections are
// the same where file and anchor are; those of which only one side knows are
// moved where their text is found on the other, and else added or removed.
func compareVersions(before, after []version) []SectionChange {
	was := map[string]map[string]sectionVersion{}
	for _, v := range before {
		was[v.path] = map[string]sectionVersion{}
		for _, s := range v.sections {
			was[v.path][s.anchor] = s
		}
	}
	var out []SectionChange
	var fresh []side
	for _, v := range after {
		for _, s := range v.sections {
			old, ok := was[v.path][s.anchor]
			switch {
			case !ok:
				fresh = append(fresh, side{v.path, s})
			case old.whole != s.whole:
				out = append(out, change("changed", side{v.path, s}))
			}
			delete(was[v.path], s.anchor)
		}
	}
	gone := map[uint64][]side{}
	for _, v := range before {
		for _, s := range v.sections {
			if _, left := was[v.path][s.anchor]; left {
				gone[s.text] = append(gone[s.text], side{v.path, s})
			}
		}
	}
	for _, s := range fresh {
		from := gone[s.text]
		if s.text == 0 || len(from) == 0 {
			out = append(out, change("added", s))
			continue
		}
		moved := change("moved", s)
		moved.Was = from[0].ref()
		gone[s.text] = from[1:]
		out = append(out, moved)
	}
	for _, left := range gone {
		for _, s := range left {
			out = append(out, change("removed", s))
		}
	}
	slices.SortFunc(out, func(a, b SectionChange) int {
		return cmp.Or(cmp.Compare(pathOf(a.Ref), pathOf(b.Ref)), cmp.Compare(a.Lines[0], b.Lines[0]),
			cmp.Compare(a.Status, b.Status), cmp.Compare(a.Ref, b.Ref))
	})
	return out
}

func change(status string, s side) SectionChange {
	return SectionChange{Status: status, Ref: s.ref(), Title: s.title, Lines: [2]int{s.lines.Start, s.lines.End}}
}

func pathOf(ref string) string {
	p, _, _ := strings.Cut(ref, "#")
	return p
}

func (c *Changes) count() {
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
	if c.Commit != "" && !strings.HasPrefix(c.Commit, c.Since) {
		since += fmt.Sprintf(" (%.7s)", c.Commit)
	}
	fmt.Fprintf(b, "%d added, %d changed, %d moved, %d removed since %s\n", c.Added, c.Changed, c.Moved, c.Removed, since)
	_, err := io.WriteString(w, b.String())
	return err
}
