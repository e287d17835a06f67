package place

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
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
