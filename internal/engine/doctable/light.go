package doctable

import "fmt"

// Rows in part, for those who look at many: strings stay numbers until they are
// asked for.

// A Heading is what a section is called, and where it begins.
type Heading struct {
	Title  uint32 // number of the string
	Start  int
	Parent int // row within the file, or -1
	Bare   bool
}

// Heading returns the heading of row i of the sections.
func (r *Reader) Heading(i int) (Heading, error) {
	b, err := row(r.sections, i, sectionSize)
	if err != nil {
		return Heading{}, err
	}
	h := Heading{Title: le.Uint32(b), Start: num(b[20:]), Parent: -1, Bare: b[29] != 0}
	if p := le.Uint32(b[8:]); p != none {
		h.Parent = int(p)
	}
	return h, nil
}

// FileOf returns the file of chunk i.
func (r *Reader) FileOf(i int) (int, error) {
	b, err := row(r.chunks, i, chunkSize)
	if err != nil {
		return 0, err
	}
	file := num(b)
	if file >= r.Files() {
		return 0, fmt.Errorf("%w: chunk %d", ErrFormat, i)
	}
	return file, nil
}

// SectionsOf returns the rows of the sections of file i, from first up to end.
func (r *Reader) SectionsOf(i int) (first, end int, err error) {
	b, err := row(r.files, i, fileSize)
	if err != nil {
		return 0, 0, err
	}
	first, end = num(b[52:]), num(b[52:])+num(b[56:])
	if end > r.Sections() {
		return 0, 0, fmt.Errorf("%w: file %d", ErrFormat, i)
	}
	return first, end, nil
}

// ChunksOf returns the rows of the chunks of file i, from first up to end.
func (r *Reader) ChunksOf(i int) (first, end int, err error) {
	b, err := row(r.files, i, fileSize)
	if err != nil {
		return 0, 0, err
	}
	first, end = num(b[60:]), num(b[60:])+num(b[64:])
	if end > r.Chunks() {
		return 0, 0, fmt.Errorf("%w: file %d", ErrFormat, i)
	}
	return first, end, nil
}

// Stat returns the path, size and time of file i.
func (r *Reader) Stat(i int) (path string, size, modTime int64, err error) {
	b, err := row(r.files, i, fileSize)
	if err != nil {
		return "", 0, 0, err
	}
	path, err = r.str(b)
	return path, int64(le.Uint64(b[12:])), int64(le.Uint64(b[20:])), err
}

// PathOf returns the number of the path of file i.
func (r *Reader) PathOf(i int) (uint32, error) {
	b, err := row(r.files, i, fileSize)
	if err != nil {
		return 0, err
	}
	return le.Uint32(b), nil
}

// Strings returns how many strings there are.
func (r *Reader) Strings() int { return r.strings.Len() / 4 }

// String returns string n.
func (r *Reader) String(n uint32) (string, error) {
	var b [4]byte
	le.PutUint32(b[:], n)
	return r.str(b[:])
}
