// Package fields holds what documents say of themselves in front matter and tags: names
// with values, as a table that is read in place.
//
// # Format
//
// One part, which a segment without any field does not have: documents without front
// matter cost nothing. All integers are u32, little-endian. Names and values are numbered
// strings, each stored once.
//
//	strings, files, pairs   how many there are
//	strings times           where each ends in the heap
//	files times             where the pairs of each file end, counted in pairs
//	pairs times             name, value
//	heap                    the strings' bytes
package fields

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/intern"
)

// The names of the parts that have this format.
const (
	Part     = "fields"   // what documents say of themselves
	Glossary = "glossary" // what their glossaries say: words with other words for them
)

const headSize = 12

var le = binary.LittleEndian

// ErrFormat is what Open and its Reader return for a part that cannot be read.
var ErrFormat = errors.New("the table of fields does not fit together")

// A Pair is a name and one of the values that a document has for it.
type Pair struct{ Name, Value string }

// A Builder collects the fields of one segment. The zero value is ready for use.
type Builder struct {
	strings intern.Table
	ends    []byte
	pairs   []byte
}

// Add appends the next file.
func (b *Builder) Add(pairs []Pair) {
	for _, p := range pairs {
		b.pairs = le.AppendUint32(b.pairs, b.strings.Number(p.Name))
		b.pairs = le.AppendUint32(b.pairs, b.strings.Number(p.Value))
	}
	b.ends = le.AppendUint32(b.ends, uint32(len(b.pairs)/8))
}

// Copy appends a file of another table.
func (b *Builder) Copy(r *Reader, row int) error {
	pairs, err := r.Of(row)
	b.Add(pairs)
	return err
}

// Parts calls fn with the part under a name, unless no file has a field.
func (b *Builder) Parts(name string, fn func(name string, data []byte)) {
	if len(b.pairs) == 0 {
		return
	}
	heap, ends := b.strings.Heap(), b.strings.Ends()
	out := make([]byte, 0, headSize+len(ends)+len(b.ends)+len(b.pairs)+len(heap))
	out = le.AppendUint32(out, uint32(b.strings.Len()))
	out = le.AppendUint32(out, uint32(len(b.ends)/4))
	out = le.AppendUint32(out, uint32(len(b.pairs)/8))
	out = append(out, ends...)
	out = append(out, b.ends...)
	out = append(out, b.pairs...)
	fn(name, append(out, heap...))
}

// A Reader reads the fields of one segment. A nil Reader is one of files without fields.
// It is safe for many goroutines.
type Reader struct {
	b                    blob.Blob
	strings, files       int
	ends, pairs, heap    int // where they begin
	pairCount, heapBytes int
}

// Open reads a part.
func Open(b blob.Blob) (*Reader, error) {
	head, err := b.Bytes(0, headSize)
	if err != nil {
		return nil, err
	}
	r := &Reader{b: b, strings: int(le.Uint32(head)), files: int(le.Uint32(head[4:])), pairCount: int(le.Uint32(head[8:]))}
	r.ends = headSize + 4*r.strings
	r.pairs = r.ends + 4*r.files
	r.heap = r.pairs + 8*r.pairCount
	if r.heapBytes = b.Len() - r.heap; r.heapBytes < 0 {
		return nil, ErrFormat
	}
	return r, nil
}

// Of returns the fields of a file, in the order in which they were added.
func (r *Reader) Of(row int) ([]Pair, error) { return r.Some(row, nil) }

// A NameSet is some names of fields, by their numbers in a table.
type NameSet map[uint32]bool

// Some returns those fields of a file whose names are in a set; nil is the set of all.
// What is not wanted is not read.
func (r *Reader) Some(row int, names NameSet) ([]Pair, error) {
	if r == nil {
		return nil, nil
	}
	from, to, err := r.span(r.ends, row, r.files, r.pairCount)
	if err != nil || from == to {
		return nil, err
	}
	raw, err := r.b.Bytes(r.pairs+8*from, 8*(to-from))
	if err != nil {
		return nil, err
	}
	out := make([]Pair, 0, min(to-from, 8))
	for i := 0; i < len(raw); i += 8 {
		if names != nil && !names[le.Uint32(raw[i:])] {
			continue
		}
		var p Pair
		if p.Name, err = r.text(raw[i:]); err != nil {
			return nil, err
		}
		if p.Value, err = r.text(raw[i+4:]); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// NameSet returns the names that are wanted.
func (r *Reader) NameSet(wanted func(name string) bool) (NameSet, error) {
	set := NameSet{}
	err := r.eachName(func(number uint32, name string) {
		if wanted(name) {
			set[number] = true
		}
	})
	return set, err
}

// Names returns the names of all fields, each once.
func (r *Reader) Names() ([]string, error) {
	var out []string
	err := r.eachName(func(_ uint32, name string) { out = append(out, name) })
	return out, err
}

// eachName calls fn with every name of a field, once, and its number.
func (r *Reader) eachName(fn func(number uint32, name string)) error {
	if r == nil {
		return nil
	}
	raw, err := r.b.Bytes(r.pairs, 8*r.pairCount)
	if err != nil {
		return err
	}
	seen := map[uint32]bool{}
	for i := 0; i < len(raw); i += 8 {
		n := le.Uint32(raw[i:])
		if seen[n] {
			continue
		}
		seen[n] = true
		name, err := r.text(raw[i:])
		if err != nil {
			return err
		}
		fn(n, name)
	}
	return nil
}

func (r *Reader) text(number []byte) (string, error) {
	from, to, err := r.span(headSize, int(le.Uint32(number)), r.strings, r.heapBytes)
	if err != nil {
		return "", err
	}
	b, err := r.b.Bytes(r.heap+from, to-from)
	return string(b), err
}

// span reads the i-th of n ends, and that before it.
func (r *Reader) span(at, i, n, most int) (from, to int, err error) {
	if i < 0 || i >= n {
		return 0, 0, fmt.Errorf("%w: row %d of %d", ErrFormat, i, n)
	}
	if i > 0 {
		b, err := r.b.Bytes(at+4*i-4, 4)
		if err != nil {
			return 0, 0, err
		}
		from = int(le.Uint32(b))
	}
	b, err := r.b.Bytes(at+4*i, 4)
	if err != nil {
		return 0, 0, err
	}
	if to = int(le.Uint32(b)); from > to || to > most {
		return 0, 0, fmt.Errorf("%w: row %d", ErrFormat, i)
	}
	return from, to, nil
}
