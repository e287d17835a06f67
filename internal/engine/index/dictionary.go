package index

import (
	"bytes"
	"encoding/binary"
	"math"
	"sort"

	"github.com/docent-md/docent/internal/blob"
)

// Format of a dictionary.
//
// The keys, sorted by their bytes, are one text with a line for each ("terms"
// and "words"). They are not compressed: a few hundred kilobytes more buy that
// grep finds all keys that contain, begin or end with a literal at the speed of
// bytes.Index.
//
// "terms.x" and "words.x" divide the lines into groups of 16. They begin with a
// record of 16 bytes for each group,
//
//	8  the first bytes of the first key, filled up with zeros
//	4  where the first key begins in the text
//	4  where the group's entries begin, counted from the end of the records
//
// so that a lookup reads few pages before it has found its group, and go on with
// the entries of each group: a varint, where the group's lists begin in
// "postings", then for each key
//
//	varint n<<2 | unranked<<1 | alias       n postings
//	varint number of a term                 if alias is 1: that term's list is the word's
//	varint bytes of the list                if alias is 0: it follows the one before
//	varint                                  if unranked is 1: postings with all counts 0
//
// A word has a line of its own unless the term that is spelled the same stems to
// itself and has the same list; then the term serves as the word. Where a word's
// list is that of one of its terms (the first such), it is an alias.

const (
	groupSize  = 16
	recordSize = 16
)

// An entry says where a key's list is.
type entry struct {
	n        int // postings
	unranked int // of them, those with all counts 0
	off, len int // of the list in "postings"
	alias    int // number of the term whose list it is, or -1
}

// df returns how many texts the key is ranked in.
func (e entry) df() int { return e.n - e.unranked }

// A dictWriter writes a dictionary. Keys must come sorted, their lists without
// gaps.
type dictWriter struct {
	text, records, entries []byte
	count                  int
	next                   int // where the next list of its own begins
}

func (w *dictWriter) add(key []byte, e entry) {
	if w.count%groupSize == 0 {
		var first [8]byte
		copy(first[:], key)
		w.records = append(w.records, first[:]...)
		w.records = binary.LittleEndian.AppendUint32(w.records, uint32(len(w.text)))
		w.records = binary.LittleEndian.AppendUint32(w.records, uint32(len(w.entries)))
		w.entries = binary.AppendUvarint(w.entries, uint64(w.next))
	}
	w.count++
	w.text = append(append(w.text, key...), '\n')
	head := uint64(e.n) << 2
	if e.unranked > 0 {
		head |= 2
	}
	if e.alias >= 0 {
		w.entries = binary.AppendUvarint(w.entries, head|1)
		w.entries = binary.AppendUvarint(w.entries, uint64(e.alias))
	} else {
		w.entries = binary.AppendUvarint(w.entries, head)
		w.entries = binary.AppendUvarint(w.entries, uint64(e.len))
		w.next = e.off + e.len
	}
	if e.unranked > 0 {
		w.entries = binary.AppendUvarint(w.entries, uint64(e.unranked))
	}
}

// A dictionary reads what a dictWriter wrote.
type dictionary struct {
	text, x blob.Blob
	count   int // keys
}

func (d *dictionary) groups() int { return (d.count + groupSize - 1) / groupSize }

func (d *dictionary) record(g int) ([]byte, error) { return d.x.Bytes(g*recordSize, recordSize) }

func (d *dictionary) groupText(g int) ([]byte, error) {
	from, n, err := d.extent(g, 8, d.text.Len())
	if err != nil {
		return nil, err
	}
	return d.text.Bytes(from, n)
}

func (d *dictionary) groupEntries(g int) ([]byte, error) {
	start := d.groups() * recordSize
	from, n, err := d.extent(g, 12, d.x.Len()-start)
	if err != nil {
		return nil, err
	}
	return d.x.Bytes(start+from, n)
}

// extent returns where group g begins, as its record says in the four bytes from
// field on, and how long it is: up to the next group, or to the end.
func (d *dictionary) extent(g, field, end int) (from, n int, err error) {
	r, err := d.record(g)
	if err != nil {
		return 0, 0, err
	}
	from = int(binary.LittleEndian.Uint32(r[field:]))
	if g+1 < d.groups() {
		if r, err = d.record(g + 1); err != nil {
			return 0, 0, err
		}
		end = int(binary.LittleEndian.Uint32(r[field:]))
	}
	if from > end {
		return 0, 0, damaged("dictionary group")
	}
	return from, end - from, nil
}

