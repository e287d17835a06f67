package vector

import (
	"errors"
	"fmt"
	"math"
)

// A Builder makes a block. The same vectors added in the same order give the
// same bytes on every machine.
type Builder struct {
	dim, stride int
	scales      []byte
	rows        []byte
}

// NewBuilder returns a Builder for vectors of that many dimensions, 1 to MaxDim.
func NewBuilder(dim int) (*Builder, error) {
	if dim < 1 || dim > MaxDim {
		return nil, fmt.Errorf("build vectors: %d dimensions, must be 1 to %d", dim, MaxDim)
	}
	return &Builder{dim: dim, stride: roundUp(dim, rowAlign)}, nil
}

// Len returns the number of rows added so far, which is the number of the next.
func (b *Builder) Len() int { return len(b.scales) / 4 }

// Dim returns the number of dimensions.
func (b *Builder) Dim() int { return b.dim }

// Add adds v as the next row. A vector of zeros, or nil, makes a row that is
// never found. Components must be finite.
func (b *Builder) Add(v []float32) error {
	if v == nil {
		b.grow()
		return nil
	}
	if len(v) != b.dim {
		return fmt.Errorf("add vector %d: it has %d dimensions, the block %d", b.Len(), len(v), b.dim)
	}
	top, err := largest(v)
	if err != nil {
		return fmt.Errorf("add vector %d: %w", b.Len(), err)
	}
	code := b.grow()
	if top == 0 {
		return nil
	}
	for d, x := range v {
		code[d] = byte(int8(math.RoundToEven(float64(x) / top * maxCode)))
	}
	b.seal(code)
	return nil
}

// AddCode adds a vector that is int8 already: what it holds is kept as it is.
// No component may be -128, and one must be 127 or -127 unless all are 0.
func (b *Builder) AddCode(v []int8) error {
	if len(v) != b.dim {
		return fmt.Errorf("add vector %d: it has %d dimensions, the block %d", b.Len(), len(v), b.dim)
	}
	var top int8
	for _, c := range v {
		if c < -maxCode {
			return fmt.Errorf("add vector %d: a component is -128", b.Len())
		}
		top = max(top, c, -c)
	}
	if top != 0 && top != maxCode {
		return fmt.Errorf("add vector %d: its largest component is %d, not %d", b.Len(), top, maxCode)
	}
	code := b.grow()
	for d, c := range v {
		code[d] = byte(c)
	}
	b.seal(code)
	return nil
}

// Copy adds row i of r as it is, which is how blocks are merged: nothing is
// rounded twice.
func (b *Builder) Copy(r *Reader, i int) error {
	if r.dim != b.dim {
		return fmt.Errorf("copy vector %d: it has %d dimensions, the block %d", i, r.dim, b.dim)
	}
	code, scale, err := r.row(i)
	if err != nil {
		return fmt.Errorf("copy %w", err)
	}
	to := b.grow()
	if scale != 0 {
		copy(to, code)
		le.PutUint32(b.scales[len(b.scales)-4:], math.Float32bits(scale))
	}
	return nil
}

// Bytes returns the block. The Builder may be added to afterwards.
func (b *Builder) Bytes() []byte {
	out := make([]byte, headerSize, blockSize(b.dim, uint64(b.Len())))
	copy(out, magic)
	le.PutUint32(out[4:], uint32(b.dim))
	le.PutUint32(out[8:], uint32(b.Len()))
	out = append(out, b.scales...)
	out = append(out, make([]byte, roundUp(len(out), partAlign)-len(out))...)
	return append(out, b.rows...)
}

// grow adds a row of zeros and returns its code.
func (b *Builder) grow() []byte {
	b.scales = append(b.scales, 0, 0, 0, 0)
	b.rows = append(b.rows, make([]byte, b.stride)...)
	return b.rows[len(b.rows)-b.stride:]
}

// seal writes the scale of the last row.
func (b *Builder) seal(code []byte) {
	var sum int64
	for _, c := range code {
		sum += int64(int8(c)) * int64(int8(c))
	}
	le.PutUint32(b.scales[len(b.scales)-4:], math.Float32bits(scaleOf(sum)))
}

var errNotFinite = errors.New("a component is not a finite number")

// largest returns the largest component of v without its sign.
func largest(v []float32) (float64, error) {
	top := 0.0
	for _, x := range v {
		a := math.Abs(float64(x))
		if !(a <= math.MaxFloat32) {
			return 0, errNotFinite
		}
		top = max(top, a)
	}
	return top, nil
}
