package doctable

import (
	"fmt"
	"math"

	"github.com/docent-md/docent/internal/intern"
)

// A Builder collects the tables of one segment. Files are added in the order
// of their paths.
type Builder struct {
	files, sections, chunks, split []byte
	strings                        intern.Table
	last                           string
	n                              int
}

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder {
	return &Builder{}
}

// Add appends a file with its sections and chunks. The chunks' File is set
// here, and their Section counts within the file, as does a section's Parent.
func (b *Builder) Add(f File, sections []Section, chunks []Chunk) error {
	if b.n > 0 && f.Path <= b.last {
		return fmt.Errorf("add %s to the document table: it comes after %s", f.Path, b.last)
	}
	if uint64(len(b.strings.Heap())) > math.MaxUint32-(64<<20) || uint64(len(b.sections)/sectionSize+len(sections)) >= math.MaxUint32 {
		return fmt.Errorf("add %s to the document table: the index is full: split the corpus into several", f.Path)
	}
	firstSection, firstChunk := len(b.sections)/sectionSize, len(b.chunks)/chunkSize

	b.files = b.u32(b.files, b.strings.Number(f.Path), b.strings.Number(f.Title), b.strings.Number(f.Description))
	b.files = le.AppendUint64(b.files, uint64(f.Size))
	b.files = le.AppendUint64(b.files, uint64(f.ModTime))
	b.files = append(b.files, f.Hash[:]...)
	b.files = b.u32(b.files, uint32(f.Lines), uint32(f.Tokens), uint32(firstSection), uint32(len(sections)),
		uint32(firstChunk), uint32(len(chunks)), uint32(f.Fences), uint32(f.Links), uint32(f.Beyond))

	for _, s := range sections {
		parent, bare := none, uint32(0)
		if s.Bare {
			bare = 1 << 8
		}
		if s.Parent >= 0 {
			parent = uint32(s.Parent)
		}
		b.sections = b.u32(b.sections, b.strings.Number(s.Title), b.strings.Number(s.Anchor), parent,
			uint32(s.Lines.Start), uint32(s.Lines.Count()), uint32(s.Span.Start), uint32(s.Span.Len()),
			uint32(s.Level)|bare)
	}
	for _, c := range chunks {
		part := uint32(c.Part)
		if c.Altered {
			part |= altered
		}
		b.chunks = b.u32(b.chunks, uint32(b.n), uint32(firstSection+c.Section),
			uint32(c.Span.Start), uint32(c.Span.Len()), uint32(c.Lines.Start), uint32(c.Lines.Count()),
			uint32(c.Tokens), part)
		b.chunks = le.AppendUint64(b.chunks, c.Hash)
	}
	for i := 1; i < len(chunks); i++ {
		if chunks[i].Lines.Start <= chunks[i-1].Lines.End {
			b.split = b.u32(b.split, uint32(b.n))
			break
		}
	}
	b.last = f.Path
	b.n++
	return nil
}

// Copy appends file i of another table, changed by edit, which may be nil.
func (b *Builder) Copy(r *Reader, i int, edit func(*File)) error {
	f, err := r.File(i)
	if err != nil {
		return err
	}
	if edit != nil {
		edit(&f)
	}
	sections := make([]Section, f.Sections)
	for k := range sections {
		if sections[k], err = r.Section(f.FirstSection + k); err != nil {
			return err
		}
	}
	chunks := make([]Chunk, f.Chunks)
	for k := range chunks {
		if chunks[k], err = r.Chunk(f.FirstChunk + k); err != nil {
			return err
		}
		chunks[k].Section -= f.FirstSection
	}
	return b.Add(f, sections, chunks)
}

// Parts calls fn with the name and the bytes of each table.
func (b *Builder) Parts(fn func(name string, data []byte)) {
	fn(filesPart, b.files)
	fn(SectionsPart, b.sections)
	fn(chunksPart, b.chunks)
	fn(stringsPart, b.strings.Ends())
	fn(heapPart, b.strings.Heap())
	fn(splitPart, b.split)
}

func (b *Builder) u32(dst []byte, values ...uint32) []byte {
	for _, v := range values {
		dst = le.AppendUint32(dst, v)
	}
	return dst
}
