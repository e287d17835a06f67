package vector

// dotsPlain writes to out the product of each row with the query: row i is the
// len(query) bytes of rows from i*len(query) on, taken as int8. Sums are int32
// and wrap around. It is what the assembly kernels are tested against, and what
// runs where there is none.
//
// All kernels rely on the caller for lengths: len(query) is a multiple of
// rowAlign and more than 0, and len(rows) is len(out) times len(query). The
// products are whole numbers, so that the order of adding does not matter and
// kernels agree bit for bit.
func dotsPlain(out []int32, rows []byte, query []int16) {
	for i := range out {
		row := rows[i*len(query):][:len(query)]
		var a, b, c, d int32
		for j := 0; j+4 <= len(query) && j+4 <= len(row); j += 4 {
			r, q := row[j:j+4:j+4], query[j:j+4:j+4]
			a += int32(int8(r[0])) * int32(q[0])
			b += int32(int8(r[1])) * int32(q[1])
			c += int32(int8(r[2])) * int32(q[2])
			d += int32(int8(r[3])) * int32(q[3])
		}
		out[i] = a + b + c + d
	}
}
