package place

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// Verify says whether the text of a citation is still there: at its place, at
// another (within its file, if it is there), or gone.
func Verify(l *snapshot.View, citation string) (*answer.Verdict, error) {
	asked := time.Now()
	ref, err := doc.ParseRef(citation)
	if err != nil {
		return nil, err
	}
	if ref.Hash == "" || ref.Lines.Start == 0 {
		return nil, fmt.Errorf("verify %s: a citation ends in lines and a hash, like guide/auth.md#jwt:15-48@3f2a91bc", citation)
	}
	v := &answer.Verdict{Citation: citation, Status: answer.Gone}
	k, ok, err := l.Find(ref.Path)
	if err != nil {
		return nil, err
	}
	if ok {
		if err := verifyFile(l, v, ref, k); err != nil || v.Status != answer.Gone {
			return v, err
		}
	}
	moved, err := findChunk(l, ref.Hash, snapshot.File{Seg: -1})
	if err == nil && moved == "" {
		moved, err = findSections(l, ref)
	}
	if err == nil && moved == "" {
		err = l.StaleMiss(asked)
	}
	if err != nil {
		return nil, err
	}
	if moved != "" {
		v.Status, v.Now = answer.Moved, moved
		return v, nil
	}
	if ok && ref.Anchor != "" {
		now, err := cite(l, k, ref.Anchor)
		if err != nil {
			return nil, err
		}
		if now != "" {
			v.Status, v.Now = answer.Changed, now
		}
	}
	return v, nil
}

// verifyFile looks for the text in the file that was cited.
func verifyFile(l *snapshot.View, v *answer.Verdict, ref doc.Ref, k snapshot.File) error {
	data, err := l.Text(k)
	if err != nil {
		return err
	}
	if text, ok := LineRange(data, ref.Lines); ok && strings.HasPrefix(answer.FullHash(answer.HashOf(text)), ref.Hash) {
		v.Status, v.Now = answer.Same, v.Citation
		return nil
	}
	moved, err := findChunk(l, ref.Hash, k)
	if err == nil && moved == "" {
		moved, err = findByHash(l, k, data, ref)
	}
	if moved != "" {
		v.Status, v.Now = answer.Moved, moved
		if moved == v.Citation {
			v.Status = answer.Same // a part of a line
		}
	}
	return err
}

// findChunk returns the citation of the chunk with that hash, in one file or, if
// that has no segment, in the whole library.
func findChunk(v *snapshot.View, hash string, in snapshot.File) (string, error) {
	for i, s := range v.Segments {
		if in.Seg >= 0 && in.Seg != i {
			continue
		}
		for row := range s.Table.Chunks() {
			c, err := s.Table.Chunk(row)
			if err != nil {
				return "", err
			}
			if !strings.HasPrefix(answer.FullHash(c.Hash), hash) || s.Dead[c.File] || in.Seg >= 0 && c.File != in.Row {
				continue
			}
			k, err := v.File(i, c.File)
			if err != nil {
				return "", err
			}
			if _, err := v.Text(k); err != nil {
				return "", err
			}
			section, err := s.Table.Section(c.Section)
			if err != nil {
				return "", err
			}
			_, citation := answer.HitRef(k.Path, section.Anchor, c.Lines, c.Hash)
			return citation, nil
		}
	}
	return "", nil
}

// cite returns the citation of the first chunk of a section, or "".
func cite(v *snapshot.View, k snapshot.File, anchor string) (string, error) {
	table := v.Segments[k.Seg].Table
	for i := range k.Info.Chunks {
		c, err := table.Chunk(k.Info.FirstChunk + i)
		if err != nil {
			return "", err
		}
		section, err := table.Section(c.Section)
		if err != nil {
			return "", err
		}
		if section.Anchor == anchor {
			_, citation := answer.HitRef(k.Path, anchor, c.Lines, c.Hash)
			return citation, nil
		}
	}
	return "", nil
}

// LineRange returns the bytes of some lines, the last line's ending included.
func LineRange(data []byte, lines doc.Lines) ([]byte, bool) {
	start, end := -1, -1
	at := 0
	for n := 1; at < len(data) && n <= lines.End; n++ {
		if n == lines.Start {
			start = at
		}
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			at += i + 1
		} else {
			at = len(data)
		}
		if n == lines.End {
			end = at
		}
	}
	if start < 0 || end < 0 {
		return nil, false
	}
	return data[start:end], true
}

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
