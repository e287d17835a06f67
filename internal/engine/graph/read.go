package graph

import (
	"fmt"
	"sort"

	"github.com/docent-md/docent/internal/blob"
)

// A Reader reads the tables of one segment. It is safe for many goroutines.
type Reader struct {
	files, records, strings, heap blob.Blob
	names, targets                table
}

// Open reads the tables whose parts the function returns.
func Open(part func(name string) (blob.Blob, error)) (*Reader, error) {
	r := &Reader{}
	var names, targets blob.Blob
	for _, p := range []struct {
		name string
		blob *blob.Blob
		row  int
	}{
		{filesPart, &r.files, fileSize},
		{recordsPart, &r.records, 1},
		{stringsPart, &r.strings, 4},
		{heapPart, &r.heap, 1},
		{namesPart, &names, 1},
		{targetsPart, &targets, 1},
	} {
		b, err := part(p.name)
		if err != nil {
			return nil, err
		}
		if b.Len()%p.row != 0 {
			return nil, fmt.Errorf("%w: %s", ErrFormat, p.name)
		}
		*p.blob = b
	}
	var err error
	if r.names, err = openTable(names); err != nil {
		return nil, err
	}
	r.targets, err = openTable(targets)
	return r, err
}

// Files returns the number of files.
func (r *Reader) Files() int { return r.files.Len() / fileSize }

// Links returns the number of links of all files, 0 when the tables are damaged.
func (r *Reader) Links() int {
	if r.Files() == 0 {
		return 0
	}
	_, n, err := r.linkRange(r.Files() - 1)
	if err != nil {
		return 0
	}
	return n
}

// row returns where the record of a file and its links begin and end.
func (r *Reader) row(i int) (from, to, first, end int, err error) {
	if i < 0 || i >= r.Files() {
		return 0, 0, 0, 0, fmt.Errorf("%w: row %d of %d", ErrFormat, i, r.Files())
	}
	at, n := i*fileSize, fileSize
	if i > 0 {
		at, n = at-fileSize, 2*fileSize
	}
	b, err := r.files.Bytes(at, n)
	if err != nil {
		return 0, 0, 0, 0, err
	}
	if i > 0 {
		from, first = int(le.Uint32(b)), int(le.Uint32(b[4:]))
		b = b[fileSize:]
	}
	to, end = int(le.Uint32(b)), int(le.Uint32(b[4:]))
	if from > to || to > r.records.Len() || first > end || end-first > to-from {
		return 0, 0, 0, 0, fmt.Errorf("%w: row %d", ErrFormat, i)
	}
	return from, to, first, end, nil
}

func (r *Reader) linkRange(i int) (first, end int, err error) {
	_, _, first, end, err = r.row(i)
	return first, end, err
}

// fileOf returns the row of the file that has link n.
func (r *Reader) fileOf(n int) (int, error) {
	var failed error
	i := sort.Search(r.Files(), func(i int) bool {
		_, end, err := r.linkRange(i)
		if err != nil {
			failed = err
			return true
		}
		return end > n
	})
	if failed == nil && i == r.Files() {
		failed = fmt.Errorf("%w: link %d", ErrFormat, n)
	}
	return i, failed
}

// open returns a cursor at the beginning of a record, and how many links it has.
func (r *Reader) open(row int) (cursor, int, error) {
	from, to, first, end, err := r.row(row)
	if err != nil {
		return cursor{}, 0, err
	}
	b, err := r.records.Bytes(from, to-from)
	return cursor{r: r, b: b}, end - first, err
}

func (r *Reader) str(i int) (string, error) {
	at, n := 4*i, 4
	if i > 0 {
		at, n = at-4, 8
	}
	if i < 0 || at+n > r.strings.Len() {
		return "", fmt.Errorf("%w: string %d", ErrFormat, i)
	}
	b, err := r.strings.Bytes(at, n)
	if err != nil {
		return "", err
	}
	from := 0
	if i > 0 {
		from = int(le.Uint32(b))
		b = b[4:]
	}
	to := int(le.Uint32(b))
	if from > to || to > r.heap.Len() {
		return "", fmt.Errorf("%w: string %d", ErrFormat, i)
	}
	text, err := r.heap.Bytes(from, to-from)
	return string(text), err
}

// links returns a cursor at the first link of a file.
func (r *Reader) links(row int) (linkCursor, error) {
	c, n, err := r.open(row)
	if err != nil {
		return linkCursor{}, err
	}
	c.skipNames()
	c.anchors(true)
	if c.count() != n && c.err == nil {
		c.fail()
	}
	return linkCursor{cursor: c, left: n}, c.err
}

func (r *Reader) record(row int) ([]Name, []Anchor, []Link, error) {
	c, n, err := r.open(row)
	if err != nil {
		return nil, nil, nil, err
	}
	names, anchors := c.names(), c.anchors(false)
	if c.count() != n && c.err == nil {
		c.fail()
	}
	lc := linkCursor{cursor: c, left: n}
	var links []Link
	for lc.left > 0 && lc.err == nil {
		links = append(links, lc.next(true))
	}
	return names, anchors, links, lc.err
}

// Names returns the names that the file of a row declares.
func (r *Reader) Names(row int) ([]Name, error) {
	c, _, err := r.open(row)
	if err != nil {
		return nil, err
	}
	return c.names(), c.err
}

// Anchors returns the places of the file of a row that are no sections.
func (r *Reader) Anchors(row int) ([]Anchor, error) {
	c, _, err := r.open(row)
	if err != nil {
		return nil, err
	}
	c.skipNames()
	return c.anchors(false), c.err
}
