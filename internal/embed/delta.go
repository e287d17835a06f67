package embed

// A delta is the rows of a table that adapting has changed. It lies in the index
// it was made for and is read in place, like the table.
//
//	 0  16  "docent delta 1\n\0"
//	16   4  rows of the table R
//	20   4  rows changed N
//	24   8  zero
//	32  32  fingerprint of the table
//	64  32  SHA-256 of all bytes but these
//	96      R/64 (rounded up) words of 8 bytes: a bit for every row that changed
//	        the same number of counts of 4: how many bits the words before have
//	        zeros up to a multiple of 16
//	        N rows of 144 (rows.go)

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
)

const (
	deltaMagic = "docent delta 1\n\x00"
	deltaHead  = digestAt + sha256.Size
)

// A Delta holds changed rows of a table. It never changes and may be used by
// many goroutines at once.
type Delta struct {
	data   []byte
	marks  []byte
	counts []byte
	rows   []byte
	of     int // rows of the table
	len    int
}

// OpenDelta returns the delta that data holds, which must not change as long as
// the delta is used.
func OpenDelta(data []byte) (*Delta, error) {
	if len(data) < deltaHead || len(data) > maxSize || string(data[:len(deltaMagic)]) != deltaMagic {
		return nil, fmt.Errorf("open delta: %w", ErrFormat)
	}
	d := &Delta{
		data: data,
		of:   int(min(binary.LittleEndian.Uint32(data[16:]), maxSize)),
		len:  int(min(binary.LittleEndian.Uint32(data[20:]), maxSize)),
	}
	if d.of/8 > len(data) || d.len > len(data)/rowBytes {
		return nil, fmt.Errorf("open delta: %w: %d rows of %d", ErrFormat, d.len, d.of)
	}
	counts, rows, total := deltaSizes(d.of, d.len)
	if len(data) != total {
		return nil, fmt.Errorf("open delta: %w: %d bytes instead of %d", ErrFormat, len(data), total)
	}
	d.marks, d.counts, d.rows = data[deltaHead:counts], data[counts:rows], data[rows:]
	// Where a row lies follows from these: once they are right, no lookup can
	// go wrong.
	sum := 0
	for i := range len(d.marks) / 8 {
		if int(binary.LittleEndian.Uint32(d.counts[4*i:])) != sum {
			return nil, fmt.Errorf("open delta: %w: its counts are wrong", ErrFormat)
		}
		sum += bits.OnesCount64(binary.LittleEndian.Uint64(d.marks[8*i:]))
	}
	if sum != d.len {
		return nil, fmt.Errorf("open delta: %w: %d rows are marked, %d there", ErrFormat, sum, d.len)
	}
	return d, nil
}

func deltaSizes(of, n int) (counts, rows, total int) {
	words := (of + 63) / 64
	counts = deltaHead + 8*words
	rows = (counts + 4*words + 15) &^ 15
	return counts, rows, rows + n*rowBytes
}

// newDelta makes the delta of some rows of a table, in the order of their
// numbers.
func newDelta(t *Table, numbers []int, changed []row) (*Delta, error) {
	counts, rows, total := deltaSizes(t.Rows(), len(numbers))
	data := make([]byte, total)
	copy(data, deltaMagic)
	binary.LittleEndian.PutUint32(data[16:], uint32(t.Rows()))
	binary.LittleEndian.PutUint32(data[20:], uint32(len(numbers)))
	copy(data[32:64], t.data[digestAt:])
	for i, n := range numbers {
		data[deltaHead+n/8] |= 1 << (n % 8)
		writeRow(data[rows+i*rowBytes:][:rowBytes], &changed[i])
	}
	sum := 0
	for i := range (t.Rows() + 63) / 64 {
		binary.LittleEndian.PutUint32(data[counts+4*i:], uint32(sum))
		sum += bits.OnesCount64(binary.LittleEndian.Uint64(data[deltaHead+8*i:]))
	}
	digest := digest(data)
	copy(data[digestAt:], digest[:])
	return OpenDelta(data)
}

// Verify reads the whole delta and reports whether it is as it was written.
func (d *Delta) Verify() error {
	if digest(d.data) != [sha256.Size]byte(d.data[digestAt:]) {
		return fmt.Errorf("verify delta: %w: its checksum differs", ErrFormat)
	}
	return nil
}

// Fingerprint names the delta.
func (d *Delta) Fingerprint() string { return hex.EncodeToString(d.data[digestAt:deltaHead]) }

// Bytes returns what OpenDelta takes.
func (d *Delta) Bytes() []byte { return d.data }

// Rows returns how many rows have changed.
func (d *Delta) Rows() int { return d.len }

// fits reports whether d was made for t.
func (d *Delta) fits(t *Table) error {
	if d.of != t.Rows() || !bytes.Equal(d.data[32:64], t.data[digestAt:tableHead]) {
		return fmt.Errorf("delta %.12s: made for another table than %.12s", d.Fingerprint(), t.Fingerprint())
	}
	return nil
}

// row returns the bytes of the table's n-th row if it has changed, else nil.
func (d *Delta) row(n int) []byte {
	w := binary.LittleEndian.Uint64(d.marks[n/64*8:])
	bit := uint64(1) << (n % 64)
	if w&bit == 0 {
		return nil
	}
	at := int(binary.LittleEndian.Uint32(d.counts[n/64*4:])) + bits.OnesCount64(w&(bit-1))
	return d.rows[at*rowBytes:][:rowBytes]
}
