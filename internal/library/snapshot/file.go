package snapshot

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/engine/doctable"
)

// Files lists the files of the index in the order of their paths.
func (v *View) Files() ([]File, error) {
	var out []File
	for i, s := range v.Segments {
		for row := range s.Table.Files() {
			if s.Dead[row] || !v.Has(i, row) {
				continue
			}
			k, err := v.File(i, row)
			if err != nil {
				return nil, err
			}
			out = append(out, k)
		}
	}
	if len(v.Segments) > 1 {
		slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	}
	return out, nil
}

// File is all that the index has of the file in a row.
func (v *View) File(seg, row int) (File, error) {
	f, err := v.Segments[seg].Table.File(row)
	return File{f.Path, seg, row, f}, err
}

// Sections reads the sections of a file.
func (v *View) Sections(k File) ([]doctable.Section, error) {
	out := make([]doctable.Section, k.Info.Sections)
	for i := range out {
		s, err := v.Section(k, i)
		if err != nil {
			return nil, err
		}
		if s.Parent >= i {
			return nil, fmt.Errorf("%w: section %d of %s", doctable.ErrFormat, i, k.Path)
		}
		out[i] = s
	}
	return out, nil
}

// Section reads the i-th section of a file.
func (v *View) Section(k File, i int) (doctable.Section, error) {
	return v.Segments[k.Seg].Table.Section(k.Info.FirstSection + i)
}

// Find looks a file up by its path.
func (v *View) Find(path string) (File, bool, error) {
	for i := len(v.Segments) - 1; i >= 0; i-- {
		row, ok, err := v.Segments[i].Table.Find(path)
		if err != nil {
			return File{}, false, err
		}
		if !ok || v.Segments[i].Dead[row] {
			continue
		}
		k, err := v.File(i, row)
		return k, err == nil, err
	}
	return File{}, false, nil
}

// Text returns the text of a document, or a StaleError when it is not what was
// indexed.
func (v *View) Text(f File) ([]byte, error) {
	home := v.Segments[f.Seg].Home
	data, err := home.Origin.Text(f)
	return data, stale(home, f, err)
}

// SettledText is Text for a document whose size and time say that it is unchanged:
// its content is not compared then.
func (v *View) SettledText(f File) ([]byte, error) {
	home := v.Segments[f.Seg].Home
	data, err := home.Origin.SettledText(f)
	return data, stale(home, f, err)
}

// Check returns a StaleError when a document is not what was indexed.
func (v *View) Check(f File) error {
	home := v.Segments[f.Seg].Home
	return stale(home, f, home.Origin.Check(f))
}

func stale(home *View, f File, err error) error {
	if errors.Is(err, ErrStale) {
		return &StaleError{[]StaleFile{{home, f.Path}}}
	}
	return err
}

// A Reader reads the documents behind an answer, each once, and collects those that
// are stale.
type Reader struct {
	Stale

	v     *View
	texts map[StaleFile][]byte // nil for one that is stale
}

// NewReader returns a Reader of documents of v.
func NewReader(v *View) *Reader { return &Reader{v: v, texts: map[StaleFile][]byte{}} }

// Text returns the text of a document; nil when it is stale.
func (r *Reader) Text(f File) ([]byte, error) {
	key := StaleFile{r.v.Segments[f.Seg].Home, f.Path}
	if data, ok := r.texts[key]; ok {
		return data, nil
	}
	data, err := r.v.Text(f)
	if r.Skip(err) {
		data, err = nil, nil
	}
	if err == nil {
		r.texts[key] = data
	}
	return data, err
}
