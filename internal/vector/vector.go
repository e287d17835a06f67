// Package vector holds numbered vectors and finds the nearest. It knows nothing
// of texts: row n of a block is whatever the caller added n-th.
//
// Nearness is the cosine of two vectors. Their length is not kept. The scan is
// exact: every row is compared with the question, and no index over the rows
// can lose a neighbour.
package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The format of a block, which is one part of a segment. Numbers are
// little-endian.
//
//	header  4 magic "vec1"
//	        4 dimensions, 1 to 65536
//	        4 rows
//	        4 zero
//	scales  4 a row: float32, 1 over the length of the row's code
//	        zeros up to the next multiple of 64
//	rows    a code a row: int8 a dimension, zeros up to the next multiple of 32
//
// A code is the vector times 127 over its largest component, rounded: the eight
// bits are used in full whatever the vector's length. With int8 instead of
// float32, a block is a quarter as large and 98 to 99 of the 100 nearest are the
// same. A code never holds -128. The scale turns the product of two codes into
// their cosine. A row of zeros, with scale 0, stands for "no vector": it is never
// found.
//
// A code is filled up to 32 bytes so that the kernels, which take 32 dimensions
// a step, have no tail; the dimensions that embedders really have (256, 384,
// 768, 1024, 1536, 3072) are multiples of 32 already. Scales lie apart from the
// rows so that the rows are one stream of memory and keep their alignment: parts
// of a segment begin at multiples of 64.
const (
	magic      = "vec1"
	headerSize = 16
	rowAlign   = 32
	partAlign  = 64

	// MaxDim is the largest number of dimensions of a vector.
	MaxDim = 1 << 16

	// maxCode is the largest component of a code.
	maxCode = 127
	// maxScale is the scale of the shortest code there can be: one component
	// is always maxCode.
	maxScale = float32(1.0 / maxCode)
)

// ErrFormat is what Open and Verify return for bytes that are no block of
// vectors, or a damaged one.
var ErrFormat = errors.New("not a block of vectors")

var le = binary.LittleEndian

// A Reader reads a block in place. It never changes and may be used by many
// goroutines at once.
type Reader struct {
	dim, n, stride int
	rows           int // where they begin
	bytes          func(off, n int) ([]byte, error)
}

// Open reads the block in data, which must not change afterwards. It looks at
// the header only; whatever the rest holds, no method panics. See Verify.
func Open(data []byte) (*Reader, error) {
	return OpenAt(len(data), func(off, n int) ([]byte, error) {
		if off < 0 || n < 0 || off > len(data)-n {
			return nil, fmt.Errorf("%w: %d bytes at %d of %d", ErrFormat, n, off, len(data))
		}
		return data[off : off+n], nil
	})
}

// OpenAt reads a block of size bytes that the function hands out in pieces, which
// stay as they are. A scan asks for them as it goes, so that whatever the function
// does to them, such as comparing checksums, leaves them in the cache.
func OpenAt(size int, bytes func(off, n int) ([]byte, error)) (*Reader, error) {
	head, err := bytes(0, min(headerSize, size))
	if err != nil {
		return nil, fmt.Errorf("open vectors: %w", err)
	}
	if len(head) < headerSize || string(head[:4]) != magic || le.Uint32(head[12:]) != 0 {
		return nil, fmt.Errorf("open vectors: %w", ErrFormat)
	}
	dim, n := le.Uint32(head[4:]), le.Uint32(head[8:])
	if dim == 0 || dim > MaxDim {
		return nil, fmt.Errorf("open vectors: %w: %d dimensions", ErrFormat, dim)
	}
	want := blockSize(int(dim), uint64(n))
	if uint64(size) != want {
		return nil, fmt.Errorf("open vectors: %w: %d bytes where %d rows of %d dimensions take %d", ErrFormat, size, n, dim, want)
	}
	return &Reader{
		dim: int(dim), n: int(n), stride: roundUp(int(dim), rowAlign),
		rows: roundUp(headerSize+4*int(n), partAlign), bytes: bytes,
	}, nil
}

// Len returns the number of rows.
func (r *Reader) Len() int { return r.n }

// Dim returns the number of dimensions.
func (r *Reader) Dim() int { return r.dim }

// Row returns row i as a vector of length 1, or nil when the row holds no vector.
func (r *Reader) Row(i int) ([]float32, error) {
	code, scale, err := r.row(i)
	if err != nil || scale == 0 {
		return nil, err
	}
	v := make([]float32, r.dim)
	for d := range v {
		v[d] = float32(int8(code[d])) * scale
	}
	return v, nil
}

// Verify reads every row and reports the first that no Builder can have made.
func (r *Reader) Verify() error {
	for i := range r.n {
		code, scale, err := r.row(i)
		if err != nil {
			return err
		}
		var sum int64
		for d, c := range code {
			v := int64(int8(c))
			if v < -maxCode || d >= r.dim && v != 0 {
				return fmt.Errorf("verify vectors: %w: row %d", ErrFormat, i)
			}
			sum += v * v
		}
		if scale != scaleOf(sum) {
			return fmt.Errorf("verify vectors: %w: the scale of row %d", ErrFormat, i)
		}
	}
	return nil
}

// row returns the code and the scale of row i.
func (r *Reader) row(i int) ([]byte, float32, error) {
	if i < 0 || i >= r.n {
		return nil, 0, fmt.Errorf("vector %d: there are %d", i, r.n)
	}
	codes, scales, err := r.span(i, 1)
	if err != nil {
		return nil, 0, err
	}
	return codes, scaleAt(scales, 0), nil
}

// span returns the codes and scales of n rows from first on.
func (r *Reader) span(first, n int) (codes, scales []byte, err error) {
	if scales, err = r.bytes(headerSize+4*first, 4*n); err != nil {
		return nil, nil, err
	}
	codes, err = r.bytes(r.rows+first*r.stride, n*r.stride)
	return codes, scales, err
}

// scaleAt returns scale i of several. One that cannot be true makes the row one
// without a vector, so that damage cannot win a search.
func scaleAt(scales []byte, i int) float32 {
	s := math.Float32frombits(le.Uint32(scales[4*i:]))
	if s > 0 && s <= maxScale {
		return s
	}
	return 0
}

// scaleOf returns the scale of a code whose squares add up to sum. The sum is
// whole and the root and the quotient are rounded as IEEE 754 says, so that
// every machine writes the same bytes.
func scaleOf(sum int64) float32 {
	if sum == 0 {
		return 0
	}
	return float32(1 / math.Sqrt(float64(sum)))
}

func blockSize(dim int, n uint64) uint64 {
	rows := (headerSize + 4*n + partAlign - 1) &^ (partAlign - 1)
	return rows + n*uint64(roundUp(dim, rowAlign))
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }
