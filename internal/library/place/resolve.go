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
	"github.com/docent-md/docent/internal/text/visible"
	"golang.org/x/text/unicode/norm"
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
	if ref, ok := v.Refs[text]; ok {
		text = ref
	}
	ref, bad := doc.ParseRef(text)
	k, ok, err := v.Find(text) // the name of a file, whatever else it might mean
	if ok {
		ref, bad = doc.Ref{Path: text}, nil
	} else if err == nil && bad == nil {
		k, ok, err = find(v, ref.Path)
	}
	if err != nil {
		return Place{}, err
	}
	if ref.Hash != "" && ref.Lines.Start > 0 {
		return resolveCitation(v, text, ref.Path)
	}
	if !ok && bad == nil {
		if k, ok, err = byEnd(v, ref.Path); err != nil {
			return Place{}, err
		}
	}
	if !ok && bad == nil {
		heading, err := byHeading(v, text)
		if err != nil {
			return Place{}, err
		}
		if heading != "" {
			return Resolve(v, heading)
		}
	}
	if !ok {
		if k, ok, err = shown(v, ref.Path, text); err != nil || !ok {
			return Place{}, cmp.Or(err, bad, NoFile(v, ref.Path))
		}
		if bad != nil {
			ref = doc.Ref{Path: k.Path}
		}
	}
	if ref, err = wholeAnchor(v, k, text, ref); err != nil {
		return Place{}, err
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

// wholeAnchor returns ref with an anchor that has the form of a place, if the file has
// a section of that name: writers may call one L3, or step:2.
func wholeAnchor(v *snapshot.View, k snapshot.File, text string, ref doc.Ref) (doc.Ref, error) {
	_, anchor, ok := strings.Cut(strings.TrimPrefix(text, doc.Ref{Path: ref.Path}.String()), "#")
	if !ok || anchor == ref.Anchor {
		return ref, nil
	}
	sections, err := v.Sections(k)
	if slices.ContainsFunc(sections, func(s doctable.Section) bool { return s.Anchor == anchor }) {
		return doc.Ref{Path: ref.Path, Anchor: anchor}, nil
	}
	return ref, err
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

// Lookup finds a file by its path in the corpus, as people may spell it or, for a
// corpus on disk, as it is named from the working directory; or by that path as it is
// shown, without the characters that nobody would see.
func Lookup(v *snapshot.View, name string) (snapshot.File, bool, error) {
	if k, ok, err := find(v, name); ok || err != nil {
		return k, ok, err
	}
	if k, ok, err := byEnd(v, name); ok || err != nil {
		return k, ok, err
	}
	return shown(v, name)
}

// byEnd finds the only file whose path ends with a path: alias.md is
// docs/concepts/alias.md where no other file has that name.
func byEnd(v *snapshot.View, name string) (found snapshot.File, ok bool, err error) {
	if !doc.IsMarkdown(name) {
		return snapshot.File{}, false, nil
	}
	files, err := v.Files()
	if err != nil {
		return snapshot.File{}, false, err
	}
	end := "/" + CleanPath(name)
	for _, k := range files {
		if strings.HasSuffix(k.Path, end) {
			if ok {
				return snapshot.File{}, false, nil
			}
			found, ok = k, true
		}
	}
	return found, ok, nil
}

// shown finds a file by one of the paths that it may be shown with.
func shown(v *snapshot.View, names ...string) (snapshot.File, bool, error) {
	files, err := v.Files()
	if err != nil {
		return snapshot.File{}, false, err
	}
	for _, k := range files {
		if IsShown(k.Path, names...) {
			return k, true, nil
		}
	}
	return snapshot.File{}, false, nil
}

// IsShown reports whether a file has one of some paths, or is shown with it: the
// characters that nobody would see are left out then.
func IsShown(file string, names ...string) bool {
	line := visible.Line(file)
	return slices.ContainsFunc(names, func(name string) bool { return name != "" && line == CleanPath(name) })
}

// find is Lookup without looking at every file.
func find(v *snapshot.View, name string) (snapshot.File, bool, error) {
	for _, spelling := range append(Spellings(name), fromHere(v, name)) {
		if k, ok, err := v.Find(spelling); ok || err != nil {
			return k, ok, err
		}
	}
	return snapshot.File{}, false, nil
}

// fromHere is the path in the corpus of what is named from the working directory; ""
// if it has none.
func fromHere(v *snapshot.View, name string) string {
	if v.Origin.Dir() == "" {
		return ""
	}
	abs, err := filepath.Abs(filepath.FromSlash(name))
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(v.Corpus.Dir, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
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

// PartName is the anchor that records give the chunk in a row; "" if it is no part.
func PartName(f doctable.File, table *doctable.Reader, row int) (string, error) {
	c, err := table.Chunk(row)
	if err != nil {
		return "", err
	}
	if part, err := isPart(f, table, row, c); err != nil || !part {
		return "", err
	}
	anchor := ""
	err = eachPart(f, table, func(at int, _ doctable.Chunk, name string) bool {
		if at == row {
			anchor = name
		}
		return at < row
	})
	return anchor, err
}

// isPart reports whether the chunk in a row is a part of a divided section. The first may
// begin with the headings above its section: see answer.Records.
func isPart(f doctable.File, table *doctable.Reader, row int, c doctable.Chunk) (bool, error) {
	if c.Part > 0 || row+1 >= f.FirstChunk+f.Chunks {
		return c.Part > 0, nil
	}
	next, err := table.Chunk(row + 1)
	return next.Part > 0 && next.Section == c.Section, err
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
		part, err := isPart(f, table, f.FirstChunk+i, c)
		if err != nil {
			return err
		}
		if !part || at < 0 || at >= len(anchors) {
			continue
		}
		if !fn(f.FirstChunk+i, c, answer.PartAnchor(anchors[at], taken, next)) {
			return nil
		}
	}
	return nil
}

// CleanPath takes "./" and a leading "/" off what people type.
func CleanPath(p string) string { return strings.TrimPrefix(path.Clean("/"+p), "/") }

// Spellings are the paths that a name may mean, the likeliest first. A backslash is
// part of a name; only where there is no such file is it read as a slash, as it is
// typed on Windows. Letters with accents are one character or two: macOS used to store two,
// and a keyboard gives one.
func Spellings(name string) []string {
	out := []string{CleanPath(name)}
	if strings.Contains(name, `\`) {
		out = append(out, CleanPath(strings.ReplaceAll(name, `\`, "/")))
	}
	for _, s := range out {
		for _, form := range []norm.Form{norm.NFC, norm.NFD} {
			if other := form.String(s); !slices.Contains(out, other) {
				out = append(out, other)
			}
		}
	}
	return out
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
