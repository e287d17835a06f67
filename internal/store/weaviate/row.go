package weaviate

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/docent-md/docent/internal/store/backend"
)

// A Codec packs rows, and unpacks them.
type Codec struct {
	Pack, Unpack func([]byte) ([]byte, error)
}

// All that is returned of a chunk is in one property, "row", packed: its file and its
// id apart, which are looked up by. A candidate with ten properties and its vector as
// numbers in JSON took the engine four times, and us five times, as long.
//
//	format   1 byte, rowFormat
//	lines    2 uvarints, first and last
//	texts    parent, title, path, content, data: a uvarint and that many bytes each
//	vector   its length, and an int8 a dimension: the vector times 127 over its largest
//	         component, rounded, which is how precise docent's own index is
//	links    their number, and for each the texts to, text and summary
const rowFormat = 1

var errRow = errors.New("its row cannot be read")

// row is what a chunk is given back from, as text.
func (c Codec) row(k *backend.Chunk) (string, error) {
	b := []byte{rowFormat}
	b = binary.AppendUvarint(b, uint64(max(k.Lines[0], 0)))
	b = binary.AppendUvarint(b, uint64(max(k.Lines[1], 0)))
	for _, s := range [...]string{k.Parent, k.Title, k.Path, k.Content, string(k.Data)} {
		b = appendText(b, s)
	}
	b = binary.AppendUvarint(b, uint64(len(k.Vector)))
	for _, x := range codeOf(k.Vector) {
		b = append(b, byte(x))
	}
	b = binary.AppendUvarint(b, uint64(len(k.Refs)))
	for _, r := range k.Refs {
		b = appendText(appendText(appendText(b, r.To), r.Text), r.Summary)
	}
	packed, err := c.Pack(b)
	return base64.StdEncoding.EncodeToString(packed), err
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// codeOf rounds a vector to bytes, which its direction survives.
func codeOf(v []float32) []int8 {
	top := float32(0)
	for _, x := range v {
		top = max(top, x, -x)
	}
	out := make([]int8, len(v))
	if top == 0 || math.IsInf(float64(top), 0) || top != top {
		return out
	}
	for i, x := range v {
		out[i] = int8(math.RoundToEven(float64(x) / float64(top) * 127))
	}
	return out
}

// A rowReader takes a row apart. After a fault, all it gives is empty.
type rowReader struct {
	b   []byte
	bad bool
}

func (r *rowReader) number() int {
	n, size := binary.Uvarint(r.b)
	if size <= 0 || n > math.MaxInt32 {
		r.b, r.bad = nil, true
		return 0
	}
	r.b = r.b[size:]
	return int(n)
}

func (r *rowReader) bytes() []byte {
	n := r.number()
	if n > len(r.b) {
		r.b, r.bad = nil, true
		return nil
	}
	out := r.b[:n:n]
	r.b = r.b[n:]
	return out
}

func (r *rowReader) text() string { return string(r.bytes()) }

func (c Codec) chunk(id, file, row string) (backend.Chunk, error) {
	k := backend.Chunk{Section: backend.Section{ID: id}, File: file}
	packed, err := base64.StdEncoding.DecodeString(row)
	if err == nil {
		packed, err = c.Unpack(packed)
	}
	if err != nil {
		return k, fmt.Errorf("cluster: chunk %s: %w: %w", id, errRow, err)
	}
	r := rowReader{b: packed}
	if len(packed) == 0 || packed[0] != rowFormat {
		return k, fmt.Errorf("cluster: chunk %s: made by another version of docent: rebuild it with --full", id)
	}
	r.b = r.b[1:]
	k.Lines = [2]int{r.number(), r.number()}
	k.Parent, k.Title, k.Path, k.Content, k.Data = r.text(), r.text(), r.text(), r.text(), r.bytes()
	if code := r.bytes(); len(code) > 0 {
		k.Vector = make([]float32, len(code))
		for i, x := range code {
			k.Vector[i] = float32(int8(x))
		}
	}
	for n := r.number(); n > 0 && !r.bad; n-- {
		k.Refs = append(k.Refs, backend.Reference{From: id, To: r.text(), Text: r.text(), Summary: r.text(), Title: k.Title})
	}
	if r.bad {
		return k, fmt.Errorf("cluster: chunk %s: %w", id, errRow)
	}
	return k, nil
}
