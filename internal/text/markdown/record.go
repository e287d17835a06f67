package markdown

import (
	"unsafe"

	"github.com/docent-md/docent/doc"
)

// A line of four bytes can hold three blocks of eighty each. These bounds keep
// the memory of a hostile file of 10 MiB under 200 MiB; what is beyond them is
// text. The most that one of 47,000 real files has is 7,236 blocks, 1,390
// headings and 2,379 links.
const (
	MaxBlocks   = 100_000
	MaxHeadings = 50_000
	MaxLinks    = 50_000
)

// While a file is scanned, what is found in it is written down in small values
// without pointers, whose memory is used again for the next file. At the end
// they become the document, in as many allocations as it has slices.

// A str is a string of the document: a part of the file, or, when start is
// negative, of record.made, from ^start on.
type str struct{ start, size int32 }

func (s span) str() str { return str{s.start, s.end - s.start} }

type block struct {
	span
	first, last int32 // lines
	parent      int32
	inner       span
	info        str
	kind        doc.Kind
	comment     bool // an HTML block that is a comment and nothing else
}

type heading struct {
	block  int32
	words  span // without "#" and underline, and later without explicit id
	title  str
	anchor str
	level  uint8
}

type section struct {
	heading, parent int32
	start, line     int32
	level           uint8
}

type link struct {
	span
	words, target str
	inner         span // what the words are to be taken from
	line, section int32
	kind          doc.LinkKind
	image         bool
}

// A record is what has been found in a file so far. Its slices hold no pointers
// and are used again for the next file.
type record struct {
	file string // the file; the strings of the document lie in it
	text []byte // the file once its blocks are known, with spaces for the markers of quotes

	blocks   []block
	headings []heading
	sections []section
	links    []link
	made     []byte // text that is not in the file as it stands
	defs     definitions

	budget int // bytes of lookahead left
}

// reset makes r ready for another file; only its memory is used again.
func (r *record) reset(src []byte) {
	r.file = unsafe.String(unsafe.SliceData(src), len(src))
	r.blocks, r.headings, r.sections = r.blocks[:0], r.headings[:0], r.sections[:0]
	r.links, r.made = r.links[:0], r.made[:0]
	r.defs.reset()
	r.budget = 16*len(src) + 1024
}

// spend takes n bytes of lookahead from the budget. All scanning that may come
// to nothing and be repeated further on pays here, so that the whole of Parse
// stays linear: when the budget is gone, constructs that need lookahead are
// text. Of 47,000 real files none used a third of it.
func (r *record) spend(n int) { r.budget -= n }

// bytes returns the bytes of a string.
func (r *record) bytes(t str) []byte {
	if t.start < 0 {
		return r.made[^t.start : ^t.start+t.size]
	}
	return r.text[t.start : t.start+t.size]
}

// madeFrom returns the string that was appended to made since it was n long.
func (r *record) madeFrom(n int) str { return str{^int32(n), int32(len(r.made) - n)} }

// lowered returns b in lower case.
func (r *record) lowered(b []byte) str {
	n := len(r.made)
	for _, c := range b {
		if isUpper(c) {
			c |= 0x20
		}
		r.made = append(r.made, c)
	}
	return r.madeFrom(n)
}
