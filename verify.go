package docent

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/text/visible"
)

// What became of a citation.
const (
	Same    = "same"    // the text stands where it stood
	Moved   = "moved"   // the same text stands elsewhere
	Changed = "changed" // its section is there, with another text
	Gone    = "gone"    // neither the text nor its section is there
)

// A Verdict is what "docent verify" finds out about a citation.
type Verdict struct {
	Citation string `json:"citation"`
	Status   string `json:"status"`
	Now      string `json:"now,omitempty"` // the citation as it would be written today
}

// Nothing reports whether the cited text is nowhere any more.
func (v *Verdict) Nothing() bool { return v.Status == Changed || v.Status == Gone }

// WriteText writes the verdict on one line.
func (v *Verdict) WriteText(w io.Writer) error {
	line := v.Status
	if v.Now != "" && v.Status != Same {
		line += " " + visible.Line(v.Now)
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

// Verify says whether the text of a citation is still there: at its place, at
// another (within its file, if it is there), or nowhere.
func (l *Library) Verify(citation string) (*Verdict, error) {
	asked := time.Now()
	ref, err := doc.ParseRef(citation)
	if err != nil {
		return nil, err
	}
	if ref.Hash == "" || ref.Lines.Start == 0 {
		return nil, fmt.Errorf("verify %s: a citation ends in lines and a hash, like guide/auth.md#jwt:15-48@3f2a91bc", citation)
	}
	v := &Verdict{Citation: citation, Status: Gone}
	k, ok, err := l.find(ref.Path)
	if err != nil {
		return nil, err
	}
	if ok {
		if err := l.verifyFile(v, ref, k); err != nil || v.Status != Gone {
			return v, err
		}
	}
	moved, err := l.findHash(ref.Hash, known{seg: -1})
	if err == nil && moved == "" {
		moved, err = l.findSections(ref)
	}
	if err == nil && moved == "" {
		err = l.unsure(asked)
	}
	if err != nil {
		return nil, err
	}
	if moved != "" {
		v.Status, v.Now = Moved, moved
		return v, nil
	}
	if ok && ref.Anchor != "" {
		now, err := l.cite(k, ref.Anchor)
		if err != nil {
			return nil, err
		}
		if now != "" {
			v.Status, v.Now = Changed, now
		}
	}
	return v, nil
}

// verifyFile looks for the text in the file that was cited.
func (l *Library) verifyFile(v *Verdict, ref doc.Ref, k known) error {
	data, err := l.text(k)
	if err != nil {
		return err
	}
	if text, ok := lineRange(data, ref.Lines); ok && strings.HasPrefix(fullHash(hashOf(text)), ref.Hash) {
		v.Status, v.Now = Same, v.Citation
		return nil
	}
	moved, err := l.findHash(ref.Hash, k)
	if err == nil && moved == "" {
		moved, err = l.slide(k, data, ref)
	}
	if moved != "" {
		v.Status, v.Now = Moved, moved
		if moved == v.Citation {
			v.Status = Same // a part of a line
		}
	}
	return err
}

// findHash returns the citation of the chunk with that hash, in one file or, if
// that has no segment, in the whole library.
func (l *Library) findHash(hash string, in known) (string, error) {
	for i, s := range l.segs {
		if in.seg >= 0 && in.seg != i {
			continue
		}
		for row := range s.cat.Chunks() {
			c, err := s.cat.Chunk(row)
			if err != nil {
				return "", err
			}
			if !strings.HasPrefix(fullHash(c.Hash), hash) || s.dead[c.File] || in.seg >= 0 && c.File != in.row {
				continue
			}
			k, err := l.known(i, c.File)
			if err != nil {
				return "", err
			}
			if _, err := l.text(k); err != nil {
				return "", err
			}
			section, err := s.cat.Section(c.Section)
			if err != nil {
				return "", err
			}
			_, citation := hitRef(k.path, section.Anchor, c.Lines, c.Hash)
			return citation, nil
		}
	}
	return "", nil
}

// cite returns the citation of the first chunk of a section, or "".
func (l *Library) cite(k known, anchor string) (string, error) {
	cat := l.segs[k.seg].cat
	for i := range k.file.Chunks {
		c, err := cat.Chunk(k.file.FirstChunk + i)
		if err != nil {
			return "", err
		}
		section, err := cat.Section(c.Section)
		if err != nil {
			return "", err
		}
		if section.Anchor == anchor {
			_, citation := hitRef(k.path, anchor, c.Lines, c.Hash)
			return citation, nil
		}
	}
	return "", nil
}

// lineRange returns the bytes of some lines, the last line's ending included.
func lineRange(data []byte, lines doc.Lines) ([]byte, bool) {
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
