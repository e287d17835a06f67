package graph

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/docent-md/docent/internal/intern"
)

// A segment keeps six parts.
//
//	graph-files    a row a file, in the order of paths: end of its record u32, end of its
//	               links u32; links are numbered through the segment
//	graph-records  the records, one after another
//	graph-strings  u32 end offset a string, into graph-heap; numbered in the order
//	               of first use, each stored once
//	graph-heap     the strings' bytes
//	graph-names    the table of names (table.go): files by key
//	graph-targets  the table of targets: links by key
//
// A record is varints:
//
//	names    count; each: string<<1, plus 1 for a path
//	anchors  count; each: string, section
//	links    count; each: flags; distance in sections and in lines from the link before
//	         (zigzag); target; text, unless it follows from the target
//
// Keys are not stored with files and links: they are read from the tables when
// segments are merged, and follow from paths and targets otherwise.
const (
	filesPart   = "graph-files"
	recordsPart = "graph-records"
	stringsPart = "graph-strings"
	heapPart    = "graph-heap"
	namesPart   = "graph-names"
	targetsPart = "graph-targets"

	fileSize = 8
)

// The flags of a link; the low three bits are its kind.
const (
	kindBits  = 7
	imageFlag = 8
	cutFlag   = 16
	textFlag  = 32 // its text follows
)

// A Builder collects the tables of one segment. Files are added in the order of
// their paths.
type Builder struct {
	files, records []byte
	strings        intern.Table
	names, targets []pair
	rows, links    int
	inverted       map[*Reader]*inverted
}

// inverted leads from the rows and links of a segment to their keys.
type inverted struct{ names, targets inverse }

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder {
	return &Builder{inverted: map[*Reader]*inverted{}}
}

// Add appends a file.
func (b *Builder) Add(f File) error {
	if b.full(len(f.Links)) {
		return fmt.Errorf("links of %s: the index is full: split the corpus into several", f.Path)
	}
	for _, h := range f.nameKeys {
		b.names = append(b.names, newPair(h, uint32(b.rows)))
	}
	for _, k := range f.linkKeys {
		b.targets = append(b.targets, newPair(k.hash(), k.num()+uint32(b.links)))
	}
	b.record(f.Names, f.Anchors, f.Links)
	return nil
}

// Copy appends the file of a row of another segment.
func (b *Builder) Copy(r *Reader, row int) error {
	names, anchors, links, err := r.record(row)
	if err != nil {
		return err
	}
	if b.full(len(links)) {
		return fmt.Errorf("links: the index is full: split the corpus into several")
	}
	v := b.inverted[r]
	if v == nil {
		v = &inverted{}
		if v.names, err = r.names.invert(r.Files()); err != nil {
			return err
		}
		if v.targets, err = r.targets.invert(r.Links()); err != nil {
			return err
		}
		b.inverted[r] = v
	}
	for _, h := range v.names.of(row) {
		b.names = append(b.names, newPair(h, uint32(b.rows)))
	}
	first, _, err := r.linkRange(row)
	if err != nil {
		return err
	}
	for i := range links {
		for _, h := range v.targets.of(first + i) {
			b.targets = append(b.targets, newPair(h, uint32(b.links+i)))
		}
	}
	b.record(names, anchors, links)
	return nil
}

func (b *Builder) full(links int) bool {
	const most = math.MaxUint32 - 64<<20
	return uint64(len(b.strings.Heap())) > most || uint64(len(b.records)) > most || b.links+links >= math.MaxInt32
}

func (b *Builder) record(names []Name, anchors []Anchor, links []Link) {
	r := binary.AppendUvarint(b.records, uint64(len(names)))
	for _, n := range names {
		v := uint64(b.strings.Number(n.Text)) << 1
		if n.Path {
			v |= 1
		}
		r = binary.AppendUvarint(r, v)
	}
	r = binary.AppendUvarint(r, uint64(len(anchors)))
	for _, a := range anchors {
		r = binary.AppendUvarint(r, uint64(b.strings.Number(a.ID)))
		r = binary.AppendUvarint(r, uint64(a.Section))
	}
	r = binary.AppendUvarint(r, uint64(len(links)))
	section, line := 0, 0
	for i := range links {
		l := &links[i]
		flags := byte(l.Kind) & kindBits
		if l.Image {
			flags |= imageFlag
		}
		if l.cut {
			flags |= cutFlag
		}
		if l.Text != impliedText(l.Kind, l.Target) {
			flags |= textFlag
		}
		r = append(r, flags)
		r = binary.AppendVarint(r, int64(l.Section-section))
		r = binary.AppendVarint(r, int64(l.Line-line))
		section, line = l.Section, l.Line
		r = binary.AppendUvarint(r, uint64(b.strings.Number(l.Target)))
		if flags&textFlag != 0 {
			r = binary.AppendUvarint(r, uint64(b.strings.Number(l.Text)))
		}
	}
	b.records = r
	b.rows++
	b.links += len(links)
	b.files = le.AppendUint32(b.files, uint32(len(b.records)))
	b.files = le.AppendUint32(b.files, uint32(b.links))
}

// impliedText is the text of a link whose text is not stored.
func impliedText(k Kind, target string) string {
	if k == Macro {
		c := parseCall(target)
		return cutText(c.shown(), maxText)
	}
	return cutText(target, maxText)
}

// Parts calls fn with the name and the bytes of each table. Nothing can be added
// afterwards.
func (b *Builder) Parts(fn func(name string, data []byte)) {
	fn(filesPart, b.files)
	fn(recordsPart, b.records)
	fn(stringsPart, b.strings.Ends())
	fn(heapPart, b.strings.Heap())
	fn(namesPart, writeTable(b.names))
	fn(targetsPart, writeTable(b.targets))
}
