// Package doctable holds the tables of an index that go with its postings: which
// files it covers, their sections, and the chunks they were cut into. Tables
// are bytes that are read in place, a row at a time, so that opening one costs
// nothing and a query touches only the rows of its answer.
//
// # Format
//
// Six parts, all integers little-endian. Strings are numbered in the order of
// first use, each stored once: documentation repeats its headings.
//
//	files     a row a file, sorted by path
//	sections  a row a section, file by file in reading order
//	chunks    a row a chunk, file by file in reading order: row n describes text n of the postings
//	strings   u32 end offset a string, into heap
//	heap      the strings' bytes
//	split     u32 a row of files: those of which a line is divided between chunks
//
//	file      path u32, title u32, description u32, size u64, modtime i64, hash 16 bytes,
//	          lines u32, tokens u32, first section u32, sections u32, first chunk u32, chunks u32,
//	          fences u32, links u32, beyond u32                                       80 bytes
//	section   title u32, anchor u32, parent u32 (row in the file; none: all ones),
//	          first line u32, lines u32, start u32, bytes u32, level u8, bare u8, 0 u16 32 bytes
//	chunk     file u32, section u32 (row in the table), start u32, bytes u32, first line u32,
//	          lines u32, tokens u32, part u31, altered u1, hash u64                   40 bytes
package doctable

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/blob"
)

// The names of the parts.
const (
	filesPart    = "files"
	SectionsPart = "sections" // the largest, a row of 32 bytes a section
	chunksPart   = "chunks"
	stringsPart  = "strings"
	heapPart     = "heap"
	splitPart    = "split"

	fileSize    = 80
	sectionSize = 32
	chunkSize   = 40

	none = ^uint32(0)

	altered = 1 << 31
)

// A Hash identifies the content of a file.
type Hash [16]byte

// A File is one indexed file.
type File struct {
	Path        string
	Title       string
	Description string
	Size        int64
	ModTime     int64 // nanoseconds since 1970; 0 when it must not be trusted
	Hash        Hash
	Lines       int
	Tokens      int
	Fences      int // fenced code blocks
	Links       int
	Beyond      Beyond

	FirstSection, Sections int // rows of the section table
	FirstChunk, Chunks     int // rows of the chunk table
}

// Beyond says of what a file has more than an index takes of one file.
type Beyond uint32

// What a file may have too many of.
const (
	BeyondBlocks Beyond = 1 << iota
	BeyondHeadings
	BeyondLinks
	BeyondWords
	BeyondNames
)

// A Section is one section of a file.
type Section struct {
	Level  int
	Title  string
	Anchor string
	Parent int  // row within the file, or -1
	Bare   bool // there is no text between its heading and the next
	Span   doc.Span
	Lines  doc.Lines
}

// A Chunk is what a hit of the postings stands for.
type Chunk struct {
	File    int
	Section int // row of the section table
	Part    int
	Altered bool // its text is not just the source of Span: fences or table heads are repeated in it
	Span    doc.Span
	Lines   doc.Lines
	Tokens  int
	Hash    uint64 // of the source bytes of Span
}

// A Reader reads the tables of one segment. It is safe for many goroutines.
type Reader struct {
	files, sections, chunks, strings, heap, split blob.Blob
}

// ErrFormat is what Open returns for parts that do not fit together.
var ErrFormat = errors.New("document tables do not fit together")

// Open reads the tables whose parts the function returns.
func Open(part func(name string) (blob.Blob, error)) (*Reader, error) {
	r := &Reader{}
	for _, p := range []struct {
		name string
		blob *blob.Blob
		row  int
	}{
		{filesPart, &r.files, fileSize},
		{SectionsPart, &r.sections, sectionSize},
		{chunksPart, &r.chunks, chunkSize},
		{stringsPart, &r.strings, 4},
		{heapPart, &r.heap, 1},
		{splitPart, &r.split, 4},
	} {
		b, err := part(p.name)
		if err != nil {
			return nil, err
		}
		if b.Len()%p.row != 0 {
			return nil, fmt.Errorf("%w: %s", ErrFormat, p.name)
		}
		*p.blob = b
	}
	return r, nil
}

// Files returns the number of files.
func (r *Reader) Files() int { return r.files.Len() / fileSize }

// Sections returns the number of sections.
func (r *Reader) Sections() int { return r.sections.Len() / sectionSize }

// Chunks returns the number of chunks.
func (r *Reader) Chunks() int { return r.chunks.Len() / chunkSize }

// File returns row i of the files.
func (r *Reader) File(i int) (File, error) {
	b, err := row(r.files, i, fileSize)
	if err != nil {
		return File{}, err
	}
	f := File{
		Size:         int64(le.Uint64(b[12:])),
		ModTime:      int64(le.Uint64(b[20:])),
		Hash:         Hash(b[28:44]),
		Lines:        num(b[44:]),
		Tokens:       num(b[48:]),
		FirstSection: num(b[52:]),
		Sections:     num(b[56:]),
		FirstChunk:   num(b[60:]),
		Chunks:       num(b[64:]),
		Fences:       num(b[68:]),
		Links:        num(b[72:]),
		Beyond:       Beyond(le.Uint32(b[76:])),
	}
	if f.FirstSection+f.Sections > r.Sections() || f.FirstChunk+f.Chunks > r.Chunks() {
		return File{}, fmt.Errorf("%w: file %d", ErrFormat, i)
	}
	if f.Path, err = r.str(b[0:]); err != nil {
		return File{}, err
	}
	if f.Title, err = r.str(b[4:]); err != nil {
		return File{}, err
	}
	f.Description, err = r.str(b[8:])
	return f, err
}

