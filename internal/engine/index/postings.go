package index

import (
	"encoding/binary"
	"math/bits"
)

// Format of the index. Numbers are little endian; "varint" is that of package
// encoding/binary, unsigned.
//
// An index consists of these parts:
//
//	meta      magic "docentix", version, number of texts, terms and words, the
//	          sums of the (rounded) lengths of each field, all as 8 byte numbers
//	lengths   for each field, one byte for each text: see lengths.go
//	terms     what the texts say, lower-cased: see tokenize.go and dictionary.go
//	terms.x   where to find a term and its postings
//	words     what ranking looks for: see stem.go and dictionary.go
//	words.x   where to find a word and its postings
//	postings  the lists of terms and words, and 8 zero bytes
//
// A posting is the number of a text and how often the term or word occurs in
// each field of it: up to 255 times in title and headings and 65535 in the body.
// All three are 0 when it occurs in Rest only.
//
// A list of n postings is
//
//	bound     1 byte: see bounds.go
//	skips     only if n > 128: for each block the last number in it (4 bytes),
//	          where it ends, counted from the first block (4), its bound (1)
//	blocks    128 postings each, the last one those that are left
//
// and a block of m postings
//
//	header    1 byte: width + 64*mode
//	constant  1 byte, the code of all m counts, if mode is 0
//	gaps      m numbers of width bits, lowest bits first: the distance to the
//	          number before, less 1; the first is counted from the last number
//	          of the block before, or from -1
//	codes     (m+1)/2 bytes if mode is 1, lower half first; m bytes if it is 2
//	counts    for each code 255, in order: a varint, body + headings<<16 + title<<24
//
// Codes below 255 stand for the 255 least counts in the order of
// body + 2 headings + 3 title (then by title and headings): most texts hold most
// of their words once or twice, so that half a byte is often enough.
//
// Blocks can be decoded one at a time, and with bounds and last numbers in the
// skips most of them need not be: that is what makes ranking fast (maxscore.go).

// Version is the version of the format. It is raised when an older program
// could not read the parts, or would read them wrongly.
const Version = 1

const (
	magic     = "docentix"
	numFields = 3
	blockSize = 128
	skipSize  = 9
	padding   = 8 // so that eight bytes can be read at any bit of a gap
	escape    = 255
)

const (
	modeConst = iota
	modeHalf
	modeByte
)

// counts holds how often a term occurs in each field of a text.
type counts uint32

func packCounts(title, headings, body int) counts {
	return counts(min(title, 255))<<24 | counts(min(headings, 255))<<16 | counts(min(body, 65535))
}

func (c counts) title() uint32    { return uint32(c >> 24) }
func (c counts) headings() uint32 { return uint32(c>>16) & 255 }
func (c counts) body() uint32     { return uint32(c) & 65535 }

// plus adds field by field.
func (c counts) plus(d counts) counts {
	return packCounts(int(c.title()+d.title()), int(c.headings()+d.headings()), int(c.body()+d.body()))
}

// countsOf gives the counts a code stands for. codes gives the code of small
// counts, by title, headings and body.
var countsOf, codes = func() (of [256]counts, code [8][16][32]byte) {
	for i := range code {
		for j := range code[i] {
			for k := range code[i][j] {
				code[i][j][k] = escape
			}
		}
	}
	next := 0
	for cost := 0; next < escape; cost++ {
		for t := 0; t*3 <= cost; t++ {
			for h := 0; t*3+h*2 <= cost && next < escape; h++ {
				b := cost - t*3 - h*2
				of[next], code[t][h][b] = packCounts(t, h, b), byte(next)
				next++
			}
		}
	}
	return of, code
}()

func (c counts) code() byte {
	t, h, b := c.title(), c.headings(), c.body()
	if t >= uint32(len(codes)) || h >= uint32(len(codes[0])) || b >= uint32(len(codes[0][0])) {
		return escape
	}
	return codes[t][h][b]
}

// A posting is one text a term occurs in.
type posting struct {
	num uint32
	counts
}

// appendList appends the list of ps, which ascend by number, to dst. bound
// gives the bound of some of them.
func appendList(dst []byte, ps []posting, bound func([]posting) byte) []byte {
	start := len(dst)
	dst = append(dst, 0)
	if len(ps) <= blockSize {
		dst[start] = bound(ps)
		return appendBlock(dst, ps, 0)
	}
	blocks := (len(ps) + blockSize - 1) / blockSize
	skips := len(dst)
	dst = append(dst, make([]byte, blocks*skipSize)...)
	first := len(dst)
	base := uint32(0) // one more than the last number of the block before
	for b := range blocks {
		block := ps[b*blockSize : min((b+1)*blockSize, len(ps))]
		dst = appendBlock(dst, block, base)
		last := block[len(block)-1].num
		base = last + 1
		skip := dst[skips+b*skipSize:]
		binary.LittleEndian.PutUint32(skip, last)
		binary.LittleEndian.PutUint32(skip[4:], uint32(len(dst)-first))
		skip[8] = bound(block)
		dst[start] = max(dst[start], skip[8])
	}
	return dst
}

