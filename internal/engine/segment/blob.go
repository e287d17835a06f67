package segment

import (
	"fmt"
	"hash/crc32"
)

// A Blob is one part of a file.
type Blob struct {
	f     *File
	name  string
	off   int64  // in the file
	n     int    // length
	first int    // number of its first page among all pages of the file
	data  []byte // with positional reads, filled page by page as they pass
}

// Len returns the length of the part in bytes.
func (b *Blob) Len() int { return b.n }

// Bytes returns n bytes of the part from off on. They are not a copy and must
// not be changed. Each page is checked the first time it is touched; a byte that
// is not what was written is never returned, the error is ErrDamaged instead.
// So is the one for a range that goes beyond the part: such a range comes from
// another part, which then does not fit this one.
//
// A page is checked once. What happens to the file in place after that goes
// unnoticed, which is why no one may write to a published file; see Guard.
func (b *Blob) Bytes(off, n int) ([]byte, error) {
	if off < 0 || n < 0 || off > b.n-n {
		return nil, &DamagedError{
			File: b.f.src.path, Part: b.name, Offset: b.off,
			Reason: fmt.Sprintf("%d bytes at %d are asked of %d", n, off, b.n),
		}
	}
	if n == 0 {
		return []byte{}, nil
	}
	for p, last := off>>pageBits, (off+n-1)>>pageBits; p <= last; p++ {
		page := b.first + p
		if b.f.passed[page/64].Load()&(1<<(page%64)) == 0 {
			if err := b.f.check(b, p, last); err != nil {
				return nil, err
			}
			break
		}
	}
	return b.data[off : off+n : off+n], nil
}

// verify compares page p with its checksum. Where it must copy, it copies to
// buf.
func (b *Blob) verify(p int, buf []byte) error {
	start := p << pageBits
	off := b.off + int64(start)
	page, err := b.f.src.read(off, min(pageSize, b.n-start), buf)
	if err != nil {
		return err
	}
	if crc32.ChecksumIEEE(page) != b.f.layout.pageSum(b.first+p) {
		return &DamagedError{File: b.f.src.path, Part: b.name, Offset: off, Reason: "the checksum does not match"}
	}
	return nil
}
