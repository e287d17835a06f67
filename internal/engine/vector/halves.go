package vector

import "math"

// How a code is stored in two halves.
//
// A component c, from -127 to 127, is c+128 as eight bits: its high four lie in
// one row of bytes, its low four in another. Every 64 dimensions take 32 bytes of
// either, byte j holding dimension j in its low half and dimension j+32 in its
// high half, so that a kernel gets 32 neighbouring dimensions by a mask or a
// shift. Dimensions beyond the last are zero bits, as are rows without a vector.
//
// The high halves alone say what a code is but for 8 in each component:
//
//	c = 16·high + low - 128 = (16·high - 120.5) + (low - 7.5)
//
// and a row keeps the length of the second term over that of the code, its loss,
// which is how far off a cosine can be that was reckoned without it. It is about
// 0.1 for vectors of words.
const (
	middle  = 7.5
	offset  = 128 - middle
	nibbles = 0x0f0f0f0f0f0f0f0f
	signs   = 0x8080808080808080
)

// split writes the halves of a code, whose length is a multiple of 64, and
// returns its scale and its loss. Of the code, dim components count, and those
// beyond are zero bits in the halves.
func split(high, low, code []byte, dim int) (scale, loss float32) {
	var sum, off int64
	for _, c := range code[:dim] {
		v, o := int32(int8(c)), int32((c^0x80)&15)*2-2*middle
		sum += int64(v * v)
		off += int64(o * o) // in quarters
	}
	if sum == 0 {
		return 0, 0
	}
	for i := 0; i+32 <= len(high) && i+32 <= len(low) && 2*i+64 <= len(code); i += 32 {
		h, l, c := high[i:i+32:i+32], low[i:i+32:i+32], code[2*i:2*i+64:2*i+64]
		for j := range h {
			x, y := c[j]^0x80, c[j+32]^0x80
			h[j], l[j] = x>>4|y&0xf0, x&15|y<<4
		}
	}
	for d := dim; d < len(code); d++ {
		at, keep := d/64*32+d%32, byte(0xf0)>>(d/32%2*4)
		high[at], low[at] = high[at]&keep, low[at]&keep
	}
	return scaleOf(sum), lossOf(off, sum)
}

// lossOf returns the loss of a code whose squares add up to sum where those of
// what its high halves leave out add up to a quarter of off. It is never less
// than the true one.
func lossOf(off, sum int64) float32 {
	return math.Nextafter32(float32(math.Sqrt(float64(off)/4/float64(sum))), 2*math.MaxInt16)
}

// join writes the code of halves to code. Components beyond the last of the
// vector come out as -128; those of a question are zero there.
func join(code, high, low []byte) {
	for i := 0; i+32 <= len(high) && i+32 <= len(low) && 2*i+64 <= len(code); i += 32 {
		h, l, c := high[i:i+32:i+32], low[i:i+32:i+32], code[2*i:2*i+64:2*i+64]
		for j := 0; j < 32; j += 8 {
			x, y := le.Uint64(h[j:]), le.Uint64(l[j:])
			le.PutUint64(c[j:], (x&nibbles<<4|y&nibbles)^signs)
			le.PutUint64(c[j+32:], (x&^nibbles|y>>4&nibbles)^signs)
		}
	}
}

// halves are the two of a row's code.
type halves struct{ high, low []byte }

// dotsPlain writes to out the product of each row with the query. Sums are int32
// and wrap around. It is what the assembly kernels are tested against, and what
// runs where there is none.
//
// All kernels rely on the caller for lengths: len(query) is a multiple of
// rowAlign and more than 0, the halves of all rows have half as many bytes, and
// there are as many rows as products. These are whole numbers, so that the order
// of adding does not matter and kernels agree bit for bit.
func dotsPlain(out []int32, rows []halves, query []int16) {
	code := make([]byte, len(query))
	for i, h := range rows {
		join(code, h.high, h.low)
		out[i] = dotPlain(code, query)
	}
}

func dotPlain(code []byte, query []int16) int32 {
	var a, b, c, d int32
	for j := 0; j+4 <= len(query) && j+4 <= len(code); j += 4 {
		r, q := code[j:j+4:j+4], query[j:j+4:j+4]
		a += int32(int8(r[0])) * int32(q[0])
		b += int32(int8(r[1])) * int32(q[1])
		c += int32(int8(r[2])) * int32(q[2])
		d += int32(int8(r[3])) * int32(q[3])
	}
	return a + b + c + d
}
