package index

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// A list is a reader's view of one list: where its pieces are.
type list struct {
	n      int // postings
	count  int // blocks
	off    int // where it begins: lists of a Reader that begin there are the same
	bound  byte
	skips  []byte
	blocks []byte // with padding bytes after them
	limit  uint32 // numbers are below
}

// openList takes apart the list of n postings that data holds, padding
// included. Numbers must be below limit.
func openList(data []byte, n int, limit uint32) (list, error) {
	l := list{n: n, count: (n + blockSize - 1) / blockSize, limit: limit}
	if n == 0 {
		return l, nil
	}
	skips := 0
	if n > blockSize {
		skips = l.count * skipSize
	}
	if n < 0 || uint64(n) > uint64(limit) || len(data) < 1+skips+padding {
		return list{}, damaged("list too short")
	}
	l.bound = data[0]
	l.skips = data[1 : 1+skips]
	l.blocks = data[1+skips:]
	return l, nil
}

// last returns the last number of block b, or at least that.
func (l *list) last(b int) uint32 {
	if len(l.skips) == 0 {
		return l.limit - 1
	}
	return binary.LittleEndian.Uint32(l.skips[b*skipSize:])
}

func (l *list) blockBound(b int) byte {
	if len(l.skips) == 0 {
		return l.bound
	}
	return l.skips[b*skipSize+8]
}

// base returns the least number block b may hold.
func (l *list) base(b int) uint32 {
	if b == 0 {
		return 0
	}
	return l.last(b-1) + 1
}

// A block is decoded postings.
type block struct {
	m      int
	nums   [blockSize]uint32
	counts [blockSize]counts
	mode   byte
	all    bool   // counts holds all of them
	code   byte   // of all of them, if mode is modeConst
	codes  []byte // of each, otherwise; then come the counts without one
}

// decode fills out with the numbers of block b. Whatever the bytes are, they
// ascend and lie below limit, or there is an error.
func (l *list) decode(b int, out *block) error {
	data, width, err := l.open(b, out)
	if err != nil {
		return err
	}
	m := out.m
	if end := unpack(out.nums[:m], data, width, uint64(l.base(b))); end > uint64(l.limit) {
		return fmt.Errorf("%w: number %d of %d texts", ErrDamaged, end-1, l.limit)
	}
	return out.checkCodes()
}

// open reads the head of block b into out. It returns the gaps, with what follows
// them, and their width.
func (l *list) open(b int, out *block) (gaps []byte, width int, err error) {
	from := 0
	if b > 0 {
		from = int(binary.LittleEndian.Uint32(l.skips[(b-1)*skipSize+4:]))
	}
	if from < 0 || from > len(l.blocks)-padding-1 {
		return nil, 0, damaged("block outside its list")
	}
	data := l.blocks[from:]
	width = int(data[0] & 63)
	out.m = min(blockSize, l.n-b*blockSize)
	out.mode, out.all = data[0]>>6, false
	data = data[1:]
	if out.mode == modeConst {
		out.code = data[0]
		data = data[1:]
	}
	packed := (out.m*width + 7) / 8
	if width > 32 || len(data) < packed+padding {
		return nil, 0, damaged("block too short")
	}
	out.codes = data[packed:]
	return data, width, nil
}

// find returns the counts of num in block b, 0 if it is not there. It decodes
// only as much as that takes: for one number half as much as decode, or less.
func (l *list) find(b int, num uint32, head *block) (counts, error) {
	data, width, err := l.open(b, head)
	if err != nil {
		return 0, err
	}
	next, want := uint64(l.base(b)), uint64(num)
	mask := uint64(1)<<width - 1
	bit, i := 0, 0
	if width <= 16 {
		for ; i+4 <= head.m; i += 4 {
			v := binary.LittleEndian.Uint64(data[bit>>3:]) >> (bit & 7)
			_, _, _, d := four(v, width, mask)
			if next+d >= want {
				break
			}
			next += d + 1
			bit += 4 * width
		}
	}
	for ; i < head.m; i++ {
		next += binary.LittleEndian.Uint64(data[bit>>3:]) >> (bit & 7) & mask
		if next >= want {
			break
		}
		next++
		bit += width
	}
	if i == head.m || next != want {
		return 0, nil
	}
	if err := head.checkCodes(); err != nil {
		return 0, err
	}
	return head.at(i)
}

