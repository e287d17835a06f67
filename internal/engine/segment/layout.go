// Package segment keeps named parts of bytes in immutable files, and a folder
// of such files behind a manifest. It knows nothing of what the parts mean.
//
// A File is opened in microseconds whatever its size, and no byte of it is
// handed out before its page has passed its checksum. A folder is
// changed by one Writer at a time and read by anyone at any time: a reader gets
// the state before a change or the state after it, also when the writer is
// killed or the power fails half way.
package segment

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// The format of a file. Numbers are little-endian and unsigned.
//
//	header   8 magic  "\x89docent\n"
//	         4 format version
//	         4 CRC-32 of the 12 bytes before
//	parts    each at the next multiple of 64, filled up with zeros
//	table    at the next multiple of 64. For each part in order of place:
//	           8 length
//	           1 length of the name, from 1
//	           n name
//	         then for each page of each part, in the same order:
//	           4 CRC-32 of the page
//	trailer  8 offset of the table
//	         8 length of the whole file
//	         4 number of parts, at most 1024
//	         4 CRC-32 of the table and of the 20 bytes before
//	         8 magic  "docent\n\x89"
//
// The places of a part and of its checksums follow from the lengths before
// it. It is not stored, so it cannot disagree, and parts cannot overlap. There is
// one way to write given parts: a file without damage is, byte for byte, what
// Write makes of its parts.
//
// A page is 8 KiB of a part, counted from its start; the last may be shorter.
// Pages are checked when they are first touched; the table, about 1/2000 of the
// file, when the file is opened. The checksum in the trailer therefore stands
// for the whole content, and a manifest can name a file by it.
//
// The checksum is CRC-32 (IEEE) rather than the more usual CRC-32C because
// hash/crc32 needs 170 µs of tables before the first CRC-32C on amd64 and 17 for
// the other, where a whole search takes 1,000; it is also twice as fast here.
// What it finds for certain, at up to 11 KiB, is any three flipped bits and any
// damage within 32 bits. That is why a page is 8 KiB and not more. It guards
// against accidents, not against forgery: whoever can write the file can write
// the checksum.
//
// 64 is a cache line; parts may therefore be read as words, given a mapped file.
//
// The header keeps its form in all versions, so that any docent can tell what
// it has before it.
const (
	magic     = "\x89docent\n"
	tailMagic = "docent\n\x89"

	// Version is the format that Write writes and Open reads.
	//
	//	1  the first
	Version = 1

	align       = 64
	pageBits    = 13
	pageSize    = 1 << pageBits
	headerSize  = 16
	trailerSize = 32
	maxParts    = 1024
	maxName     = 255
)

// layout is what the table says.
type layout struct {
	blobs []Blob
	sums  []byte // 4 bytes a page, in order of the pages
	pages int
	table int64  // offset of the table
	sum   uint32 // stands for the whole content
}

// source is where the bytes of a file come from: memory, mapped or given, or
// else positional reads.
type source struct {
	path string
	mem  []byte
	at   io.ReaderAt // when mem is nil
	size int64
}

func (s *source) damaged(off int64, reason string) error {
	return &DamagedError{File: s.path, Offset: off, Reason: reason}
}

// read returns n bytes at off, which the caller has checked to lie within the
// size. It uses buf where it must copy and buf is large enough.
func (s *source) read(off int64, n int, buf []byte) ([]byte, error) {
	if s.mem != nil {
		return s.mem[off : off+int64(n)], nil
	}
	if cap(buf) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	got, err := s.at.ReadAt(buf, off)
	switch {
	case got == n:
		return buf, nil
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, s.damaged(off+int64(got), "the file has become shorter")
	}
	return nil, fmt.Errorf("read %s: %w", shown(s.path), err)
}

// parse reads header, trailer and table. The time and memory it takes are
// bounded by a 2000th of the file's size, whatever the file says.
func (s *source) parse() (layout, error) {
	if err := s.parseHeader(); err != nil {
		return layout{}, err
	}
	if s.size < align+trailerSize {
		return layout{}, s.damaged(s.size, "the file is cut off")
	}
	end := s.size - trailerSize
	trailer, err := s.read(end, trailerSize, nil)
	if err != nil {
		return layout{}, err
	}
	if string(trailer[24:]) != tailMagic {
		return layout{}, s.damaged(end, "the end of the file is missing")
	}
	var (
		table  = binary.LittleEndian.Uint64(trailer)
		length = binary.LittleEndian.Uint64(trailer[8:])
		parts  = binary.LittleEndian.Uint32(trailer[16:])
		sum    = binary.LittleEndian.Uint32(trailer[20:])
	)
	if length != uint64(s.size) {
		return layout{}, s.damaged(end, fmt.Sprintf("the file is %d bytes long and says %d", s.size, length))
	}
	most := uint64(maxParts*(9+maxName)) + 4*(uint64(s.size)/pageSize+maxParts)
	if parts > maxParts || table < align || table%align != 0 || table > uint64(end) || uint64(end)-table > most {
		return layout{}, s.damaged(end, "the trailer makes no sense")
	}
	toc, err := s.read(int64(table), int(end-int64(table)), nil)
	if err != nil {
		return layout{}, err
	}
	if crc32.Update(crc32.ChecksumIEEE(toc), crc32.IEEETable, trailer[:20]) != sum {
		return layout{}, s.damaged(int64(table), "the checksum of the table does not match")
	}
	return s.parseTable(toc, int64(table), int(parts), sum)
}

