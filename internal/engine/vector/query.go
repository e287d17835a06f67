package vector

import (
	"fmt"
	"math"
)

// A Query is a vector to compare rows with. It may be used with many readers
// and by many goroutines.
//
// Its code is int16, finer than that of the rows, at no cost: the kernels widen
// rows to int16 anyway. How fine depends on the dimensions, for products are
// added up in int32. With components of rows up to 127 and of the query up to
//
//	most = min(32767, (2^31 - 1) / (127 * dimensions))
//
// no sum of products leaves int32, whatever the bytes of a row within -127 to
// 127. That is 32767 up to 516 dimensions, 5504 for 3072 and 258 for 65536,
// always finer than a row's 127. A damaged row may hold -128; sums then wrap
// around, in all kernels alike, and nothing worse happens.
type Query struct {
	dim   int
	code  []int16 // filled up with zeros to a multiple of rowAlign
	scale float32 // 1 over the length of code

	coarse coarse
}

// NewQuery returns the query for v. Components must be finite. Nothing is near
// a vector of zeros.
func NewQuery(v []float32) (*Query, error) {
	if len(v) < 1 || len(v) > MaxDim {
		return nil, fmt.Errorf("vector query: %d dimensions, must be 1 to %d", len(v), MaxDim)
	}
	top, err := largest(v)
	if err != nil {
		return nil, fmt.Errorf("vector query: %w", err)
	}
	q := &Query{dim: len(v), code: make([]int16, roundUp(len(v), rowAlign))}
	if top == 0 {
		return q, nil
	}
	most := float64(queryMost(len(v)))
	var sum int64
	for d, x := range v {
		c := int16(math.RoundToEven(float64(x) / top * most))
		q.code[d] = c
		sum += int64(c) * int64(c)
	}
	q.scale = scaleOf(sum)
	q.coarse = newCoarse(q.code, q.dim, most, 1/math.Sqrt(float64(sum)))
	return q, nil
}

// queryMost returns the largest component of a query's code.
func queryMost(dim int) int32 {
	return int32(min(math.MaxInt16, math.MaxInt32/(maxCode*dim)))
}

func (q *Query) fits(r *Reader) error {
	if q.dim != r.dim {
		return fmt.Errorf("nearest vectors: the query has %d dimensions, the block %d", q.dim, r.dim)
	}
	return nil
}

// A Centroid gathers rows into the direction they have in common, which is what
// a whole index is about. The zero value is ready.
type Centroid struct {
	sum []float64
}

// Add takes in the rows of r that skip does not report; skip may be nil. All
// readers must have the same number of dimensions, else those of another than
// the first are passed over.
func (c *Centroid) Add(r *Reader, skip func(id uint32) bool) error {
	if c.sum == nil {
		c.sum = make([]float64, r.dim)
	}
	if len(c.sum) != r.dim {
		return nil
	}
	buf := make([]byte, 2*r.half)
	for i := range r.n {
		code, s, err := r.row(i, buf)
		if err != nil {
			return err
		}
		scale := float64(s)
		if scale == 0 || skip != nil && skip(uint32(i)) {
			continue
		}
		for d, x := range code[:r.dim] {
			c.sum[d] += float64(float64(int8(x)) * scale)
		}
	}
	return nil
}

// Vector returns the mean of the rows at length 1, or nil when there is none:
// no rows, or rows that cancel out.
func (c *Centroid) Vector() []float32 {
	length := 0.0
	for _, x := range c.sum {
		length += float64(x * x) // not fused: the same on every machine
	}
	length = math.Sqrt(length)
	if length == 0 {
		return nil
	}
	v := make([]float32, len(c.sum))
	for d, x := range c.sum {
		v[d] = float32(x / length)
	}
	return v
}
