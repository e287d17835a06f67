package embed

// A delta is the rows of a table that adapting has changed. It is stored in the index
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
	"sync/atomic"
)

const (
	deltaMagic = "docent delta 1\n\x00"
	deltaHead  = digestAt + sha256.Size
)

// A Delta holds changed rows of a table. It never changes and may be used by
// many goroutines at once.
type Delta struct {
	data   []byte // all of it, or what comes before the rows
	marks  []byte
	counts []byte
	rows   []byte // nil when they are read one by one
	of     int    // rows of the table
	len    int

	first  int // where the rows begin
	read   func(off, n int) ([]byte, error)
	failed atomic.Pointer[error]
}

// OpenDelta returns the delta that data holds, which must not change as long as
// the delta is used.
func OpenDelta(data []byte) (*Delta, error) {
	d, err := OpenDeltaAt(len(data), func(off, n int) ([]byte, error) { return data[off : off+n], nil })
	if err != nil {
		return nil, err
	}
	d.data, d.rows = data, data[d.first:]
	return d, nil
}

// OpenDeltaAt opens a delta of which only what is needed is read: a question takes
// a handful of its rows. What read gives must stay as it is. When it fails later on,
// Err says so: vectors made since are not to be used.
func OpenDeltaAt(size int, read func(off, n int) ([]byte, error)) (*Delta, error) {
	if size < deltaHead || size > maxSize {
		return nil, fmt.Errorf("open delta: %w", ErrFormat)
	}
	head, err := read(0, deltaHead)
	if err != nil {
		return nil, err
	}
	if string(head[:len(deltaMagic)]) != deltaMagic {
		return nil, fmt.Errorf("open delta: %w", ErrFormat)
	}
	d := &Delta{
		read: read,
		of:   int(min(binary.LittleEndian.Uint32(head[16:]), maxSize)),
		len:  int(min(binary.LittleEndian.Uint32(head[20:]), maxSize)),
	}
	if d.of/8 > size || d.len > size/rowBytes {
		return nil, fmt.Errorf("open delta: %w: %d rows of %d", ErrFormat, d.len, d.of)
	}
	counts, rows, total := deltaSizes(d.of, d.len)
	if size != total {
		return nil, fmt.Errorf("open delta: %w: %d bytes instead of %d", ErrFormat, size, total)
	}
	if d.data, err = read(0, rows); err != nil {
		return nil, err
	}
	d.first, d.marks, d.counts = rows, d.data[deltaHead:counts], d.data[counts:rows]
	// The place of a row follows from these: once they are right, no lookup can
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
	for _, n := range numbers {
		data[deltaHead+n/8] |= 1 << (n % 8)
	}
	each(len(numbers), func(i int) { writeRow(data[rows+i*rowBytes:][:rowBytes], &changed[i]) })
	sum := 0
	for i := range (t.Rows() + 63) / 64 {
		binary.LittleEndian.PutUint32(data[counts+4*i:], uint32(sum))
		sum += bits.OnesCount64(binary.LittleEndian.Uint64(data[deltaHead+8*i:]))
	}
	digest := digest(data)
	copy(data[digestAt:], digest[:])
	return OpenDelta(data)
}

// Err returns the first error of reading a row, or nil.
func (d *Delta) Err() error {
	if p := d.failed.Load(); p != nil {
		return *p
	}
	return nil
}

// Verify reads the whole delta and reports whether it is as it was written. It must
// have been opened with OpenDelta.
func (d *Delta) Verify() error {
	if digest(d.data) != [sha256.Size]byte(d.data[digestAt:]) {
		return fmt.Errorf("verify delta: %w: its checksum differs", ErrFormat)
	}
	return nil
}

// Fingerprint names the delta.
func (d *Delta) Fingerprint() string { return hex.EncodeToString(d.data[digestAt:deltaHead]) }

// Bytes returns what OpenDelta took.
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
	if d.rows != nil {
		return d.rows[at*rowBytes:][:rowBytes]
	}
	b, err := d.read(d.first+at*rowBytes, rowBytes)
	if err != nil {
		d.failed.CompareAndSwap(nil, &err)
		return nil
	}
	return b
}
