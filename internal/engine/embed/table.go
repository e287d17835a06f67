package embed

// A table is the vectors of a few ten thousand words, and of a few thousand
// buckets among which all other words are divided by their hash. It is one file,
// used as it is in memory: opening one reads the head.
//
// All numbers are little-endian.
//
//	 0  16  "docent words 1\n\0"
//	16   4  dimensions, 256
//	20   4  words W
//	24   4  buckets B, a power of two
//	28   4  slots S, a power of two, more than W
//	32   4  bytes of text T
//	36  28  zero
//	64  32  SHA-256 of all bytes but these: the table's fingerprint
//	96      S slots of 4: a word's number plus 1, or 0
//	        W+1 offsets of 4: where a word's text begins
//	        T bytes of text, the words in their order, and zeros up to a multiple of 16
//	        W+B rows of 144 (rows.go): the words, then the buckets
//
// The word of a text is looked for from slot hash mod S on, up to an empty one.
// Words lie in the order of their weight in the training text, most frequent
// first, so that the rows most in use share pages.

import (
	"crypto/sha256"
	_ "embed" // base.table
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"unsafe"
)

const (
	tableMagic = "docent words 1\n\x00"
	digestAt   = 64
	tableHead  = digestAt + sha256.Size
	maxSize    = 1 << 30
)

// ErrFormat is returned for bytes that are not what they should be.
var ErrFormat = errors.New("not a table of this version")

// A Table holds word vectors. It never changes and may be used by many
// goroutines at once.
type Table struct {
	data    []byte
	slots   []byte
	offsets []byte
	text    []byte
	rows    []byte
	words   int
	buckets int
}

// Open returns the table that data holds, which must not change as long as the
// table is used. It looks at the head only: Verify reads it all. A damaged table
// gives wrong vectors, never a panic.
func Open(data []byte) (*Table, error) {
	if len(data) < tableHead || len(data) > maxSize || string(data[:len(tableMagic)]) != tableMagic {
		return nil, fmt.Errorf("open table: %w", ErrFormat)
	}
	var n [5]int
	for i := range n {
		// No number can be larger than the file, so none is too large for an int.
		n[i] = int(min(binary.LittleEndian.Uint32(data[16+4*i:]), uint32(len(data))))
	}
	dim, words, buckets, slots, text := n[0], n[1], n[2], n[3], n[4]
	if dim != Dim || words+buckets > len(data)/rowBytes || bits.OnesCount(uint(buckets)) != 1 ||
		slots > len(data)/4 || slots <= words || bits.OnesCount(uint(slots)) != 1 {
		return nil, fmt.Errorf("open table: %w: %d words, %d buckets of %d dimensions", ErrFormat, words, buckets, dim)
	}
	t := &Table{data: data, words: words, buckets: buckets}
	sizes := tableSizes(words, buckets, slots, text)
	if len(data) != sizes.total {
		return nil, fmt.Errorf("open table: %w: %d bytes instead of %d", ErrFormat, len(data), sizes.total)
	}
	t.slots = data[tableHead:sizes.offsets]
	t.offsets = data[sizes.offsets:sizes.text]
	t.text = data[sizes.text:][:text]
	t.rows = data[sizes.rows:]
	return t, nil
}

// layout is where the parts of a table begin.
type layout struct{ offsets, text, rows, total int }

func tableSizes(words, buckets, slots, text int) layout {
	l := layout{offsets: tableHead + 4*slots}
	l.text = l.offsets + 4*(words+1)
	l.rows = (l.text + text + 15) &^ 15
	l.total = l.rows + (words+buckets)*rowBytes
	return l
}

// digest is the checksum of a table or delta: of all bytes but its own.
func digest(data []byte) (sum [sha256.Size]byte) {
	h := sha256.New()
	h.Write(data[:digestAt])
	h.Write(data[digestAt+sha256.Size:])
	h.Sum(sum[:0])
	return sum
}

// Fingerprint names the table: tables with the same one give the same vectors.
func (t *Table) Fingerprint() string { return hex.EncodeToString(t.data[digestAt:tableHead]) }

// Bytes returns the bytes of the table.
func (t *Table) Bytes() []byte { return t.data }

// Rows returns how many rows there are, buckets included.
func (t *Table) Rows() int { return t.words + t.buckets }

func (t *Table) row(n int) []byte { return t.rows[n*rowBytes:][:rowBytes] }

func (t *Table) word(n int) []byte {
	from := binary.LittleEndian.Uint32(t.offsets[4*n:])
	to := binary.LittleEndian.Uint32(t.offsets[4*n+4:])
	if from > to || uint64(to) > uint64(len(t.text)) {
		return nil
	}
	return t.text[from:to]
}

