package crawl

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
)

// Folders is a cache of what the folders of a tree had in them when they were last
// read, for the next time it is listed. A folder that has the same stamp still has the same
// entries, because a file system moves its times on with every entry that is
// added, renamed or removed. Then only its files are looked at: two system calls
// for a folder with one file, in place of five.
//
// A folder is cached by its stamp alone, wherever it is: no other has or had
// the same. It is not cached before its stamp is [Stamp.Settled], nor on file
// systems that are not known to keep such times (native_linux.go).
type Folders struct {
	device  uint64
	begun   bool
	table   []byte // what is known, sorted by number
	entries []byte
	seen    []bool // which of it was met again

	mu    sync.Mutex
	fresh []cachedFolder // what was not known

	later time.Duration // for tests: how much later it seems to be
}

// A cachedFolder is one folder of the cache. Its entries are those that may concern us: each a
// letter for its kind, its name, and a zero.
type cachedFolder struct {
	stamp   Stamp
	entries []byte
}

// Letters for the kinds of entries.
const (
	kindFile  = 'f'
	kindDir   = 'd'
	kindLink  = 'l'
	kindOther = 'o'
)

// The encoding is foldersMagic, the CRC-32 (IEEE) of what follows, the number of
// folders (4 bytes), the device (8), the table and the entries of all folders one
// after the other. A row of the table is number, size and two times of a folder (8
// each) and where its entries end (4). Numbers are little endian.
const (
	foldersMagic = "docent folders 1\n"
	foldersHead  = len(foldersMagic) + 4 + 4 + 8
	folderRow    = 4*8 + 4
)

// ErrFolders is for bytes that are no Folders.
var ErrFolders = errors.New("not a list of folders, or a damaged one")

// DecodeFolders reads what Encode wrote, and keeps it. Folders that know nothing
// come with the error, and without one of no bytes at all.
func DecodeFolders(data []byte) (*Folders, error) {
	if len(data) == 0 {
		return &Folders{}, nil
	}
	if len(data) < foldersHead || !strings.HasPrefix(string(data[:len(foldersMagic)]), foldersMagic) {
		return &Folders{}, ErrFolders
	}
	rest := data[len(foldersMagic):]
	if binary.LittleEndian.Uint32(rest) != crc32.ChecksumIEEE(rest[4:]) {
		return &Folders{}, ErrFolders
	}
	n := uint64(binary.LittleEndian.Uint32(rest[4:]))
	if n*folderRow > uint64(len(data)-foldersHead) {
		return &Folders{}, ErrFolders
	}
	device, rows := binary.LittleEndian.Uint64(rest[8:]), data[foldersHead:]
	return &Folders{
		device: device, table: rows[:n*folderRow], entries: rows[n*folderRow:], seen: make([]bool, n),
	}, nil
}

// Encode returns the folders that were met since they were decoded.
func (f *Folders) Encode() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := slices.Clone(f.fresh)
	for i, seen := range f.seen {
		if seen {
			all = append(all, f.at(i))
		}
	}
	slices.SortFunc(all, func(a, b cachedFolder) int { return cmp.Compare(a.stamp.Number, b.stamp.Number) })
	out := append(make([]byte, 0, foldersHead+len(all)*(folderRow+32)), foldersMagic...)
	out = binary.LittleEndian.AppendUint32(out, 0)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(all)))
	out = binary.LittleEndian.AppendUint64(out, f.device)
	end := 0
	for _, h := range all {
		end += len(h.entries)
		for _, v := range []uint64{h.stamp.Number, uint64(h.stamp.Size), uint64(h.stamp.Modified), uint64(h.stamp.Changed)} {
			out = binary.LittleEndian.AppendUint64(out, v)
		}
		out = binary.LittleEndian.AppendUint32(out, uint32(end))
	}
	for _, h := range all {
		out = append(out, h.entries...)
	}
	rest := out[len(foldersMagic):]
	binary.LittleEndian.PutUint32(rest, crc32.ChecksumIEEE(rest[4:]))
	return out
}

// Few folders are listed as quickly as what is known of them is read. Many are too
// much to keep.
const (
	fewFolders  = 64
	manyEntries = 64 << 20 // bytes
)

// Worth reports whether the cache should be written again.
func (f *Folders) Worth() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	met, size := len(f.fresh), len(f.entries)
	for _, h := range f.fresh {
		size += len(h.entries)
	}
	for _, seen := range f.seen {
		if seen {
			met++
		}
	}
	return met >= fewFolders && size <= manyEntries && (len(f.fresh) > 0 || met < len(f.seen)/2)
}

// begin says which device is listed. Folders are of one: what was known of another
// is forgotten.
func (f *Folders) begin(device uint64) {
	if !f.begun && f.device != device {
		f.device, f.table, f.entries, f.seen = device, nil, nil, nil
	}
	f.begun = true
}

// number returns that of folder i of the table.
func (f *Folders) number(i int) uint64 { return binary.LittleEndian.Uint64(f.table[i*folderRow:]) }

// at returns folder i of the table. With a table that is not as it should be, its
// entries may be none.
func (f *Folders) at(i int) cachedFolder {
	row := f.table[i*folderRow:][:folderRow]
	value := func(i int) uint64 { return binary.LittleEndian.Uint64(row[8*i:]) }
	from, to := uint32(0), binary.LittleEndian.Uint32(row[4*8:])
	if i > 0 {
		from = binary.LittleEndian.Uint32(f.table[i*folderRow-4:])
	}
	h := cachedFolder{stamp: Stamp{f.device, value(0), int64(value(1)), int64(value(2)), int64(value(3))}}
	if from <= to && int64(to) <= int64(len(f.entries)) {
		h.entries = f.entries[from:to]
	}
	return h
}

// cached returns the entries of the folder with that stamp, if it is known.
func (f *Folders) cached(s Stamp) ([]byte, bool) {
	i := sort.Search(len(f.seen), func(i int) bool { return f.number(i) >= s.Number })
	if i == len(f.seen) || f.number(i) != s.Number {
		return nil, false
	}
	h := f.at(i)
	if h.stamp != s {
		return nil, false
	}
	f.seen[i] = true // no other goroutine lists this folder
	return h.entries, true
}

// remember keeps the entries of a folder that had that stamp before it was read,
// at a time.
func (f *Folders) remember(s Stamp, at time.Time, entries []byte) {
	if s.Device != f.device || !s.Settled(at.Add(f.later)) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fresh = append(f.fresh, cachedFolder{s, entries})
}
