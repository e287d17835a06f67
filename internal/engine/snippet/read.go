package snippet

import (
	"encoding/binary"
	"math"
	"sort"
	"strings"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/blob"
)

// A Reader reads the tables of one segment. It may be used by many goroutines.
type Reader struct {
	parts [numParts]blob.Blob
	langs []string
}

// Open reads the tables whose parts the function returns.
func Open(part func(name string) (blob.Blob, error)) (*Reader, error) {
	r := &Reader{}
	for i, name := range partNames {
		b, err := part(name)
		if err != nil {
			return nil, err
		}
		r.parts[i] = b
	}
	if r.parts[filesPart].Len()%pairSize != 0 || r.parts[wordsPart].Len()%pairSize != 0 {
		return nil, ErrFormat
	}
	raw, err := r.parts[langsPart].Bytes(0, r.parts[langsPart].Len())
	if err != nil {
		return nil, err
	}
	r.langs = strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
	return r, nil
}

// Files returns the number of files.
func (r *Reader) Files() int { return r.parts[filesPart].Len() / pairSize }

// Len returns the number of blocks.
func (r *Reader) Len() (int, error) {
	if r.Files() == 0 {
		return 0, nil
	}
	_, _, _, end, err := r.row(filesPart, r.Files()-1)
	if end > r.parts[codePart].Len() { // a block has bytes
		return 0, damaged(codePart, end)
	}
	return end, err
}

// File returns the file that block i is in.
func (r *Reader) File(i int) (int, error) {
	var failed error
	file := sort.Search(r.Files(), func(f int) bool {
		_, _, _, end, err := r.row(filesPart, f)
		if err != nil {
			failed = err
		}
		return end > i
	})
	if failed == nil && (file == r.Files() || i < 0) {
		failed = damaged(codePart, i)
	}
	return file, failed
}

// InFile returns the blocks of a file, and the number of the first.
func (r *Reader) InFile(file int) (first int, blocks []Block, err error) {
	from, to, first, end, err := r.row(filesPart, file)
	if err != nil {
		return 0, nil, err
	}
	data, err := r.bytes(codePart, from, to)
	if err != nil {
		return 0, nil, err
	}
	last := Block{}
	var v [6]int
	blocks = make([]Block, 0, max(0, min(end-first, len(data)/len(v)))) // a number takes a byte or more
	for range end - first {
		for k := range v {
			x, n := binary.Uvarint(data)
			if n <= 0 || x > math.MaxInt32 {
				return 0, nil, damaged(codePart, file)
			}
			v[k], data = int(x), data[n:]
		}
		if v[1] >= len(r.langs) {
			return 0, nil, damaged(langsPart, v[1])
		}
		start, line := last.Span.End+v[2], last.Lines.End+v[4]
		last = Block{
			Section: last.Section + v[0], Language: r.langs[v[1]],
			Span: doc.Span{Start: start, End: start + v[3]}, Lines: doc.Lines{Start: line, End: line + v[5] - 1},
		}
		blocks = append(blocks, last)
	}
	return first, blocks, nil
}

// Find returns the blocks that have a name, in their order. Case matters, unless
// nothing has the name as it is written.
func (r *Reader) Find(name string) ([]Hit, error) {
	var failed error
	words := r.parts[wordsPart].Len() / pairSize
	i := sort.Search(words, func(i int) bool {
		w, err := r.word(i)
		if err != nil {
			failed = err
		}
		return w >= name
	})
	if failed != nil {
		return nil, failed
	}
	if i < words {
		if w, err := r.word(i); err != nil || w == name {
			hits, err2 := r.list(i)
			if err == nil {
				err = err2
			}
			return hits, err
		}
	}
	return nil, nil
}

// Fold returns the names that differ from a name in letter case only. It looks
// at every name there is.
func (r *Reader) Fold(name string) ([]string, error) {
	var out []string
	for i := range r.parts[wordsPart].Len() / pairSize {
		w, err := r.word(i)
		if err != nil {
			return nil, err
		}
		if len(w) == len(name) && strings.EqualFold(w, name) {
			out = append(out, w)
		}
	}
	return out, nil
}

// Names calls fn with every name, in sorted order.
func (r *Reader) Names(fn func(name string)) error {
	for i := range r.parts[wordsPart].Len() / pairSize {
		w, err := r.word(i)
		if err != nil {
			return err
		}
		fn(w)
	}
	return nil
}

func (r *Reader) each(fn func(name string, hits []Hit) error) error {
	for i := range r.parts[wordsPart].Len() / pairSize {
		w, err := r.word(i)
		if err != nil {
			return err
		}
		hits, err := r.list(i)
		if err != nil {
			return err
		}
		if err := fn(w, hits); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) list(word int) ([]Hit, error) {
	_, _, from, to, err := r.row(wordsPart, word)
	if err != nil {
		return nil, err
	}
	data, err := r.bytes(listsPart, from, to)
	if err != nil {
		return nil, err
	}
	var hits []Hit
	block := 0
	for len(data) > 0 {
		x, n := binary.Uvarint(data)
		if n <= 0 || x > math.MaxInt32<<2 {
			return nil, damaged(listsPart, word)
		}
		block += int(x >> 2)
		hits = append(hits, Hit{block, Kind(x & 3)})
		data = data[n:]
	}
	return hits, nil
}

func (r *Reader) word(i int) (string, error) {
	from, to, _, _, err := r.row(wordsPart, i)
	if err != nil {
		return "", err
	}
	b, err := r.bytes(heapPart, from, to)
	return string(b), err
}

// row reads the two ranges that row i of a table of pairs ends.
func (r *Reader) row(part, i int) (from1, to1, from2, to2 int, err error) {
	if i < 0 || i >= r.parts[part].Len()/pairSize {
		return 0, 0, 0, 0, damaged(part, i)
	}
	first := max(i-1, 0)
	b, err := r.parts[part].Bytes(pairSize*first, pairSize*(i-first+1))
	if err != nil {
		return 0, 0, 0, 0, err
	}
	if i > 0 {
		from1, from2 = int(le.Uint32(b)), int(le.Uint32(b[4:]))
		b = b[pairSize:]
	}
	to1, to2 = int(le.Uint32(b)), int(le.Uint32(b[4:]))
	if from1 > to1 || from2 > to2 {
		return 0, 0, 0, 0, damaged(part, i)
	}
	return from1, to1, from2, to2, nil
}

func (r *Reader) bytes(part, from, to int) ([]byte, error) {
	if to > r.parts[part].Len() {
		return nil, damaged(part, to)
	}
	return r.parts[part].Bytes(from, to-from)
}
