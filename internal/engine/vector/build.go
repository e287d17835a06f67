package vector

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Builder makes a block. The same vectors added in the same order give the
// same bytes on every machine.
type Builder struct {
	dim, half      int
	scales, losses []byte
	high, low      []byte
	code           []byte // of the row that is being added
}

// NewBuilder returns a Builder for vectors of that many dimensions, 1 to MaxDim.
func NewBuilder(dim int) (*Builder, error) {
	if dim < 1 || dim > MaxDim {
		return nil, fmt.Errorf("build vectors: %d dimensions, must be 1 to %d", dim, MaxDim)
	}
	stride := roundUp(dim, rowAlign)
	return &Builder{dim: dim, half: stride / 2, code: make([]byte, stride)}, nil
}

// Len returns the number of rows added so far, which is the number of the next.
func (b *Builder) Len() int { return len(b.scales) / 4 }

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
	if top == 0 {
		b.grow()
		return nil
	}
	for d, x := range v {
		b.code[d] = byte(int8(math.RoundToEven(float64(x) / top * maxCode)))
	}
	b.seal()
	return nil
}

// AddCode adds a vector that is int8 already: it is stored as it is.
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
	for d, c := range v {
		b.code[d] = byte(c)
	}
	b.seal()
	return nil
}

// Copy adds row i of r as it is, which is how blocks are merged: nothing is
// rounded twice.
func (b *Builder) Copy(r *Reader, i int) error {
	if r.dim != b.dim {
		return fmt.Errorf("copy vector %d: it has %d dimensions, the block %d", i, r.dim, b.dim)
	}
	h, l, err := r.halves(i)
	if err != nil {
		return fmt.Errorf("copy %w", err)
	}
	scales, losses, err := r.marks(i, 1)
	if err != nil {
		return fmt.Errorf("copy %w", err)
	}
	high, low := b.grow()
	if scaleAt(scales, 0) != 0 {
		copy(high, h)
		copy(low, l)
		copy(b.scales[len(b.scales)-4:], scales)
		copy(b.losses[len(b.losses)-4:], losses)
	}
	return nil
}

// Bytes returns the two parts of the block. The Builder may be added to
// afterwards, and they must not be changed.
func (b *Builder) Bytes() (high, low []byte) {
	first := int(rowsAt(uint64(b.Len())))
	out := make([]byte, headerSize, first+len(b.high))
	copy(out, magic)
	le.PutUint32(out[4:], uint32(b.dim))
	le.PutUint32(out[8:], uint32(b.Len()))
	out = append(out, b.scales...)
	out = append(out, b.losses...)
	out = append(out, make([]byte, first-len(out))...)
	return append(out, b.high...), slices.Clip(b.low)
}

// grow adds a row without a vector and returns its halves.
func (b *Builder) grow() (high, low []byte) {
	b.scales = append(b.scales, 0, 0, 0, 0)
	b.losses = append(b.losses, 0, 0, 0, 0)
	b.high = append(b.high, make([]byte, b.half)...)
	b.low = append(b.low, make([]byte, b.half)...)
	return b.high[len(b.high)-b.half:], b.low[len(b.low)-b.half:]
}

// seal adds the code as a row.
func (b *Builder) seal() {
	high, low := b.grow()
	scale, loss := split(high, low, b.code, b.dim)
	le.PutUint32(b.scales[len(b.scales)-4:], math.Float32bits(scale))
	le.PutUint32(b.losses[len(b.losses)-4:], math.Float32bits(loss))
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
