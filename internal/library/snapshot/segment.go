package snapshot

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/fields"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/library/embedding"
)

// A Segment is one segment of the index: a base, or files that changed since.
type Segment struct {
	File  *segment.File
	Table *doctable.Reader
	Index *index.Reader
	Dead  map[int]bool // rows of files that a newer segment supersedes, or that are gone

	Number     int    // among the segments of the view it is in
	Home       *View  // the view of its own index
	HomeNumber int    // and its number there
	Name       string // of its index, in a joined view; "" for the project's own
	Unembedded bool   // its vectors are still missing: the endpoint did not give them

	titles *titleCache // of sections
	paths  *titleCache

	Links  func() (*graph.Reader, error)
	Code   func() (*snippet.Reader, error)
	Fields func() (*fields.Reader, error) // nil where no document has any

	Glossary func() (*fields.Reader, error)     // nil where there is none
	Vectors  func() (*embedding.Vectors, error) // nil without vectors
}

// OpenSegment opens a segment file.
func OpenSegment(f *segment.File) (*Segment, error) {
	s, err := NewSegment(func(name string) (blob.Blob, bool) { return f.Part(name) })
	if err == nil {
		s.File = f
	}
	return s, err
}

// Part returns a part of a segment file.
func Part(f *segment.File, name string) (*segment.Blob, error) {
	b, ok := f.Part(name)
	if !ok {
		return nil, fmt.Errorf("%w: %s has no part %q", segment.ErrDamaged, f.Name(), name)
	}
	return b, nil
}

// Page identifies a file among those of all segments.
func (s *Segment) Page(file int) uint64 { return uint64(s.Number)<<32 | uint64(file) }

// Size is how many bytes a segment takes on disk.
func (s *Segment) Size() int64 {
	if s.File == nil {
		return 0
	}
	return s.File.Size()
}

// DeadTexts are the texts of the files that are dead.
func (s *Segment) DeadTexts() (*index.Set, error) {
	set := index.NewSet()
	for row := range s.Dead {
		first, end, err := s.Table.ChunksOf(row)
		if err != nil {
			return nil, err
		}
		for i := first; i < end; i++ {
			set.Add(uint32(i))
		}
	}
	return set, nil
}

// ReadTitle compares title n of the segment with the question.
func (s *Segment) ReadTitle(t *index.Titles, n uint32) (index.Reading, error) {
	p, text, err := s.titles.get(s.Table, n, t, nil)
	if p == nil {
		return t.Read(text), err
	}
	return t.ReadPhrase(p), nil
}

// CoverPath is how much of the question the path n has, without its extension.
func (s *Segment) CoverPath(t *index.Titles, n uint32) (float64, error) {
	p, text, err := s.paths.get(s.Table, n, t, TrimExt)
	if p == nil {
		return t.Cover(text), err
	}
	return t.CoverPhrase(p), nil
}

// OpenParts opens parts that are not on disk.
func OpenParts(parts []segment.Part) (*Segment, error) {
	return NewSegment(func(name string) (blob.Blob, bool) {
		i := slices.IndexFunc(parts, func(p segment.Part) bool { return p.Name == name })
		if i < 0 {
			return nil, false
		}
		return blob.Memory(parts[i].Data), true
	})
}

// NewSegment opens the tables of a segment. Those of links and code, and the vectors,
// are opened when they are first asked for: most searches never do.
func NewSegment(find func(name string) (blob.Blob, bool)) (*Segment, error) {
	part := func(name string) (blob.Blob, error) {
		b, ok := find(name)
		if !ok {
			return nil, fmt.Errorf("%w: there is no part %q", segment.ErrDamaged, name)
		}
		return b, nil
	}
	s := &Segment{
		titles: &titleCache{}, paths: &titleCache{},
		Vectors: sync.OnceValues(func() (*embedding.Vectors, error) { return embedding.OpenVectors(find) }),
		Links:   sync.OnceValues(func() (*graph.Reader, error) { return graph.Open(part) }),
		Code:    sync.OnceValues(func() (*snippet.Reader, error) { return snippet.Open(part) }),
		Fields:  sync.OnceValues(func() (*fields.Reader, error) { return openFields(find, fields.Part) }),

		Glossary: sync.OnceValues(func() (*fields.Reader, error) { return openFields(find, fields.Glossary) }),
	}
	var err error
	if s.Table, err = doctable.Open(part); err != nil {
		return nil, err
	}
	s.Index, err = index.Open(part)
	return s, err
}

func openFields(find func(name string) (blob.Blob, bool), part string) (*fields.Reader, error) {
	b, ok := find(part)
	if !ok {
		return nil, nil
	}
	return fields.Open(b)
}

// in returns the segment as one of a joined view.
func (s *Segment) in(name string) *Segment {
	joined := *s
	joined.Name = name
	return &joined
}

// MarkDead sets the rows that a newer segment supersedes, or whose files are gone.
func (s *Segment) MarkDead(rows []int) {
	s.Dead = make(map[int]bool, len(rows))
	for _, row := range rows {
		s.Dead[row] = true
	}
}

// DeadRows are the dead files of each segment.
func DeadRows(segments []*Segment) [][]int {
	out := make([][]int, len(segments))
	for i, s := range segments {
		out[i] = slices.Sorted(maps.Keys(s.Dead))
	}
	return out
}
