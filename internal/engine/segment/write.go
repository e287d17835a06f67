package segment

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"github.com/docent-md/docent/internal/wholefile"
)

// A Part is a named run of bytes to be written.
type Part struct {
	Name string // 1 to 255 bytes, different from the other names in the file
	Data []byte

	// Stream, when set, is called once to write the bytes instead of Data, for
	// parts that need not be in memory all at once.
	Stream func(io.Writer) error

	// Scanned says that who reads the part reads all of it, not a bit here and
	// there. It changes nothing in the file; see pieceSize.
	Scanned bool
}

// pieceSize is the most that one write writes of a part that is not scanned. Linux
// keeps what was written at once in pages as large as that, up to 2 MiB, and where
// a file is mapped, touching a byte brings in its whole page. For a scan that is
// best; for what is read here and there it would be memory without use: a search
// in 36 MB that needs 2 would be charged with 10.
const pieceSize = 64 << 10

// Write writes a file of the given parts, in their order, and returns its
// length. The same parts give the same bytes. Nothing is copied but what fits in
// a small buffer.
func Write(w io.Writer, parts []Part) (int64, error) {
	n, _, err := write(w, parts)
	return n, err
}

// WriteFile makes or replaces the file at path. It appears under its name only
// when it is whole and on the disk; after an error there is what was there before.
func WriteFile(path string, parts []Part) error { return writeFile(path, parts, nil) }

// writeFile is WriteFile with the steps of a folder.
func writeFile(path string, parts []Part, step func(op, name string) error) (err error) {
	dir, name := filepath.Split(path)
	root, err := os.OpenRoot(filepath.Clean(dir))
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer root.Close()
	wholefile.RemoveDead(path)
	// The process number keeps two programs apart that write the same file.
	temp := fmt.Sprintf(".%s.%d.tmp", name, os.Getpid())
	f := folder{root: root, step: step}
	defer func() {
		if err != nil {
			_ = root.Remove(temp)
			err = fmt.Errorf("write %s: %w", path, err)
		}
	}()
	_ = root.Remove(temp)
	err = f.create(temp, func(w io.Writer) error {
		_, err := Write(w, parts)
		return err
	})
	if err != nil {
		return err
	}
	if err := f.rename(temp, name); err != nil {
		return err
	}
	return f.sync()
}

// write also returns the checksum that stands for the whole content.
func write(w io.Writer, parts []Part) (length int64, sum uint32, err error) {
	if err := checkParts(parts); err != nil {
		return 0, 0, fmt.Errorf("write segment: %w", err)
	}
	e := encoder{w: bufio.NewWriterSize(w, pieceSize)}
	header := binary.LittleEndian.AppendUint32([]byte(magic), Version)
	header = binary.LittleEndian.AppendUint32(header, crc32.ChecksumIEEE(header))
	e.put(header)
	e.pad()
	var table []byte
	for _, p := range parts {
		n, err := e.part(p)
		if err != nil {
			return e.off, 0, fmt.Errorf("write segment: part %q: %w", p.Name, err)
		}
		table = binary.LittleEndian.AppendUint64(table, uint64(n))
		table = append(table, byte(len(p.Name)))
		table = append(table, p.Name...)
	}
	table = append(table, e.sums...)
	trailer := binary.LittleEndian.AppendUint64(nil, uint64(e.off))
	trailer = binary.LittleEndian.AppendUint64(trailer, uint64(e.off)+uint64(len(table))+trailerSize)
	trailer = binary.LittleEndian.AppendUint32(trailer, uint32(len(parts)))
	sum = crc32.Update(crc32.ChecksumIEEE(table), crc32.IEEETable, trailer)
	trailer = binary.LittleEndian.AppendUint32(trailer, sum)
	e.put(table)
	e.put(append(trailer, tailMagic...))
	if e.err == nil {
		e.err = e.w.Flush()
	}
	if e.err != nil {
		return e.off, 0, fmt.Errorf("write segment: %w", e.err)
	}
	return e.off, sum, nil
}

func checkParts(parts []Part) error {
	if len(parts) > maxParts {
		return fmt.Errorf("%d parts; at most %d fit", len(parts), maxParts)
	}
	seen := make(map[string]bool, len(parts))
	for _, p := range parts {
		switch {
		case p.Name == "":
			return errors.New("a part has no name")
		case len(p.Name) > maxName:
			return fmt.Errorf("part %.20q...: the name is longer than %d bytes", p.Name, maxName)
		case seen[p.Name]:
			return fmt.Errorf("two parts are called %q", p.Name)
		}
		seen[p.Name] = true
	}
	return nil
}

// encoder writes bytes and takes the checksums of the pages of the current part.
// It remembers the first error and does nothing after it.
type encoder struct {
	w    *bufio.Writer
	off  int64
	scan bool // the part is scanned
	sums []byte
	crc  uint32 // of the page so far
	fill int    // bytes in that page
	err  error
}

func (e *encoder) put(b []byte) {
	for len(b) > 0 && e.err == nil {
		// What is larger than the buffer goes past it.
		n := len(b)
		if !e.scan {
			n = min(n, e.w.Available())
		}
		n, e.err = e.w.Write(b[:n])
		e.off += int64(n)
		if b = b[n:]; e.err == nil && e.w.Available() == 0 {
			e.err = e.w.Flush()
		}
	}
}

func (e *encoder) pad() {
	var zeros [align]byte
	e.put(zeros[:roundUp(e.off)-e.off])
}

// Write takes bytes of the current part.
func (e *encoder) Write(b []byte) (int, error) {
	e.put(b)
	if e.err != nil {
		return 0, e.err
	}
	for rest := b; len(rest) > 0; {
		n := min(len(rest), pageSize-e.fill)
		e.crc = crc32.Update(e.crc, crc32.IEEETable, rest[:n])
		e.fill += n
		rest = rest[n:]
		if e.fill == pageSize {
			e.endPage()
		}
	}
	return len(b), nil
}

func (e *encoder) endPage() {
	e.sums = binary.LittleEndian.AppendUint32(e.sums, e.crc)
	e.crc, e.fill = 0, 0
}

func (e *encoder) part(p Part) (int64, error) {
	start := e.off
	e.scan = p.Scanned
	if p.Stream != nil {
		if err := p.Stream(e); err != nil {
			return 0, err
		}
	} else {
		_, _ = e.Write(p.Data)
	}
	e.scan = false
	n := e.off - start
	if e.fill > 0 {
		e.endPage()
	}
	e.pad()
	return n, e.err
}
