package llm

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"

	"github.com/docent-md/docent/internal/wholefile"
)

// scan finds the records. It reads all of them: one that is not whole may be
// followed, within the length it claims, by one that is.
func (s *Store) scan() error {
	w := window{f: s.f, size: s.size}
	for off := int64(0); off+storeHeader <= s.size; {
		head, err := w.from(off, storeHeader)
		if err != nil {
			return err
		}
		key, n, ok := readHeader(head)
		if end := off + storeHeader + int64(n); ok && end <= s.size {
			record, err := w.from(off, storeHeader+n)
			if err != nil {
				return err
			}
			if sound(record[:storeHeader+n]) {
				s.at[key] = place{off, n}
				off = end
				continue
			}
		}
		if off, err = w.find(off+1, storeMagic); err != nil {
			return err
		}
	}
	return nil
}

// window reads a file from front to back through one buffer.
type window struct {
	f    *os.File
	size int64
	off  int64
	buf  []byte
}

// find returns where text next begins from off on, or the end of the file.
func (w *window) find(off int64, text string) (int64, error) {
	for off+int64(len(text)) <= w.size {
		rest, err := w.from(off, len(text))
		if err != nil {
			return 0, err
		}
		if i := bytes.Index(rest, []byte(text)); i >= 0 {
			return off + int64(i), nil
		}
		off += int64(len(rest) - len(text) + 1)
	}
	return w.size, nil
}

// from returns what is at hand from off on, at least n bytes; the file must
// have as many.
func (w *window) from(off int64, n int) ([]byte, error) {
	if off < w.off || off+int64(n) > w.off+int64(len(w.buf)) {
		size := min(max(int64(n), 256<<10), w.size-off)
		w.off, w.buf = off, slices.Grow(w.buf[:0], int(size))[:size]
		if _, err := w.f.ReadAt(w.buf, off); err != nil {
			return nil, err
		}
	}
	return w.buf[off-w.off:], nil
}

func readHeader(head []byte) (key Key, n int, ok bool) {
	le := binary.LittleEndian
	if string(head[:4]) != storeMagic || le.Uint32(head[28:]) != crc32.ChecksumIEEE(head[:28]) || le.Uint32(head[4:]) > maxValue {
		return Key{}, 0, false
	}
	return Key(head[8:24]), int(le.Uint32(head[4:])), true
}

// sound reports whether the value of a record is what was written.
func sound(record []byte) bool {
	return binary.LittleEndian.Uint32(record[24:]) == crc32.ChecksumIEEE(record[storeHeader:])
}

// shrink writes the newest records, up to most bytes, to a new file in place
// of the old.
func (s *Store) shrink(path string, most int64) error {
	places := make(map[int64]Key, len(s.at))
	var offsets []int64
	for k, p := range s.at {
		places[p.off] = k
		offsets = append(offsets, p.off)
	}
	slices.Sort(offsets)
	first := len(offsets)
	for total := int64(0); first > 0; first-- {
		total += storeHeader + int64(s.at[places[offsets[first-1]]].n)
		if total > most {
			break
		}
	}
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	for _, off := range offsets[first:] {
		key := places[off]
		if record, ok := s.read(key, s.at[key]); ok && err == nil {
			_, err = temp.Write(record)
		}
	}
	if err == nil {
		err = temp.Sync()
	}
	if e := temp.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	_ = s.f.Close() // Windows does not replace an open file
	return wholefile.Replace(temp.Name(), path)
}