// Path returns the path of file i, without reading the rest of its row.
func (r *Reader) Path(i int) (string, error) {
	b, err := row(r.files, i, fileSize)
	if err != nil {
		return "", err
	}
	return r.str(b)
}

// Beyond returns that of file i, without reading the rest of its row.
func (r *Reader) Beyond(i int) (Beyond, error) {
	b, err := row(r.files, i, fileSize)
	if err != nil {
		return 0, err
	}
	return Beyond(le.Uint32(b[76:])), nil
}

// Find returns the row of the file of that path.
func (r *Reader) Find(path string) (int, bool, error) {
	lo, hi := 0, r.Files()
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		b, err := row(r.files, mid, fileSize)
		if err != nil {
			return 0, false, err
		}
		p, err := r.bytes(b)
		if err != nil {
			return 0, false, err
		}
		switch {
		case string(p) == path: // as nothing is copied for a comparison
			return mid, true, nil
		case string(p) < path:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return lo, false, nil
}

// Section returns row i of the sections.
func (r *Reader) Section(i int) (Section, error) {
	b, err := row(r.sections, i, sectionSize)
	if err != nil {
		return Section{}, err
	}
	s := Section{
		Parent: -1,
		Lines:  lines(b[12:]),
		Span:   span(b[20:]),
		Level:  int(b[28]),
		Bare:   b[29] != 0,
	}
	if p := le.Uint32(b[8:]); p != none {
		s.Parent = int(p)
	}
	if s.Title, err = r.str(b[0:]); err != nil {
		return Section{}, err
	}
	s.Anchor, err = r.str(b[4:])
	return s, err
}

// Chunk returns row i of the chunks.
func (r *Reader) Chunk(i int) (Chunk, error) {
	b, err := row(r.chunks, i, chunkSize)
	if err != nil {
		return Chunk{}, err
	}
	c := Chunk{
		File:    num(b[0:]),
		Section: num(b[4:]),
		Span:    span(b[8:]),
		Lines:   lines(b[16:]),
		Tokens:  num(b[24:]),
		Part:    int(le.Uint32(b[28:]) &^ altered),
		Altered: le.Uint32(b[28:])&altered != 0,
		Hash:    le.Uint64(b[32:]),
	}
	if c.File >= r.Files() || c.Section >= r.Sections() {
		return Chunk{}, fmt.Errorf("%w: chunk %d", ErrFormat, i)
	}
	return c, nil
}

// Split returns the files of which a line is divided between chunks.
func (r *Reader) Split() ([]int, error) {
	b, err := r.split.Bytes(0, r.split.Len())
	if err != nil {
		return nil, err
	}
	rows := make([]int, len(b)/4)
	for i := range rows {
		if rows[i] = num(b[4*i:]); rows[i] >= r.Files() {
			return nil, fmt.Errorf("%w: split file %d", ErrFormat, rows[i])
		}
	}
	return rows, nil
}

// Trail returns the titles from the document down to section i of file f,
// which is a row of the section table.
func (r *Reader) Trail(f File, i int) ([]string, error) {
	var way [8]uint32 // title numbers, from the section up
	titles := way[:0]
	for range f.Sections {
		b, err := row(r.sections, i, sectionSize)
		if err != nil {
			return nil, err
		}
		titles = append(titles, le.Uint32(b))
		parent := le.Uint32(b[8:])
		if parent == none {
			break
		}
		if int(parent) >= i-f.FirstSection {
			return nil, fmt.Errorf("%w: section %d", ErrFormat, i)
		}
		i = f.FirstSection + int(parent)
	}
	trail := make([]string, len(titles))
	for at, n := range titles {
		title, err := r.String(n)
		if err != nil {
			return nil, err
		}
		trail[len(trail)-1-at] = title
	}
	return trail, nil
}

var le = binary.LittleEndian

func num(b []byte) int { return int(le.Uint32(b)) }

func span(b []byte) doc.Span {
	start := num(b)
	return doc.Span{Start: start, End: start + num(b[4:])}
}

func lines(b []byte) doc.Lines {
	start := num(b)
	return doc.Lines{Start: start, End: start + num(b[4:]) - 1}
}

func row(b blob.Blob, i, size int) ([]byte, error) {
	if i < 0 || i >= b.Len()/size {
		return nil, fmt.Errorf("%w: row %d of %d", ErrFormat, i, b.Len()/size)
	}
	return b.Bytes(i*size, size)
}

func (r *Reader) str(b []byte) (string, error) {
	text, err := r.bytes(b)
	return string(text), err
}

// bytes is str without a copy.
func (r *Reader) bytes(b []byte) ([]byte, error) {
	i := num(b)
	end, err := row(r.strings, i, 4)
	if err != nil {
		return nil, err
	}
	from, to := 0, num(end)
	if i > 0 {
		before, err := row(r.strings, i-1, 4)
		if err != nil {
			return nil, err
		}
		from = num(before)
	}
	if from > to || to > r.heap.Len() {
		return nil, fmt.Errorf("%w: string %d", ErrFormat, i)
	}
	return r.heap.Bytes(from, to-from)
}
