package docent

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
)

// The errors of a library, for errors.Is. Those that concern a name come
// wrapped, with the name.
var (
	ErrNoPath      = errors.New("docent: path not found")
	ErrNoDocuments = errors.New("docent: no documents found")
	ErrNotFound    = errors.New("docent: document not found")
	ErrNoSection   = errors.New("docent: section not found")
	ErrBadRegexp   = errors.New("docent: invalid regex")
	ErrCitation    = errors.New("docent: the cited text is no longer there")
)

// A place is what a Ref leads to in a library: a file, or a range of its lines.
type place struct {
	known
	section int // within the file; -1 when the place is the whole file or only lines
	lines   doc.Lines
	code    int // which code block of the section, from 1; 0 means none
	ref     doc.Ref
}

// resolve finds what a Ref leads to. Only files of the index are ever found, so
// that no Ref leads to anything else.
func (l *Library) resolve(text string) (place, error) {
	ref, err := doc.ParseRef(text)
	if err != nil {
		return place{}, err
	}
	k, ok, err := l.lookup(ref.Path)
	if err != nil {
		return place{}, err
	}
	if ref.Hash != "" && ref.Lines.Start > 0 {
		return l.resolveCitation(text, ref.Path)
	}
	if !ok {
		heading, err := l.byHeading(text)
		if err != nil || heading == "" {
			return place{}, cmp.Or(err, l.noFile(ref.Path))
		}
		return l.resolve(heading)
	}
	p := place{known: k, section: -1, lines: doc.Lines{Start: 1, End: k.file.Lines}, code: ref.Code}
	if ref.Anchor != "" || ref.Heading != "" {
		if err := l.resolveSection(&p, ref); err != nil {
			return place{}, err
		}
	}
	if ref.Lines.Start > 0 {
		p.lines = ref.Lines
	}
	p.ref = doc.Ref{Path: k.path, Code: ref.Code, Lines: ref.Lines}
	if p.section >= 0 {
		s, err := l.section(k, p.section)
		if err != nil {
			return place{}, err
		}
		p.ref.Anchor = s.Anchor
	}
	return p, nil
}

// resolveCitation follows a citation to where its text stands now.
func (l *Library) resolveCitation(text, path string) (place, error) {
	v, err := l.Verify(text)
	if err != nil {
		return place{}, err
	}
	if v.Nothing() {
		var near []string
		if v.Now != "" {
			near = []string{v.Now}
		}
		return place{}, &NotFoundError{Name: text, Nearest: near, err: fmt.Errorf("%w (%s)", ErrCitation, v.Status)}
	}
	now, err := doc.ParseRef(v.Now)
	if err != nil {
		return place{}, err
	}
	now.Hash = ""
	return l.resolve(now.String())
}

// lookup finds a file by its path in the corpus or, for a corpus on disk, as it
// is named from the folder one stands in.
func (l *Library) lookup(name string) (known, bool, error) {
	k, ok, err := l.find(cleanPath(name))
	if ok || err != nil || l.snap == nil {
		return k, ok, err
	}
	abs, err := filepath.Abs(filepath.FromSlash(name))
	if err != nil {
		return known{}, false, nil
	}
	rel, err := filepath.Rel(l.corpus.dir, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return known{}, false, nil
	}
	return l.find(filepath.ToSlash(rel))
}

// resolveSection finds the section a Ref names, and its lines with all that
// stands under it.
func (l *Library) resolveSection(p *place, ref doc.Ref) error {
	sections, err := l.sections(p.known)
	if err != nil {
		return err
	}
	at := findSection(sections, ref)
	if at < 0 {
		part, ok, err := l.partOf(p.known, ref.Anchor)
		if err != nil {
			return err
		}
		if ok {
			p.section, p.lines = part.Section-p.file.FirstSection, part.Lines
			return nil
		}
		return l.noSection(p.path, ref, sections)
	}
	p.section = at
	p.lines = subtree(sections, at)
	return nil
}

// subtree is the lines of a section and of those under it.
func subtree(sections []doctable.Section, at int) doc.Lines {
	return doc.Lines{Start: sections[at].Lines.Start, End: sections[lastUnder(sections, at)].Lines.End}
}

// lastUnder is the last section that stands under a section, or that itself.
func lastUnder(sections []doctable.Section, at int) int {
	last := at
	for last+1 < len(sections) && isUnder(sections, last+1, at) {
		last++
	}
	return last
}

// isUnder reports whether section i stands under section top.
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
		for i, s := range sections {
			if s.Anchor == ref.Anchor {
				return i
			}
		}
		for i, s := range sections {
			if strings.EqualFold(s.Anchor, ref.Anchor) {
				return i
			}
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
func (l *Library) partOf(k known, anchor string) (doctable.Chunk, bool, error) {
	cat := l.segs[k.seg].cat
	var found doctable.Chunk
	ok := false
	err := eachPart(k.file, cat, func(row int, c doctable.Chunk, name string) bool {
		if name == anchor {
			found, ok = c, true
		}
		return !ok
	})
	return found, ok, err
}

// partName is the anchor that records give the chunk in a row.
func (l *Library) partName(f doctable.File, cat *doctable.Reader, row int) (string, error) {
	anchor := ""
	err := eachPart(f, cat, func(at int, _ doctable.Chunk, name string) bool {
		anchor = name
		return at != row
	})
	return anchor, err
}

// eachPart calls fn with the parts of divided sections in a file, and the
// anchors that records give them, until it returns false.
func eachPart(f doctable.File, cat *doctable.Reader, fn func(row int, c doctable.Chunk, name string) bool) error {
	taken := make(map[string]bool, f.Sections)
	anchors := make([]string, f.Sections)
	for i := range anchors {
		s, err := cat.Section(f.FirstSection + i)
		if err != nil {
			return err
		}
		anchors[i], taken[s.Anchor] = s.Anchor, true
	}
	next := map[string]int{}
	for i := range f.Chunks {
		c, err := cat.Chunk(f.FirstChunk + i)
		if err != nil {
			return err
		}
		at := c.Section - f.FirstSection
		if c.Part == 0 || at < 0 || at >= len(anchors) {
			continue
		}
		if !fn(f.FirstChunk+i, c, partAnchor(anchors[at], taken, next)) {
			return nil
		}
	}
	return nil
}

// sections reads the sections of a file.
func (l *Library) sections(k known) ([]doctable.Section, error) {
	out := make([]doctable.Section, k.file.Sections)
	for i := range out {
		s, err := l.section(k, i)
		if err != nil {
			return nil, err
		}
		if s.Parent >= i {
			return nil, fmt.Errorf("%w: section %d of %s", doctable.ErrFormat, i, k.path)
		}
		out[i] = s
	}
	return out, nil
}

func (l *Library) section(k known, i int) (doctable.Section, error) {
	return l.segs[k.seg].cat.Section(k.file.FirstSection + i)
}

// cleanPath takes "./" and a leading "/" off what people type.
func cleanPath(p string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(p, `\`, "/")), "/")
}
