package place

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/markdown"
)

// CodeLines finds a code block of a section, fences included.
func CodeLines(data []byte, p Place) (doc.Lines, error) {
	d := markdown.Parse(p.Path, data)
	n, all := 0, 0
	for _, b := range d.Blocks {
		if b.Kind != doc.Fence && b.Kind != doc.IndentedCode {
			continue
		}
		all++
		if b.Lines.Start < p.Lines.Start || b.Lines.End > p.Lines.End {
			continue
		}
		if n++; n == p.Code {
			return b.Lines, nil
		}
	}
	ref := p.Ref
	if n == 0 && ref.Anchor != "" { // then those of the file may be meant
		ref.Anchor, n = "", all
	}
	return doc.Lines{}, NoCode(p.Ref, n, func(i int) string {
		ref.Code = i
		return ref.String()
	})
}

// A Place is what a Ref leads to in a library: a file, or a range of its lines.
type Place struct {
	snapshot.File
	Section int // within the file; -1 when the place is the whole file or only lines
	Lines   doc.Lines
	Code    int // which code block of the section, from 1; 0 means none
	Ref     doc.Ref
}

// Resolve finds what a Ref leads to. Only files of the index are ever found, so
// that no Ref leads to anything else.
func Resolve(v *snapshot.View, text string) (Place, error) {
	ref, err := doc.ParseRef(text)
	if err != nil {
		return Place{}, err
	}
	k, ok, err := Lookup(v, ref.Path)
	if err != nil {
		return Place{}, err
	}
	if ref.Hash != "" && ref.Lines.Start > 0 {
		return resolveCitation(v, text, ref.Path)
	}
	if !ok {
		heading, err := byHeading(v, text)
		if err != nil || heading == "" {
			return Place{}, cmp.Or(err, NoFile(v, ref.Path))
		}
		return Resolve(v, heading)
	}
	p := Place{File: k, Section: -1, Lines: doc.Lines{Start: 1, End: k.Info.Lines}, Code: ref.Code}
	if ref.Anchor != "" || ref.Heading != "" {
		if err := resolveSection(v, &p, ref); err != nil {
			return Place{}, err
		}
	}
	if ref.Lines.Start > 0 {
		p.Lines = ref.Lines
	}
	p.Ref = doc.Ref{Path: k.Path, Code: ref.Code, Lines: ref.Lines}
	if p.Section >= 0 {
		s, err := v.Section(k, p.Section)
		if err != nil {
			return Place{}, err
		}
		p.Ref.Anchor = s.Anchor
	}
	return p, nil
}

// resolveCitation follows a citation to where its text is now.
func resolveCitation(l *snapshot.View, text, path string) (Place, error) {
	v, err := Verify(l, text)
	if err != nil {
		return Place{}, err
	}
	if v.Empty() {
		var near []string
		if v.Now != "" {
			near = []string{v.Now}
		}
		return Place{}, &answer.NotFoundError{Name: text, Nearest: near, Err: fmt.Errorf("%w (%s)", answer.ErrCitation, v.Status)}
	}
	now, err := doc.ParseRef(v.Now)
	if err != nil {
		return Place{}, err
	}
	now.Hash = ""
	return Resolve(l, now.String())
}

// Lookup finds a file by its path in the corpus or, for a corpus on disk, as it
// is named from the working directory.
func Lookup(v *snapshot.View, name string) (snapshot.File, bool, error) {
	k, ok, err := v.Find(CleanPath(name))
	if ok || err != nil || v.Origin.Dir() == "" {
		return k, ok, err
	}
	abs, err := filepath.Abs(filepath.FromSlash(name))
	if err != nil {
		return snapshot.File{}, false, nil
	}
	rel, err := filepath.Rel(v.Corpus.Dir, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return snapshot.File{}, false, nil
	}
	return v.Find(filepath.ToSlash(rel))
}

