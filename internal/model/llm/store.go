package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// The format of a store: records, one after the other. Numbers are
// little-endian.
//
//	4  magic "\xd0llm"
//	4  length of the value, at most 16 MiB
//	16 key
//	4  CRC-32 (IEEE) of the value
//	4  CRC-32 (IEEE) of the 28 bytes before
//	n  value
//
// Records are only ever added, several by one write, so that a process may be
// killed at any moment and two may add at once. What a kill or a full disk
// leaves half written fails its checksum and is stepped over, to the next magic
// that heads a sound record. The last record of a key counts.
const (
	storeMagic  = "\xd0llm"
	storeHeader = 32
	maxValue    = 16 << 20
)

// A Key names what was asked.
type Key [16]byte

// KeyOf returns the key of the parts, which are told apart: ("a", "b") is not
// ("ab", "").
func KeyOf(parts ...string) Key {
	h := sha256.New()
	for _, p := range parts {
		_ = binary.Write(h, binary.LittleEndian, uint64(len(p)))
		_, _ = io.WriteString(h, p)
	}
	return Key(h.Sum(nil)[:16])
}

// A Store keeps answers on disk by what was asked. A nil *Store is empty and
// stays so. It may be used by many goroutines at once.
type Store struct {
	mu   sync.Mutex
	f    *os.File
	at   map[Key]place
	size int64
}

type place struct {
	off int64 // of the header
	n   int   // length of the value
}

// OpenStore opens the store at path, or makes one, readable by its user only.
// When it has grown beyond most bytes it is rewritten with the newest half;
// most of 0 means no limit.
func OpenStore(path string, most int64) (*Store, error) {
	s, err := openStore(path)
	if err != nil {
		return nil, fmt.Errorf("open cache %s: %w", path, err)
	}
	if most <= 0 || s.size <= most {
		return s, nil
	}
	// A cache that is too large is better than none: another process may hold
	// the file where it cannot be replaced, or the disk may be full.
	_ = s.shrink(path, most/2)
	_ = s.Close()
	if s, err = openStore(path); err != nil {
		return nil, fmt.Errorf("open cache %s: %w", path, err)
	}
	return s, nil
}

func openStore(path string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	s := &Store{f: f, at: map[Key]place{}}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err == nil {
		s.size = info.Size()
		err = s.scan()
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return s, nil
}

// Get returns the value of a key. A damaged value is as good as none.
func (s *Store) Get(key Key) ([]byte, bool) {
	if s == nil {
		return nil, false
	}
	s.mu.Lock()
	p, ok := s.at[key]
	s.mu.Unlock()
	if !ok {
		return nil, false
	}
	record, ok := s.read(key, p)
	if !ok {
		return nil, false
	}
	return record[storeHeader:], true
}

func (s *Store) read(key Key, p place) ([]byte, bool) {
	record := make([]byte, storeHeader+p.n)
	if _, err := s.f.ReadAt(record, p.off); err != nil {
		return nil, false
	}
	k, n, ok := readHeader(record)
	if !ok || k != key || n != p.n || !sound(record) {
		return nil, false
	}
	return record, true
}

// Put adds values and returns when they are on the disk.
func (s *Store) Put(values map[Key][]byte) error {
	if s == nil || len(values) == 0 {
		return nil
	}
	for _, v := range values {
		if len(v) > maxValue {
			return fmt.Errorf("cache: a value of %d bytes", len(v))
		}
	}
	keys := slices.SortedFunc(maps.Keys(values), func(a, b Key) int { return bytes.Compare(a[:], b[:]) })
	var out []byte
	at := make([]place, len(keys))
	for i, k := range keys {
		at[i] = place{int64(len(out)), len(values[k])}
		out = append(appendHeader(out, k, values[k]), values[k]...)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.f.Write(out); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	if err := s.f.Sync(); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	// Another process may have added in between, so the file is asked where
	// we are. Were that wrong, read would notice.
	end, err := s.f.Seek(0, io.SeekCurrent)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	for i, k := range keys {
		at[i].off += end - int64(len(out))
		s.at[k] = at[i]
	}
	return nil
}

func appendHeader(out []byte, key Key, value []byte) []byte {
	le := binary.LittleEndian
	start := len(out)
	out = append(out, storeMagic...)
	out = le.AppendUint32(out, uint32(len(value)))
	out = append(out, key[:]...)
	out = le.AppendUint32(out, crc32.ChecksumIEEE(value))
	return le.AppendUint32(out, crc32.ChecksumIEEE(out[start:]))
}

// Close closes the file. The store may not be used afterwards.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	return s.f.Close()
}
