package place

import (
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// How the text of a citation is found again.
//
// Citations name a chunk, or a section with those under it. The index has
// the hashes of chunks. Of sections, and of chunks that would be cut elsewhere
// today, only the number of lines is known, so texts of as many lines are hashed:
// in the cited file at every line, the nearest first; elsewhere where a section of
// that name has as many lines.

// maxHashed is how many bytes are hashed to find a text that is not a chunk: more
// than any file has that people write, and a moment's work.
const maxHashed = 64 << 20

// findByHash looks for the text of a citation in its file, from its place outwards.
func findByHash(v *snapshot.View, k snapshot.File, data []byte, ref doc.Ref) (string, error) {
	starts := []int{0} // of each line, and the end
	for i, c := range data {
		if c == '\n' && i+1 < len(data) {
			starts = append(starts, i+1)
		}
	}
	starts = append(starts, len(data))
	n := ref.Lines.End - ref.Lines.Start + 1
	last, room := len(starts)-1-n, maxHashed
	if last < 0 {
		return "", nil
	}
	from := min(ref.Lines.Start-1, last)
	for d := 0; d <= max(from, last-from) && room > 0; d++ {
		for _, at := range [2]int{from - d, from + d} {
			if at < 0 || at > last {
				continue
			}
			text := data[starts[at]:starts[at+n]]
			room -= len(text)
			if !strings.HasPrefix(answer.FullHash(answer.HashOf(text)), ref.Hash) {
				continue
			}
			ref.Lines = doc.Lines{Start: at + 1, End: at + n}
			sections, err := v.Sections(k)
			if err != nil {
				return "", err
			}
			ref.Anchor = anchorAt(sections, ref)
			return ref.String(), nil
		}
	}
	return "", nil
}

// anchorAt is the anchor that the lines of a Ref are cited with: its own, if that
// section is there, else that of the section they begin in.
func anchorAt(sections []doctable.Section, ref doc.Ref) string {
	anchor := ""
	for _, s := range sections {
		if s.Lines.Start > ref.Lines.End {
			break
		}
		if s.Anchor == ref.Anchor && s.Lines.End >= ref.Lines.Start {
			return s.Anchor
		}
		if s.Lines.Start <= ref.Lines.Start {
			anchor = s.Anchor
		}
	}
	return anchor
}

// findSections looks for the text of a citation among the sections of its name, in
// all files.
func findSections(v *snapshot.View, ref doc.Ref) (string, error) {
	var stale snapshot.Stale
	room := maxHashed
	for i, s := range v.Segments {
		for row := range s.Table.Files() {
			if s.Dead[row] || room < 0 {
				continue
			}
			same, err := sameSections(s, row, ref)
			if err != nil {
				return "", err
			}
			for _, at := range same {
				k, err := v.File(i, row)
				if err != nil {
					return "", err
				}
				data, err := v.Text(k)
				if stale.Skip(err) {
					continue
				}
				if err != nil {
					return "", err
				}
				text, _ := LineRange(data, at.Lines)
				room -= len(text)
				if strings.HasPrefix(answer.FullHash(answer.HashOf(text)), ref.Hash) {
					return doc.Ref{Path: k.Path, Anchor: at.Anchor, Lines: at.Lines, Hash: ref.Hash}.String(), nil
				}
			}
		}
	}
	return "", stale.Err()
}

// sameSections are the sections of a file that have the name and the number of
// lines of a citation, each including the sections under it.
func sameSections(s *snapshot.Segment, row int, ref doc.Ref) ([]doc.Ref, error) {
	first, end, err := s.Table.SectionsOf(row)
	if err != nil {
		return nil, err
	}
	var sections []doctable.Section
	var out []doc.Ref
	for i := first; i < end; i++ {
		c, err := s.Table.Section(i)
		if err != nil {
			return nil, err
		}
		sections = append(sections, c)
	}
	for i, c := range sections {
		if !sameAnchor(c.Anchor, ref.Anchor) {
			continue
		}
		if lines := Subtree(sections, i); lines.End-lines.Start == ref.Lines.End-ref.Lines.Start {
			out = append(out, doc.Ref{Anchor: c.Anchor, Lines: lines})
		}
	}
	return out, nil
}

// sameAnchor reports whether two anchors may be of the same heading: they may differ
// in the number that tells it from others of its name.
func sameAnchor(a, b string) bool {
	bare := func(s string) string {
		if i := strings.LastIndexByte(s, '-'); i > 0 && strings.Trim(s[i+1:], "0123456789") == "" {
			return s[:i]
		}
		return s
	}
	return a == b || bare(a) == bare(b)
}