func appendBlock(dst []byte, ps []posting, base uint32) []byte {
	var codes [blockSize]byte
	var gaps [blockSize]uint32
	all, most, same := uint32(0), byte(0), true
	for i, p := range ps {
		gaps[i] = p.num - base
		all |= gaps[i]
		base = p.num + 1
		code := p.code()
		codes[i] = code
		most = max(most, code)
		same = same && code == codes[0]
	}
	width := bits.Len32(all)
	mode := modeByte
	if most < 16 {
		mode = modeHalf
	}
	if same && most < escape {
		mode = modeConst
	}
	dst = append(dst, byte(width|mode<<6))
	if mode == modeConst {
		dst = append(dst, codes[0])
	}
	dst = appendGaps(dst, gaps[:len(ps)], width)
	switch mode {
	case modeHalf:
		for i := 0; i < len(ps); i += 2 {
			c := codes[i]
			if i+1 < len(ps) {
				c |= codes[i+1] << 4
			}
			dst = append(dst, c)
		}
	case modeByte:
		dst = append(dst, codes[:len(ps)]...)
		for i, p := range ps {
			if codes[i] == escape {
				dst = binary.AppendUvarint(dst, uint64(p.counts))
			}
		}
	}
	return dst
}

func appendGaps(dst []byte, gaps []uint32, width int) []byte {
	var acc uint64
	n := 0
	for _, g := range gaps {
		acc |= uint64(g) << n
		n += width
		for n >= 8 {
			dst = append(dst, byte(acc))
			acc >>= 8
			n -= 8
		}
	}
	if n > 0 {
		dst = append(dst, byte(acc))
	}
	return dst
}

// A cursor goes through a list once, from low numbers to high, decoding only the
// blocks it has to.
type cursor struct {
	list
	at      int // the block the cursor is in: all before end before it
	decoded int // the block that is decoded, or -1
	pos     int // in the decoded block: all before are below the last number looked for
	block   block
}

// reset puts the cursor before the first posting of l.
func (c *cursor) reset(l list) { c.list, c.at, c.decoded, c.pos = l, 0, -1, 0 }

// moveTo puts the cursor at the beginning of block at, back or forward.
func (c *cursor) moveTo(at int) { c.at, c.pos = at, 0 }

// advance moves to the block that may hold num or what follows it.
func (c *cursor) advance(num uint32) {
	for n := c.count; c.at < n && c.last(c.at) < num; {
		c.at++
	}
}

// load decodes the block the cursor is in.
func (c *cursor) load() error {
	if c.decoded == c.at {
		return nil
	}
	c.decoded, c.pos = -1, 0
	if err := c.decode(c.at, &c.block); err != nil {
		return err
	}
	for i := c.block.m; i < blockSize; i++ {
		c.block.nums[i] = 1<<32 - 1 // for search
	}
	c.decoded = c.at
	return nil
}

// seek returns the counts of num, 0 if the list does not have it. Numbers must
// not descend from call to call.
func (c *cursor) seek(num uint32) (counts, error) {
	c.advance(num)
	if c.at >= c.count || num < c.base(c.at) {
		return 0, nil
	}
	if err := c.load(); err != nil {
		return 0, err
	}
	b := &c.block
	i, end := c.pos, b.m
	// Mostly the next number is near: double the step, then halve it.
	step := 1
	for i+step < end && b.nums[i+step] < num {
		i += step
		step *= 2
	}
	end = min(i+step+1, end)
	for i < end {
		if mid := int(uint(i+end) / 2); b.nums[mid] < num {
			i = mid + 1
		} else {
			end = mid
		}
	}
	c.pos = i
	if i < b.m && b.nums[i] == num {
		return b.at(i)
	}
	return 0, nil
}

// peek is seek for few numbers that lie far apart.
func (c *cursor) peek(num uint32) (counts, error) {
	c.advance(num)
	if c.at >= c.count || num < c.base(c.at) {
		return 0, nil
	}
	c.decoded = -1
	return c.find(c.at, num, &c.block)
}

// search returns the first place in the block whose number is not below num, or
// the last. It takes the same seven steps for each: a processor cannot guess
// which way they go, so none of them may be a branch.
func (b *block) search(num uint32) int {
	i := 0
	for step := blockSize / 2; step > 0; step /= 2 {
		below := int64(b.nums[(i+step-1)%blockSize]) - int64(num)
		i += step & int(below>>63) // all bits of it set, or none
	}
	return i
}
