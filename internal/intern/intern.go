// Package intern numbers strings: each is stored once, in the order of first use, one
// after another in a heap, with a table of where each ends. That is how tables on
// disk keep them, so nothing has to be made of it at the end; and it holds no
// pointers, so that the garbage collector has nothing to look at.
package intern

import (
	"encoding/binary"
	"hash/maphash"
)

// A Table holds numbered strings. The zero value is empty and ready for use.
type Table struct {
	heap   []byte
	ends   []byte   // where each ends in the heap, uint32 little endian
	hashes []uint32 // of each
	slots  []uint32 // a number plus 1, or 0; at most half of them are in use
	seed   maphash.Seed
}

// Number returns the number of a string, which is added when it is new. Strings
// count from 0. All of them together must be shorter than 4 GiB.
func (t *Table) Number(s string) uint32 {
	if t.slots == nil {
		t.seed = maphash.MakeSeed()
		t.slots = make([]uint32, 1<<8)
	}
	hash := uint32(maphash.String(t.seed, s))
	mask := uint32(len(t.slots) - 1)
	i := hash & mask
	for ; t.slots[i] != 0; i = (i + 1) & mask {
		n := t.slots[i] - 1
		if t.hashes[n] == hash && string(t.Bytes(n)) == s {
			return n
		}
	}
	t.heap = append(t.heap, s...)
	t.ends = binary.LittleEndian.AppendUint32(t.ends, uint32(len(t.heap)))
	t.hashes = append(t.hashes, hash)
	n := uint32(len(t.hashes))
	t.slots[i] = n
	if 2*len(t.hashes) > len(t.slots) {
		t.grow()
	}
	return n - 1
}

func (t *Table) grow() {
	t.slots = make([]uint32, 2*len(t.slots))
	mask := uint32(len(t.slots) - 1)
	for n, hash := range t.hashes {
		i := hash & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = uint32(n) + 1
	}
}

// Bytes returns a string by its number. It must not be changed.
func (t *Table) Bytes(n uint32) []byte {
	from := uint32(0)
	if n > 0 {
		from = binary.LittleEndian.Uint32(t.ends[4*n-4:])
	}
	return t.heap[from:binary.LittleEndian.Uint32(t.ends[4*n:])]
}

// Len returns how many strings there are.
func (t *Table) Len() int { return len(t.hashes) }

// Heap returns the bytes of all strings, in the order of their numbers.
func (t *Table) Heap() []byte { return t.heap }

// Ends returns where each string ends in the heap, as uint32 little endian.
func (t *Table) Ends() []byte { return t.ends }
