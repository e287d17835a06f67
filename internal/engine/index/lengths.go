package index

import "slices"

// Lengths are stored in one byte: exact up to 38 words, then in steps of about one
// twentieth up to some millions. Averages are made of the rounded lengths, so
// that a deleted text can be subtracted from them exactly.

// lengthOf gives the length a code stands for.
var lengthOf = func() (t [256]uint32) {
	for i := 1; i < len(t); i++ {
		t[i] = t[i-1] + max(1, t[i-1]/19)
	}
	return t
}()

// lengthCode returns the code of the greatest length that is not above n.
func lengthCode(n int) byte {
	i, found := slices.BinarySearchFunc(lengthOf[:], n, func(l uint32, n int) int { return int(l) - n })
	if !found {
		i--
	}
	return byte(i)
}