// unpack fills nums with the numbers whose gaps data holds, beginning with next,
// and returns one more than the last. padding bytes must follow the gaps.
func unpack(nums []uint32, data []byte, width int, next uint64) uint64 {
	mask := uint64(1)<<width - 1
	bit := 0
	if width <= 16 {
		// Four gaps fit into what one load brings: they begin at a whole byte, or
		// if the width is odd perhaps at half of one.
		for ; len(nums) >= 4; nums = nums[4:] {
			v := binary.LittleEndian.Uint64(data[bit>>3:]) >> (bit & 7)
			bit += 4 * width
			a, b, c, d := four(v, width, mask)
			nums[0], nums[1], nums[2], nums[3] = uint32(next+a), uint32(next+b), uint32(next+c), uint32(next+d)
			next += d + 1
		}
	}
	for i := range nums {
		next += binary.LittleEndian.Uint64(data[bit>>3:]) >> (bit & 7) & mask
		nums[i] = uint32(next)
		next++
		bit += width
	}
	return next
}

// four returns the distances of four numbers to the one that would follow
// directly, given their gaps. That they are added up among themselves first lets
// the processor work on the next four meanwhile.
func four(v uint64, width int, mask uint64) (a, b, c, d uint64) {
	w := uint(width) & 63
	a = v & mask
	v >>= w
	b = a + v&mask + 1
	v >>= w
	c = b + v&mask + 1
	v >>= w
	d = c + v&mask + 1
	return a, b, c, d
}

// checkCodes makes sure that all postings have a code.
func (b *block) checkCodes() error {
	switch {
	case b.mode > modeByte:
		return damaged("mode of counts")
	case b.mode == modeConst && b.code == escape:
		return damaged("constant count")
	case b.mode == modeHalf && len(b.codes) < (b.m+1)/2, b.mode == modeByte && len(b.codes) < b.m:
		return damaged("codes too short")
	}
	return nil
}

func (b *block) decodeCounts() error {
	if b.all {
		return nil
	}
	out := b.counts[:b.m]
	switch b.mode {
	case modeConst:
		c := countsOf[b.code]
		for i := range out {
			out[i] = c
		}
	case modeHalf:
		for i := range out {
			out[i] = countsOf[b.codes[i>>1]>>(i&1*4)&15]
		}
	case modeByte:
		for i, c := range b.codes[:len(out)] {
			out[i] = countsOf[c]
		}
		if err := b.decodeLarge(); err != nil {
			return err
		}
	}
	b.all = true
	return nil
}

// decodeLarge fills in the counts that have no code.
func (b *block) decodeLarge() error {
	large := b.codes[b.m:]
	for i := 0; ; i++ {
		next := bytes.IndexByte(b.codes[i:b.m], escape)
		if next < 0 {
			return nil
		}
		i += next
		v, n := binary.Uvarint(large)
		if n <= 0 || v > 1<<32-1 {
			return damaged("count")
		}
		b.counts[i] = counts(v)
		large = large[n:]
	}
}

// at returns the counts of posting i. Where few are asked for, the others need
// not be decoded.
func (b *block) at(i int) (counts, error) {
	switch {
	case b.all:
		return b.counts[i], nil
	case b.mode == modeHalf:
		return countsOf[b.codes[i>>1]>>(i&1*4)&15], nil
	case b.mode == modeConst:
		return countsOf[b.code], nil
	}
	if c := b.codes[i]; c != escape {
		return countsOf[c], nil
	}
	err := b.decodeCounts()
	return b.counts[i], err
}
