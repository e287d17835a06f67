// Package vector holds numbered vectors and finds the nearest. It knows nothing
// of texts: row n of a block is whatever the caller added n-th.
//
// Nearness is the cosine of two vectors. Their length is not stored. The scan is
// exact: what half of the bits of a row cannot rule out is compared in full, and
// no index over the rows can lose a neighbour.
package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/docent-md/docent/internal/blob"
)

// The format of a block, which is two parts of a segment. Numbers are
// little-endian.
//
//	header  4 magic "vec2"
//	        4 dimensions, 1 to 65536
//	        4 rows
//	        4 zero
//	scales  4 a row: float32, 1 over the length of the row's code
//	losses  4 a row: float32, what its high halves leave out (halves.go)
//	        zeros up to the next multiple of 64
//	rows    the high halves of a code a row
//
// and in the second part, which a scan seldom touches, nothing but
//
//	rows    the low halves of a code a row
//
// A code is the vector times 127 over its largest component, rounded to int8: the
// eight bits are used in full whatever the vector's length. With int8 instead of
// float32, a block is a quarter as large and 98 to 99 of the 100 nearest are the
// same. A code never holds -128. The scale turns the product of two codes into
// their cosine. A row of zeros, with scale 0, stands for "no vector": it is never
// found.
//
// A code is filled up to 64 dimensions so that the kernels, which take as many a
// step, have no tail; the dimensions that embedders really have (256, 384, 768,
// 1024, 1536, 3072) are multiples of 64 already. Scales and losses lie apart from
// the rows so that the rows are one stream of memory and keep their alignment:
// parts of a segment begin at multiples of 64.
const (
	magic      = "vec2"
	headerSize = 16
	rowAlign   = 64
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
	dim, n    int
	half      int // bytes of half a row
	rows      int // where the high halves begin
	high, low blob.Blob
}

// Open reads the block in the two parts that Builder.Bytes gives, which must not
// change afterwards. It looks at the header only; whatever the rest holds, no
// method panics. See Verify.
func Open(high, low []byte) (*Reader, error) { return OpenAt(blob.Memory(high), blob.Memory(low)) }

// OpenAt reads a block of which only what is needed is asked for. A scan asks as it
// goes, so that whatever a source does to its bytes, such as comparing checksums,
// leaves them in the cache.
func OpenAt(high, low blob.Blob) (*Reader, error) {
	head, err := high.Bytes(0, min(headerSize, high.Len()))
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
	half := roundUp(int(dim), rowAlign) / 2
	first := rowsAt(uint64(n))
	if want := uint64(n) * uint64(half); uint64(high.Len()) != first+want || uint64(low.Len()) != want {
		return nil, fmt.Errorf("open vectors: %w: %d and %d bytes where %d rows of %d dimensions take %d and %d",
			ErrFormat, high.Len(), low.Len(), n, dim, first+want, want)
	}
	return &Reader{dim: int(dim), n: int(n), half: half, rows: int(first), high: high, low: low}, nil
}

// Len returns the number of rows.
func (r *Reader) Len() int { return r.n }

// Dim returns the number of dimensions.
func (r *Reader) Dim() int { return r.dim }

// Row returns row i as a vector of length 1, or nil when the row holds no vector.
func (r *Reader) Row(i int) ([]float32, error) {
	code, scale, err := r.row(i, make([]byte, 2*r.half))
	if err != nil || scale == 0 {
		return nil, err
	}
	v := make([]float32, r.dim)
	for d := range v {
		v[d] = float32(int8(code[d])) * scale
	}
	return v, nil
}

// row returns the code and the scale of row i. The code is written to buf, which
// has room for two halves.
func (r *Reader) row(i int, buf []byte) ([]byte, float32, error) {
	high, low, err := r.halves(i)
	if err != nil {
		return nil, 0, err
	}
	scales, err := r.high.Bytes(headerSize+4*i, 4)
	if err != nil {
		return nil, 0, err
	}
	join(buf, high, low)
	return buf, scaleAt(scales, 0), nil
}

func (r *Reader) halves(i int) (high, low []byte, err error) {
	if i < 0 || i >= r.n {
		return nil, nil, fmt.Errorf("vector %d: there are %d", i, r.n)
	}
	if high, err = r.highs(i, 1); err != nil {
		return nil, nil, err
	}
	low, err = r.lows(i, 1)
	return high, low, err
}

func (r *Reader) highs(first, n int) ([]byte, error) {
	return r.high.Bytes(r.rows+first*r.half, n*r.half)
}

func (r *Reader) lows(first, n int) ([]byte, error) {
	return r.low.Bytes(first*r.half, n*r.half)
}

// marks returns the scales and losses of n rows from first on.
func (r *Reader) marks(first, n int) (scales, losses []byte, err error) {
	if scales, err = r.high.Bytes(headerSize+4*first, 4*n); err != nil {
		return nil, nil, err
	}
	losses, err = r.high.Bytes(headerSize+4*(r.n+first), 4*n)
	return scales, losses, err
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

// rowsAt is where the high halves of n rows begin.
func rowsAt(n uint64) uint64 { return (headerSize + 8*n + partAlign - 1) &^ (partAlign - 1) }

func roundUp(n, to int) int { return (n + to - 1) / to * to }
