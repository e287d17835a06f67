package vector

import "math"

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
			// The product is exact, so that a machine that fuses it with
			// the sum gets the same.
			c.sum[d] += float64(int8(x)) * scale
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
