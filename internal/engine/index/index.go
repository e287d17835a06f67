// Package index finds numbered texts by their words. It knows nothing of
// documents: a caller adds texts and gets back the numbers that match.
//
// Build turns texts into parts, named pieces of bytes that never change; Open
// reads them back through a Blob, so that they may be in memory or in a mapped
// file. Merge joins several indexes without looking at the texts again. A
// Searcher answers ranked queries over one or more of them, some texts of which
// may have been deleted since, exactly as it would over a fresh Build of the
// texts that are left.
//
// Readers and Searchers never change and may be used by many goroutines at once.
package index

import (
	"encoding/binary"
	"fmt"

	"github.com/docent-md/docent/internal/blob"
)

// A Text is what one number stands for, divided by how much its words weigh.
type Text struct {
	Title    string
	Headings string // the titles above its own
	Body     string

	// Rest holds whatever else the source has, or all of it. Its words carry no
	// weight; they are there so that every word of the source can be looked up.
	Rest string
}

// A Part is one named piece of a built index. The same texts always give the
// same parts, byte for byte.
type Part struct {
	Name string
	Data []byte
}

// ErrDamaged is what reading parts returns, wrapped, when they are not what
// Build wrote.
var ErrDamaged = blob.ErrDamaged

func damaged(what string) error { return fmt.Errorf("%w: %s", ErrDamaged, what) }

// The parts of an index, in the order Build and Merge return them.
const (
	partMeta     = "meta"
	partLengths  = "lengths"
	partTerms    = "terms"
	partTermsX   = "terms.x"
	partWords    = "words"
	partWordsX   = "words.x"
	partPostings = "postings"
)

const metaSize = len(magic) + 8*(4+numFields)

// A Reader is one built index.
type Reader struct {
	texts    uint32
	stats    stats
	lengths  [numFields][]byte
	terms    dictionary
	words    dictionary
	postings blob.Blob
}

// Open reads an index whose parts are given by name. It touches little of them:
// what is wrong deeper inside is found when a query comes across it.
func Open(part func(name string) (blob.Blob, error)) (*Reader, error) {
	var blobs [7]blob.Blob
	for i, name := range []string{
		partMeta, partLengths, partTerms, partTermsX, partWords, partWordsX, partPostings,
	} {
		b, err := part(name)
		if err != nil {
			return nil, fmt.Errorf("open index part %s: %w", name, err)
		}
		blobs[i] = b
	}
	r := &Reader{
		terms:    dictionary{text: blobs[2], x: blobs[3]},
		words:    dictionary{text: blobs[4], x: blobs[5]},
		postings: blobs[6],
	}
	if err := r.readMeta(blobs[0]); err != nil {
		return nil, err
	}
	n := int(r.texts)
	if blobs[1].Len() != n*numFields {
		return nil, damaged("lengths")
	}
	lengths, err := blobs[1].Bytes(0, n*numFields)
	if err != nil {
		return nil, err
	}
	for f := range r.lengths {
		r.lengths[f] = lengths[f*n : (f+1)*n]
	}
	for _, d := range []*dictionary{&r.terms, &r.words} {
		if d.count < 0 || d.count > d.text.Len() || d.groups()*recordSize > d.x.Len() {
			return nil, damaged("dictionary size")
		}
	}
	return r, nil
}

func (r *Reader) readMeta(b blob.Blob) error {
	if b.Len() != metaSize {
		return damaged("meta size")
	}
	data, err := b.Bytes(0, metaSize)
	if err != nil {
		return err
	}
	if string(data[:len(magic)]) != magic {
		return damaged("not an index")
	}
	var v [4 + numFields]uint64
	for i := range v {
		v[i] = binary.LittleEndian.Uint64(data[len(magic)+8*i:])
	}
	if v[0] != Version {
		return fmt.Errorf("%w: format %d, want %d", ErrDamaged, v[0], Version)
	}
	const most = 1 << 31
	if v[1] > most || v[2] > most || v[3] > most {
		return damaged("meta")
	}
	r.texts = uint32(v[1])
	r.terms.count, r.words.count = int(v[2]), int(v[3])
	r.stats = stats{texts: int(v[1]), sums: [numFields]uint64(v[4:])}
	return nil
}

func appendMeta(s *stats, terms, words int) []byte {
	data := []byte(magic)
	for _, v := range append([]uint64{Version, uint64(s.texts), uint64(terms), uint64(words)}, s.sums[:]...) {
		data = binary.LittleEndian.AppendUint64(data, v)
	}
	return data
}

// Len returns how many texts the index holds; they are numbered from 0.
func (r *Reader) Len() int { return int(r.texts) }

func (r *Reader) list(e entry) (list, error) {
	if e.alias >= 0 {
		n := e.n
		var err error
		if e, err = r.terms.entryAt(e.alias); err != nil {
			return list{}, err
		}
		if e.alias >= 0 || e.n != n {
			return list{}, damaged("alias")
		}
	}
	data, err := r.postings.Bytes(e.off, e.len+padding)
	if err != nil {
		return list{}, err
	}
	l, err := openList(data, e.n, r.texts)
	l.off = e.off
	return l, err
}

// term returns the entry of a term; one with no postings if there is none.
func (r *Reader) term(term []byte) (entry, error) {
	i, err := r.terms.find(term)
	if err != nil || i < 0 {
		return entry{alias: -1}, err
	}
	return r.terms.entryAt(i)
}

// word returns the entry of a word. stable says whether the word stems to
// itself, so that a term of the same spelling may stand for it.
func (r *Reader) word(word []byte, stable func() bool) (entry, error) {
	i, err := r.words.find(word)
	if err != nil {
		return entry{}, err
	}
	if i >= 0 {
		return r.words.entryAt(i)
	}
	if !stable() {
		return entry{alias: -1}, nil
	}
	return r.term(word)
}
