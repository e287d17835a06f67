package graph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/docent-md/docent/internal/blob"
)

// A table leads from hashed keys to numbers, which are rows or links of its
// segment. All integers are little-endian.
//
//	keys u32, then for each, in the order of hashes: hash u32, value u32
//	the lists of numbers, one after another: their count, the first number, then the
//	distances from one to the next, as varints
//
// Most keys have one number, which is their value with the highest bit set. Else
// the value says where in the lists theirs begins. So a key costs 8 bytes, and each
// number of a list 1 to 3.

// ErrFormat is what reading gives for parts that do not fit together.
var ErrFormat = errors.New("link tables do not fit together")

var le = binary.LittleEndian

// A pair is one entry of a table being built: a hash, and below it a number. As
// one integer it is sorted faster.
type pair uint64

func newPair(hash, num uint32) pair { return pair(hash)<<32 | pair(num) }

func (p pair) hash() uint32 { return uint32(p >> 32) }
func (p pair) num() uint32  { return uint32(p) }

// writeTable returns the table of the pairs, which it sorts.
func writeTable(pairs []pair) []byte {
	slices.Sort(pairs)
	pairs = slices.Compact(pairs)
	keys := 0
	for i := range pairs {
		if i == 0 || pairs[i].hash() != pairs[i-1].hash() {
			keys++
		}
	}
	head := le.AppendUint32(make([]byte, 0, 4+8*keys), uint32(keys))
	var lists []byte
	for len(pairs) > 0 {
		n := 1
		for n < len(pairs) && pairs[n].hash() == pairs[0].hash() {
			n++
		}
		head = le.AppendUint32(head, pairs[0].hash())
		if n == 1 {
			head = le.AppendUint32(head, pairs[0].num()|single)
		} else {
			head = le.AppendUint32(head, uint32(len(lists)))
			lists = binary.AppendUvarint(lists, uint64(n))
			last := uint32(0)
			for _, p := range pairs[:n] {
				lists = binary.AppendUvarint(lists, uint64(p.num()-last))
				last = p.num()
			}
		}
		pairs = pairs[n:]
	}
	return append(head, lists...)
}

// single marks a value that is the only number of its key.
const single = 1 << 31

type table struct {
	blob blob.Blob
	keys int
}

func openTable(b blob.Blob) (table, error) {
	head, err := b.Bytes(0, 4)
	if err != nil {
		return table{}, err
	}
	t := table{b, int(le.Uint32(head))}
	if t.keys > (b.Len()-4)/8 {
		return table{}, ErrFormat
	}
	return t, nil
}

// row returns the hash and the value of key i.
func (t table) row(i int) (hash, value uint32, err error) {
	b, err := t.blob.Bytes(4+8*i, 8)
	if err != nil {
		return 0, 0, err
	}
	return le.Uint32(b), le.Uint32(b[4:]), nil
}

// find appends the numbers of a key to dst. Numbers are below limit.
func (t table) find(dst []uint32, hash uint32, limit int) ([]uint32, error) {
	var failed error
	i := sort.Search(t.keys, func(i int) bool {
		h, _, err := t.row(i)
		if err != nil {
			failed = err
		}
		return err != nil || h >= hash
	})
	if failed != nil || i == t.keys {
		return dst, failed
	}
	h, value, err := t.row(i)
	if err != nil || h != hash {
		return dst, err
	}
	return t.list(dst, value, limit)
}

// list appends the numbers that a value stands for to dst.
func (t table) list(dst []uint32, value uint32, limit int) ([]uint32, error) {
	if value&single != 0 {
		if n := value &^ single; int(n) < limit {
			return append(dst, n), nil
		}
		return dst, fmt.Errorf("%w: a number over %d", ErrFormat, limit)
	}
	from := 4 + 8*t.keys + int(value)
	if from >= t.blob.Len() {
		return dst, fmt.Errorf("%w: a list at %d", ErrFormat, value)
	}
	b, err := t.blob.Bytes(from, min(binary.MaxVarintLen32, t.blob.Len()-from))
	if err != nil {
		return dst, err
	}
	count, n := binary.Uvarint(b)
	from += n
	if n <= 0 || count > uint64(t.blob.Len()-from) {
		return dst, fmt.Errorf("%w: a list at %d", ErrFormat, value)
	}
	if b, err = t.blob.Bytes(from, min(int(count)*binary.MaxVarintLen32, t.blob.Len()-from)); err != nil {
		return dst, err
	}
	num := uint64(0)
	for range count {
		d, n := binary.Uvarint(b)
		if n <= 0 || d > uint64(limit) || num+d >= uint64(limit) {
			return dst, fmt.Errorf("%w: a number of the list at %d", ErrFormat, value)
		}
		num += d
		dst = append(dst, uint32(num))
		b = b[n:]
	}
	return dst, nil
}

// An inverse leads from numbers back to the hashes of a table, for merging.
type inverse struct {
	ends   []uint32 // of each number
	hashes []uint32
}

// invert reads the whole table, whose numbers are below limit.
func (t table) invert(limit int) (inverse, error) {
	v := inverse{ends: make([]uint32, limit+1)}
	var nums []uint32
	for pass := range 2 {
		for i := range t.keys {
			hash, value, err := t.row(i)
			if err != nil {
				return v, err
			}
			if nums, err = t.list(nums[:0], value, limit); err != nil {
				return v, err
			}
			for _, n := range nums {
				if pass == 1 {
					v.hashes[v.ends[n]] = hash
				}
				v.ends[n+uint32(1-pass)]++
			}
		}
		if pass == 0 {
			for i := 1; i <= limit; i++ {
				v.ends[i] += v.ends[i-1]
			}
			v.hashes = make([]uint32, v.ends[limit])
		}
	}
	return v, nil
}

func (v inverse) of(n int) []uint32 {
	from := uint32(0)
	if n > 0 {
		from = v.ends[n-1]
	}
	return v.hashes[from:v.ends[n]]
}