// resolveSection finds the section a Ref names, and its lines including the sections
// under it.
func resolveSection(v *snapshot.View, p *Place, ref doc.Ref) error {
	sections, err := v.Sections(p.File)
	if err != nil {
		return err
	}
	at := findSection(sections, ref)
	if at < 0 {
		part, ok, err := partOf(v, p.File, ref.Anchor)
		if err != nil {
			return err
		}
		if ok {
			p.Section, p.Lines = part.Section-p.Info.FirstSection, part.Lines
			return nil
		}
		return noSection(v, p.Path, ref, sections)
	}
	p.Section = at
	p.Lines = Subtree(sections, at)
	return nil
}

// Subtree is the lines of a section and of those under it.
func Subtree(sections []doctable.Section, at int) doc.Lines {
	return doc.Lines{Start: sections[at].Lines.Start, End: sections[LastUnder(sections, at)].Lines.End}
}

// LastUnder is the last section under a section, or that section itself.
func LastUnder(sections []doctable.Section, at int) int {
	last := at
	for last+1 < len(sections) && isUnder(sections, last+1, at) {
		last++
	}
	return last
}

// isUnder reports whether section i is under section top, or is it.
func isUnder(sections []doctable.Section, i, top int) bool {
	for i > top {
		i = sections[i].Parent
	}
	return i == top
}

// findSection looks a section up by anchor, by heading text, and by the number
// its heading begins with.
func findSection(sections []doctable.Section, ref doc.Ref) int {
	if ref.Anchor != "" {
		if i := slices.IndexFunc(sections, func(s doctable.Section) bool { return s.Anchor == ref.Anchor }); i >= 0 {
			return i
		}
		if i := slices.IndexFunc(sections, func(s doctable.Section) bool { return strings.EqualFold(s.Anchor, ref.Anchor) }); i >= 0 {
			return i
		}
	}
	want := cmp.Or(ref.Heading, ref.Anchor)
	skip := max(ref.Repeat-1, 0)
	for i, s := range sections {
		if strings.EqualFold(s.Title, want) {
			if skip == 0 {
				return i
			}
			skip--
		}
	}
	if strings.ContainsAny(want, "0123456789") {
		return slices.IndexFunc(sections, func(s doctable.Section) bool { return isNumbered(s.Title, want) })
	}
	return -1
}

// partOf finds the chunk that is a part of a divided section, by the anchor that
// records give it.
func partOf(v *snapshot.View, k snapshot.File, anchor string) (doctable.Chunk, bool, error) {
	table := v.Segments[k.Seg].Table
	var found doctable.Chunk
	ok := false
	err := eachPart(k.Info, table, func(row int, c doctable.Chunk, name string) bool {
		if name == anchor {
			found, ok = c, true
		}
		return !ok
	})
	return found, ok, err
}

// PartName is the anchor that records give the chunk in a row.
func PartName(f doctable.File, table *doctable.Reader, row int) (string, error) {
	anchor := ""
	err := eachPart(f, table, func(at int, _ doctable.Chunk, name string) bool {
		anchor = name
		return at != row
	})
	return anchor, err
}

// eachPart calls fn with the parts of divided sections in a file, and the
// anchors that records give them, until it returns false.
func eachPart(f doctable.File, table *doctable.Reader, fn func(row int, c doctable.Chunk, name string) bool) error {
	taken := make(map[string]bool, f.Sections)
	anchors := make([]string, f.Sections)
	for i := range anchors {
		s, err := table.Section(f.FirstSection + i)
		if err != nil {
			return err
		}
		anchors[i], taken[s.Anchor] = s.Anchor, true
	}
	next := map[string]int{}
	for i := range f.Chunks {
		c, err := table.Chunk(f.FirstChunk + i)
		if err != nil {
			return err
		}
		at := c.Section - f.FirstSection
		if c.Part == 0 || at < 0 || at >= len(anchors) {
			continue
		}
		if !fn(f.FirstChunk+i, c, answer.PartAnchor(anchors[at], taken, next)) {
			return nil
		}
	}
	return nil
}

// CleanPath takes "./" and a leading "/" off what people type.
func CleanPath(p string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(p, `\`, "/")), "/")
}

// SectionAt returns the section that contains a line.
func SectionAt(sections []doctable.Section, line int) int {
	at := 0
	for i, s := range sections {
		if s.Lines.Start <= line {
			at = i
		}
	}
	return at
}
