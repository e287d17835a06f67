package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// newTable makes a table of words and their rows. There is a row for each word,
// then one for each bucket.
func newTable(words []string, buckets int, rows []row) (*Table, error) {
	if len(rows) != len(words)+buckets {
		return nil, fmt.Errorf("make table: %d rows for %d words and %d buckets", len(rows), len(words), buckets)
	}
	t, err := emptyTable(words, buckets)
	if err != nil {
		return nil, err
	}
	for n := range rows {
		writeRow(t.row(n), &rows[n])
	}
	t.seal()
	return t, nil
}

// emptyTable makes a table whose rows are zero and whose checksum is not set.
func emptyTable(words []string, buckets int) (*Table, error) {
	if bits.OnesCount(uint(buckets)) != 1 || len(words)+buckets > maxSize/rowBytes/2 {
		return nil, fmt.Errorf("make table: %d words, %d buckets", len(words), buckets)
	}
	text := 0
	for _, w := range words {
		text += len(w)
	}
	slots := 1 << bits.Len(uint(2*len(words)-1))
	if len(words) == 0 {
		slots = 1
	}
	l := tableSizes(len(words), buckets, slots, text)
	data := make([]byte, l.total)
	copy(data, tableMagic)
	for i, n := range []int{Dim, len(words), buckets, slots, text} {
		binary.LittleEndian.PutUint32(data[16+4*i:], uint32(n))
	}
	t, err := Open(data)
	if err != nil {
		return nil, err
	}
	at := 0
	for n, w := range words {
		copy(t.text[at:], w)
		at += len(w)
		binary.LittleEndian.PutUint32(t.offsets[4*n+4:], uint32(at))
	}
	for n, w := range words {
		if t.find([]byte(w)) < len(words) {
			return nil, fmt.Errorf("make table: the word %q comes twice", w)
		}
		if err := t.enter(n, w); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// enter puts a word into the first free slot.
func (t *Table) enter(n int, w string) error {
	mask := uint64(len(t.slots)/4 - 1)
	i := hash([]byte(w)) & mask
	for range maxProbes {
		if slot := t.slots[4*i:][:4]; binary.LittleEndian.Uint32(slot) == 0 {
			binary.LittleEndian.PutUint32(slot, uint32(n+1))
			return nil
		}
		i = (i + 1) & mask
	}
	return errors.New("make table: too many words share a hash")
}

// seal sets the checksum.
func (t *Table) seal() {
	sum := digest(t.data)
	copy(t.data[digestAt:], sum[:])
}
