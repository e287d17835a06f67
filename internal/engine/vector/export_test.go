package vector

import (
	"bytes"
	"fmt"
	"math"
)

// Verify reads every row and reports the first that no Builder can have made.
func (r *Reader) Verify() error {
	code := make([]byte, 2*r.half)
	high, low := make([]byte, r.half), make([]byte, r.half)
	for i := range r.n {
		h, l, err := r.halves(i)
		if err != nil {
			return err
		}
		scales, losses, err := r.marks(i, 1)
		if err != nil {
			return err
		}
		join(code, h, l)
		if string(scales) == "\x00\x00\x00\x00" {
			clear(code)
		}
		clear(high)
		clear(low)
		scale, loss := split(high, low, code, r.dim)
		if bytes.IndexByte(code[:r.dim], 0x80) >= 0 || string(high) != string(h) || string(low) != string(l) ||
			math.Float32bits(scale) != le.Uint32(scales) || math.Float32bits(loss) != le.Uint32(losses) {
			return fmt.Errorf("verify vectors: %w: row %d", ErrFormat, i)
		}
	}
	return nil
}
