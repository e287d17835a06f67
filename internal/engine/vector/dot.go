package vector

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

// dotPlain is the product of a code with the query.
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