// search returns the number of the first key that is not less than key, and
// whether it is key.
func (d *dictionary) search(key []byte) (int, bool, error) {
	if d.count == 0 {
		return 0, false, nil
	}
	var want [8]byte
	copy(want[:], key)
	var failed error
	// The first group whose first key is greater; key is in the one before.
	g := sort.Search(d.groups(), func(g int) bool {
		r, err := d.record(g)
		if err != nil {
			failed = err
			return true
		}
		if c := bytes.Compare(r[:8], want[:]); c != 0 || len(key) < len(want) {
			// Keys hold no zero bytes: a shorter key that fills up to the same is the same.
			return c > 0
		}
		text, err := d.groupText(g)
		if err != nil {
			failed = err
			return true
		}
		return bytes.Compare(line(text), key) > 0
	})
	if failed != nil {
		return 0, false, failed
	}
	if g == 0 {
		return 0, false, nil
	}
	text, err := d.groupText(g - 1)
	if err != nil {
		return 0, false, err
	}
	at := (g - 1) * groupSize
	for ; len(text) > 0 && at < min(g*groupSize, d.count); at++ {
		l := line(text)
		if c := bytes.Compare(l, key); c >= 0 {
			return at, c == 0, nil
		}
		text = text[min(len(l)+1, len(text)):]
	}
	return min(g*groupSize, d.count), false, nil
}

// line returns text up to its first line end.
func line(text []byte) []byte {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return text[:i]
	}
	return text
}

// find returns the number of key, or -1.
func (d *dictionary) find(key []byte) (int, error) {
	i, ok, err := d.search(key)
	if err != nil || !ok {
		return -1, err
	}
	return i, nil
}

type dictScan struct {
	d       *dictionary
	at      int // number of the key
	key     []byte
	entry   entry
	text    []byte
	entries []byte
	off     uint64
	err     error
}

// scan returns a scan whose first next is at key number from. from must be a
// multiple of groupSize.
func (d *dictionary) scan(from int) dictScan { return dictScan{d: d, at: from - 1} }

// next moves on to the next key. It returns false at the end and on an error.
func (s *dictScan) next() bool {
	if s.err != nil || s.at+1 >= s.d.count {
		return false
	}
	s.at++
	if s.at%groupSize == 0 {
		g := s.at / groupSize
		if s.text, s.err = s.d.groupText(g); s.err != nil {
			return false
		}
		if s.entries, s.err = s.d.groupEntries(g); s.err != nil {
			return false
		}
		if s.off, s.err = s.varint(); s.err != nil {
			return false
		}
	}
	s.key = line(s.text)
	if len(s.key) == len(s.text) {
		s.err = damaged("dictionary text")
		return false
	}
	s.text = s.text[len(s.key)+1:]
	s.err = s.readEntry()
	return s.err == nil
}

// maxNumber is the largest number in an entry. It fits an int, also one of 32 bits.
const maxNumber = min(1<<48, math.MaxInt)

func (s *dictScan) varint() (uint64, error) {
	v, n := binary.Uvarint(s.entries)
	if n <= 0 || v > maxNumber {
		return 0, damaged("dictionary entry")
	}
	s.entries = s.entries[n:]
	return v, nil
}

func (s *dictScan) readEntry() error {
	head, err := s.varint()
	if err != nil {
		return err
	}
	second, err := s.varint()
	if err != nil {
		return err
	}
	s.entry = entry{n: int(head >> 2), alias: -1}
	if head&2 != 0 {
		u, err := s.varint()
		if err != nil {
			return err
		}
		s.entry.unranked = int(min(u, head>>2))
	}
	if head&1 != 0 {
		s.entry.alias = int(second)
		return nil
	}
	s.entry.off, s.entry.len = int(s.off), int(second)
	s.off += second
	if s.off > maxNumber {
		return damaged("dictionary entry")
	}
	return nil
}

// at returns the entry of key number i.
func (d *dictionary) entryAt(i int) (entry, error) {
	if i < 0 || i >= d.count {
		return entry{}, damaged("dictionary number")
	}
	s := d.scan(i / groupSize * groupSize)
	for s.next() {
		if s.at == i {
			return s.entry, nil
		}
	}
	return entry{}, s.err
}

// groupsOf returns the range of groups that may hold keys beginning with prefix.
func (d *dictionary) groupsOf(prefix []byte) (from, to int, err error) {
	first, _, err := d.search(prefix)
	if err != nil {
		return 0, 0, err
	}
	to = first/groupSize + 1
	for ; to < d.groups(); to++ {
		r, err := d.record(to)
		if err != nil {
			return 0, 0, err
		}
		if !bytes.HasPrefix(r[:8], prefix[:min(8, len(prefix))]) {
			break
		}
	}
	return first / groupSize, min(to, d.groups()), nil
}
