package store

import (
	"encoding/binary"
	"errors"
	"math"
)

// chunkData is what ranking needs of a chunk in addition to its record, in a form that is
// opaque to backends. Some hundreds are read for every question, which JSON is too slow
// for:
//
//	format    1 byte, dataFormat
//	numbers   place, part, tokens, as varints; the hash, 8 bytes, little-endian
//	texts     name, headings, body: the length as a varint, and the bytes
//	trail     their number; for each the texts title and anchor, the level twice and
//	          one more when it is bare
//	inner     the same, with the place behind each
type chunkData struct {
	Name     string // of the document
	Place    int    // among the chunks of the document
	Part     int
	Tokens   int
	Hash     uint64
	Trail    []step      // from the document down to its own section
	Inner    []innerStep // smaller sections merged into it
	Headings string      // as they are indexed
	Body     string      // its text, as it is indexed
}

// A step is a section on the way to another.
type step struct {
	Title  string
	Anchor string
	Level  int
	Bare   bool
}

// An innerStep is a section that begins within a chunk.
type innerStep struct {
	step
	At int // byte of the chunk's text
}

const dataFormat = 1

var errChunkData = errors.New("its data cannot be read: docent index --full rebuilds it")

// bytes encodes d.
func (d *chunkData) bytes() []byte {
	b := make([]byte, 1, 64+len(d.Name)+len(d.Headings)+len(d.Body))
	b[0] = dataFormat
	for _, n := range [...]int{d.Place, d.Part, d.Tokens} {
		b = binary.AppendVarint(b, int64(n))
	}
	b = binary.LittleEndian.AppendUint64(b, d.Hash)
	for _, s := range [...]string{d.Name, d.Headings, d.Body} {
		b = appendText(b, s)
	}
	b = binary.AppendVarint(b, int64(len(d.Trail)))
	for _, s := range d.Trail {
		b = s.append(b)
	}
	b = binary.AppendVarint(b, int64(len(d.Inner)))
	for _, s := range d.Inner {
		b = binary.AppendVarint(s.append(b), int64(s.At))
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendVarint(b, int64(len(s))), s...)
}

func (s *step) append(b []byte) []byte {
	n := int64(s.Level) * 2
	if s.Bare {
		n++
	}
	return binary.AppendVarint(appendText(appendText(b, s.Title), s.Anchor), n)
}

// read decodes what bytes returned.
func (d *chunkData) read(b []byte) error {
	if len(b) == 0 || b[0] != dataFormat {
		return errChunkData
	}
	r := dataReader{b: b[1:]}
	d.Place, d.Part, d.Tokens = r.number(), r.number(), r.number()
	if len(r.b) < 8 {
		return errChunkData
	}
	d.Hash = binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	d.Name, d.Headings, d.Body = r.text(), r.text(), r.text()
	for n := r.number(); n > 0 && !r.bad; n-- {
		d.Trail = append(d.Trail, r.step())
	}
	for n := r.number(); n > 0 && !r.bad; n-- {
		d.Inner = append(d.Inner, innerStep{r.step(), r.number()})
	}
	if r.bad {
		return errChunkData
	}
	return nil
}

// A dataReader returns zero values after an error.
type dataReader struct {
	b   []byte
	bad bool
}

func (r *dataReader) number() int {
	n, size := binary.Varint(r.b)
	if size <= 0 || n > math.MaxInt32 || n < 0 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[size:]
	return int(n)
}

func (r *dataReader) text() string {
	n := r.number()
	if n > len(r.b) {
		r.b, r.bad = nil, true
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *dataReader) step() step {
	s := step{Title: r.text(), Anchor: r.text()}
	n := r.number()
	s.Level, s.Bare = n/2, n%2 == 1
	return s
}