// Place returns the place of a word among those of the table, from 0: they are in the
// order of how common they are in the training text. It is the number of words for one
// that the table has not. The word is in lower case; "_", "-" and apostrophes are left out.
func (t *Table) Place(word string) int {
	var buf [maxWord]byte
	plain := buf[:0]
	for _, b := range []byte(word) {
		if b != '_' && b != '-' && b != '\'' && len(plain) < maxWord {
			plain = append(plain, b)
		}
	}
	return min(t.find(plain), t.words)
}

// Has reports whether the table has a word, and not only a bucket for it.
func (t *Table) Has(word string) bool { return t.Place(word) < t.words }

// find returns the row of a word, its own or that of its bucket.
func (t *Table) find(word []byte) int {
	h := hash(word)
	mask := uint64(len(t.slots)/4 - 1)
	for i, tries := h&mask, 0; tries < maxProbes; i, tries = (i+1)&mask, tries+1 {
		n := int(binary.LittleEndian.Uint32(t.slots[4*i:])) - 1
		if n < 0 || n >= t.words {
			break
		}
		if string(t.word(n)) == string(word) {
			return n
		}
	}
	return t.words + int(h>>40)&(t.buckets-1)
}

// maxProbes ends the search in a damaged table. In a good one, which is half
// empty, the longest of 32,768 takes some twenty.
const maxProbes = 512

// hash is FNV-1a with its bits mixed: slots take the low ones, buckets the high.
func hash(word []byte) uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, b := range word {
		h = (h ^ uint64(b)) * 0x100000001b3
	}
	h = (h ^ h>>32) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// newTable makes a table of words and their rows. There is a row for each word,
// then one for each bucket.
func newTable(words []string, buckets int, rows []row) (*Table, error) {
	if len(rows) != len(words)+buckets {
		return nil, fmt.Errorf("make table: %d rows for %d words and %d buckets", len(rows), len(words), buckets)
	}
	t, err := emptyTable(words, buckets)
	if err != nil {
		return nil, err
	}
	for n := range rows {
		writeRow(t.row(n), &rows[n])
	}
	t.seal()
	return t, nil
}

// emptyTable makes a table whose rows are zero and whose checksum is not set.
func emptyTable(words []string, buckets int) (*Table, error) {
	if bits.OnesCount(uint(buckets)) != 1 || len(words)+buckets > maxSize/rowBytes/2 {
		return nil, fmt.Errorf("make table: %d words, %d buckets", len(words), buckets)
	}
	text := 0
	for _, w := range words {
		text += len(w)
	}
	slots := 1 << bits.Len(uint(2*len(words)-1))
	if len(words) == 0 {
		slots = 1
	}
	l := tableSizes(len(words), buckets, slots, text)
	data := make([]byte, l.total)
	copy(data, tableMagic)
	for i, n := range []int{Dim, len(words), buckets, slots, text} {
		binary.LittleEndian.PutUint32(data[16+4*i:], uint32(n))
	}
	t, err := Open(data)
	if err != nil {
		return nil, err
	}
	at := 0
	for n, w := range words {
		copy(t.text[at:], w)
		at += len(w)
		binary.LittleEndian.PutUint32(t.offsets[4*n+4:], uint32(at))
	}
	for n, w := range words {
		if t.find([]byte(w)) < len(words) {
			return nil, fmt.Errorf("make table: the word %q comes twice", w)
		}
		if err := t.enter(n, w); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// enter puts a word into the first free slot.
func (t *Table) enter(n int, w string) error {
	mask := uint64(len(t.slots)/4 - 1)
	i := hash([]byte(w)) & mask
	for range maxProbes {
		if slot := t.slots[4*i:][:4]; binary.LittleEndian.Uint32(slot) == 0 {
			binary.LittleEndian.PutUint32(slot, uint32(n+1))
			return nil
		}
		i = (i + 1) & mask
	}
	return errors.New("make table: too many words share a hash")
}

func (t *Table) seal() {
	sum := digest(t.data)
	copy(t.data[digestAt:], sum[:])
}

//go:embed base.table
var base string // a string, not a slice: its pages are read-only and shared

// Base returns the table that ships. It costs nothing to get: the table is used
// where it is in the program, and only the pages in use are ever read.
func Base() *Table {
	t, err := Open(unsafe.Slice(unsafe.StringData(base), len(base)))
	if err != nil {
		panic(fmt.Sprint("the table in the program: ", err)) // a test opens it
	}
	return t
}