func (s *source) parseHeader() error {
	header, err := s.read(0, int(min(s.size, headerSize)), nil)
	if err != nil {
		return err
	}
	if n := min(len(header), len(magic)); string(header[:n]) != magic[:n] {
		return foreign(s.path)
	}
	if len(header) < headerSize {
		return s.damaged(s.size, "the file is cut off")
	}
	if crc32.ChecksumIEEE(header[:12]) != binary.LittleEndian.Uint32(header[12:]) {
		return s.damaged(0, "the checksum of the header does not match")
	}
	if v := binary.LittleEndian.Uint32(header[8:]); v != Version {
		return &VersionError{File: s.path, Have: uint64(v), Want: Version}
	}
	return nil
}

// parseTable places the parts. Everything is compared with the size before it
// is believed, for a checksum can be right by design.
func (s *source) parseTable(toc []byte, table int64, parts int, sum uint32) (layout, error) {
	l := layout{blobs: make([]Blob, 0, parts), table: table, sum: sum}
	bad := func() (layout, error) { return layout{}, s.damaged(table, "the table makes no sense") }
	rest, at := toc, int64(align)
	for range parts {
		if len(rest) < 9 {
			return bad()
		}
		length, n := binary.LittleEndian.Uint64(rest), int(rest[8])
		if n == 0 || len(rest) < 9+n || length > uint64(table-at) {
			return bad()
		}
		l.blobs = append(l.blobs, Blob{name: string(rest[9 : 9+n]), off: at, n: int(length), first: l.pages})
		rest = rest[9+n:]
		at = roundUp(at + int64(length)) // not beyond the table, which is aligned too
		l.pages += pagesIn(int(length))
	}
	if at != table || len(rest) != 4*l.pages {
		return bad()
	}
	l.sums = rest
	return l, nil
}

// pageSum returns the checksum that page p of the file should have.
func (l *layout) pageSum(p int) uint32 { return binary.LittleEndian.Uint32(l.sums[4*p:]) }

func pagesIn(n int) int { return (n + pageSize - 1) >> pageBits }

func roundUp(off int64) int64 { return (off + align - 1) &^ (align - 1) }

func allZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

// What can be wrong with a file or a folder, for errors.Is. All but ErrLocked
// have the same remedy: build the thing again from its sources. An error that
// is none of these (no permission, too many open files) says nothing about the
// content, and is no reason to throw a healthy index away.
var (
	ErrDamaged = errors.New("damaged")
	ErrVersion = errors.New("another format version")
	ErrForeign = errors.New("not a docent file")
	ErrLocked  = errors.New("another process is writing")
)

// A DamagedError says where a file is not what was written. It is ErrDamaged
// to errors.Is.
type DamagedError struct {
	File   string // path; "" for bytes given by the caller
	Part   string // "" where the damage is outside all parts
	Offset int64  // from the beginning of the file
	Reason string
}

func (e *DamagedError) Error() string {
	if e.Part == "" {
		return fmt.Sprintf("%s: damaged at byte %d: %s", shown(e.File), e.Offset, e.Reason)
	}
	return fmt.Sprintf("%s: damaged at byte %d, part %q: %s", shown(e.File), e.Offset, e.Part, e.Reason)
}

// Unwrap makes errors.Is(err, ErrDamaged) true.
func (e *DamagedError) Unwrap() error { return ErrDamaged }

// A VersionError says that a whole and undamaged header announces a format this
// program does not read. It is ErrVersion to errors.Is.
type VersionError struct {
	File string
	Have uint64 // the version of the file
	Want uint64 // the version this program reads
}

func (e *VersionError) Error() string {
	if e.Have < e.Want {
		return fmt.Sprintf("%s: written by an older docent (format %d, this one reads %d): build it again",
			shown(e.File), e.Have, e.Want)
	}
	return fmt.Sprintf("%s: written by a newer docent (format %d, this one reads %d): upgrade docent, or build it again",
		shown(e.File), e.Have, e.Want)
}

// Unwrap makes errors.Is(err, ErrVersion) true.
func (e *VersionError) Unwrap() error { return ErrVersion }

func foreign(file string) error { return fmt.Errorf("%s: %w", shown(file), ErrForeign) }

func shown(file string) string {
	if file == "" {
		return "packed data"
	}
	return file
}
