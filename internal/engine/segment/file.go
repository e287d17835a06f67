package segment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A File is one immutable file of named parts. It may be used by many
// goroutines at once, except for Close.
type File struct {
	src    source
	info   fs.FileInfo // of the file at src.path as it was opened; nil without one
	layout layout
	byName map[string]*Blob

	// passed has one bit for each page that has passed its checksum and, with
	// positional reads, has been read.
	passed []atomic.Uint64

	mu     sync.RWMutex // held to check pages; exclusively to fill and to close
	base   uintptr      // of the mapping; 0 when there is none
	unmap  func() error
	handle *os.File // with positional reads
	closed bool
}

// maxCopied is the largest part that is copied into memory where a file cannot be
// mapped.
const maxCopied = 4 << 30

// Open opens the file at path. It maps the file where that is possible and
// reads from it at need where not.
func Open(path string) (*File, error) { return open(path, mapFile) }

func open(path string, mapping func(*os.File, int) ([]byte, func() error, error)) (*File, error) {
	h, err := openFile(path)
	if err != nil {
		return nil, err
	}
	f := &File{src: source{path: path}}
	err = f.attach(h, mapping)
	if err == nil {
		err = f.load()
	}
	if err != nil {
		_ = f.Close()
		_ = h.Close()
		return nil, err
	}
	if f.handle == nil {
		_ = h.Close()
	}
	return f, nil
}

// attach maps h, or keeps it for positional reads.
func (f *File) attach(h *os.File, mapping func(*os.File, int) ([]byte, func() error, error)) error {
	info, err := h.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return foreign(f.src.path)
	}
	f.info, f.src.size = info, info.Size()
	if int64(int(f.src.size)) != f.src.size {
		return fmt.Errorf("open %s: %d bytes are too many for this machine", f.src.path, f.src.size)
	}
	if f.src.size > 0 {
		if mem, unmap, err := mapping(h, int(f.src.size)); err == nil {
			f.src.mem, f.unmap = mem, unmap
			f.base = uintptr(unsafe.Pointer(unsafe.SliceData(mem)))
			mappings.add(f)
			return nil
		}
	}
	f.src.at, f.handle = h, h
	return nil
}

// FromBytes gives access to a file in memory, such as one a program
// embeds. It copies nothing; b must not change.
func FromBytes(b []byte) (*File, error) {
	if b == nil {
		b = []byte{}
	}
	f := &File{src: source{mem: b, size: int64(len(b))}}
	if err := f.load(); err != nil {
		return nil, err
	}
	return f, nil
}

// load reads the table and makes the parts known.
func (f *File) load() error {
	err := Guard(func() (err error) {
		f.layout, err = f.src.parse()
		return err
	})
	if err != nil {
		return err
	}
	f.passed = make([]atomic.Uint64, (f.layout.pages+63)/64)
	f.byName = make(map[string]*Blob, len(f.layout.blobs))
	for i := range f.layout.blobs {
		b := &f.layout.blobs[i]
		if f.byName[b.name] != nil {
			return f.src.damaged(f.layout.table, fmt.Sprintf("two parts are called %q", b.name))
		}
		f.byName[b.name] = b
		b.f = f
		if f.src.mem != nil {
			b.data = f.src.mem[b.off : b.off+int64(b.n)]
		}
	}
	return nil
}

// Name returns the file's name without its folder; "" for bytes given by the
// caller. It is the name that Commit.Keep takes.
func (f *File) Name() string {
	if f.src.path == "" {
		return ""
	}
	return filepath.Base(f.src.path)
}

// Size returns the length of the file in bytes.
func (f *File) Size() int64 { return f.src.size }

// Names returns the names of the parts in the order in which they were written.
func (f *File) Names() []string {
	names := make([]string, len(f.layout.blobs))
	for i := range names {
		names[i] = f.layout.blobs[i].name
	}
	return names
}

// Part returns the part of that name. A reader that meets parts it does not
// know leaves them alone; that is how a format gains parts.
func (f *File) Part(name string) (*Blob, bool) {
	b, ok := f.byName[name]
	return b, ok
}

// Close lets go of the file. Slices that came from its parts must not be used
// afterwards: where the file was mapped, touching one ends the program.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	f.closed = true
	for i := range f.passed {
		f.passed[i].Store(0) // so that Bytes comes to check, which says that we are closed
	}
	var errs []error
	if f.unmap != nil {
		mappings.remove(f)
		errs = append(errs, f.unmap())
	}
	if f.handle != nil {
		errs = append(errs, f.handle.Close())
	}
	return errors.Join(errs...)
}

// check makes the pages of b from p to last fit to be handed out, or says why one
// is not.
func (f *File) check(b *Blob, p, last int) error {
	if f.src.mem == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
	} else {
		f.mu.RLock()
		defer f.mu.RUnlock()
	}
	if f.closed {
		return fmt.Errorf("read %s: %w", shown(f.src.path), fs.ErrClosed)
	}
	if b.data == nil {
		if int64(b.n) > maxCopied {
			return fmt.Errorf("read %s: part %q is too large to be read where files cannot be mapped", f.src.path, b.name)
		}
		b.data = make([]byte, b.n)
	}
	return Guard(func() error {
		for ; p <= last; p++ {
			page := b.first + p
			word, bit := &f.passed[page/64], uint64(1)<<(page%64)
			if word.Load()&bit != 0 {
				continue
			}
			if err := b.verify(p, b.data[p*pageSize:]); err != nil {
				return err
			}
			word.Or(bit)
		}
		return nil
	})
}
