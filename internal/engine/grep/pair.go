package grep

import (
	"encoding/binary"
	"math/bits"
)

// A pair finds two adjacent bytes, in any case, eight places at a
// time. It takes a few bytes for others (what differs from them in the bit of
// case only), so that what it finds is compared again. Unlike IndexByte, whose
// speed falls tenfold where the byte is frequent, it does not care what the text
// is made of.
type pair struct {
	first, second uint64 // each byte eight times
	fold          uint64 // the bit that is set before comparing
}

const ones = 0x0101010101010101

func newPair(first, second byte, fold bool) pair {
	var p pair
	if fold {
		p.fold = ones * 0x20
	}
	p.first = uint64(first)*ones | p.fold
	p.second = uint64(second)*ones | p.fold
	return p
}

// index returns the first place in text where the pair may be, or -1.
func (p *pair) index(text []byte) int {
	i := 0
	for ; i+17 <= len(text); i += 16 {
		t := text[i : i+17 : i+17]
		a := p.zeros(binary.LittleEndian.Uint64(t), binary.LittleEndian.Uint64(t[1:]))
		b := p.zeros(binary.LittleEndian.Uint64(t[8:]), binary.LittleEndian.Uint64(t[9:]))
		if a|b != 0 {
			if a != 0 {
				return i + bits.TrailingZeros64(a)/8
			}
			return i + 8 + bits.TrailingZeros64(b)/8
		}
	}
	for ; i+2 <= len(text); i++ {
		if text[i]|byte(p.fold) == byte(p.first) && text[i+1]|byte(p.fold) == byte(p.second) {
			return i
		}
	}
	return -1
}

// zeros returns a number whose lowest bit set is in the first byte where x
// equals the first byte of the pair and y the second; 0 if there is none.
func (p *pair) zeros(x, y uint64) uint64 {
	z := ((x | p.fold) ^ p.first) | ((y | p.fold) ^ p.second)
	return (z - ones) &^ z & (ones * 0x80)
}
