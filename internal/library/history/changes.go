package history

import (
	"cmp"
	"context"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/markdown"
)

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
			title: s.Title, anchor: s.Anchor, lines: s.Lines, whole: WordsHash(all), text: WordsHash(text),
		})
	}
	return v
}

// WordsHash is a hash of a text that does not tell line endings and spaces apart;
// 0 for a text without words.
func WordsHash(text []byte) uint64 {
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

// A sectionAt is a section and the file it is in.
type sectionAt struct {
	path string
	sectionVersion
}

func (s sectionAt) ref() string { return answer.RefIn(s.path, s.anchor) }

// compareVersions says what became of the sections of old documents. Sections are
// the same where file and anchor are. A section that only one version has is moved if
// the other has its text elsewhere, and else added or removed.
func compareVersions(before, after []version) []answer.SectionChange {
	was := map[string]map[string]sectionVersion{}
	for _, v := range before {
		was[v.path] = map[string]sectionVersion{}
		for _, s := range v.sections {
			was[v.path][s.anchor] = s
		}
	}
	out := []answer.SectionChange{}
	var fresh []sectionAt
	for _, v := range after {
		for _, s := range v.sections {
			old, ok := was[v.path][s.anchor]
			switch {
			case !ok:
				fresh = append(fresh, sectionAt{v.path, s})
			case old.whole != s.whole:
				out = append(out, change("changed", sectionAt{v.path, s}))
			}
			delete(was[v.path], s.anchor)
		}
	}
	gone := map[uint64][]sectionAt{}
	for _, v := range before {
		for _, s := range v.sections {
			if _, left := was[v.path][s.anchor]; left {
				gone[s.text] = append(gone[s.text], sectionAt{v.path, s})
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
	slices.SortFunc(out, func(a, b answer.SectionChange) int {
		return cmp.Or(cmp.Compare(pathOf(a.Ref), pathOf(b.Ref)), cmp.Compare(a.Lines[0], b.Lines[0]),
			cmp.Compare(a.Status, b.Status), cmp.Compare(a.Ref, b.Ref))
	})
	return out
}

// Versions are all documents of a corpus, for a comparison with those of another.
type Versions []version

// VersionsOf reads the documents of a view.
func VersionsOf(ctx context.Context, v *snapshot.View) (Versions, error) {
	files, err := v.Files()
	if err != nil {
		return nil, err
	}
	out := make(Versions, len(files))
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data, err := v.Text(f)
		if err != nil {
			return nil, err
		}
		d := markdown.Parse(f.Path, data)
		out[i] = versionOf(&d)
	}
	return out, nil
}

// Compare says what became of the sections of one version in another.
func Compare(before, after Versions) []answer.SectionChange { return compareVersions(before, after) }

func change(status string, s sectionAt) answer.SectionChange {
	return answer.SectionChange{Status: status, Ref: s.ref(), Title: s.title, Lines: [2]int{s.lines.Start, s.lines.End}}
}

func pathOf(ref string) string {
	p, _, _ := strings.Cut(ref, "#")
	return p
}
