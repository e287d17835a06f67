package segment

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// What a store's folder holds:
//
//	manifest         names the files that count; replaced by renaming
//	00000007-0.seg   one file of each commit that is still of use
//	lock             held by the writer; never removed
//	lock.pid         who that is, for people
//	.gitignore       keeps the index out of everyone's repository
//	CACHEDIR.TAG     keeps it out of backups (bford.info/cachedir)
//	*.tmp            a writer at work, or the litter of a dead one
const (
	manifestName = "manifest"
	lockName     = "lock"
	pidName      = "lock.pid"
	ignoreName   = ".gitignore"
	cacheName    = "CACHEDIR.TAG"
	tempSuffix   = ".tmp"
)

// cacheTag is what CACHEDIR.TAG holds in a store's folder.
const cacheTag = "Signature: 8a477f597d28d172789f06886806bc55\n" +
	"# This folder holds an index made by docent. It can be removed at any time.\n"

// IsStore reports whether the content of a folder proves that it is a store's. Names as
// common as "manifest" and "lock" do not. The folder of a writer that died before it
// wrote more than its lock counts.
func IsStore(dir string) bool {
	if begins(filepath.Join(dir, cacheName), cacheTag) || begins(filepath.Join(dir, manifestName), manifestWords) {
		return true
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || e.Name() != pidName && (e.Name() != lockName || info.Size() > 0) {
			return false
		}
	}
	return err == nil && len(entries) > 0
}

// begins reports whether a file begins with that text.
func begins(path, text string) bool {
	h, err := openFile(path)
	if err != nil {
		return false
	}
	defer h.Close()
	info, err := h.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	start := make([]byte, len(text))
	_, err = io.ReadFull(h, start)
	return err == nil && string(start) == text
}

// A Snapshot is one generation of a store, and stays it whatever writers do. It
// may be used by many goroutines at once, except for Close.
type Snapshot struct {
	Generation uint64 // counts the commits
	Meta       []byte // what the caller gave with the commit

	files []*File
}

// OpenStore opens the newest generation in dir. It takes no lock, writes
// nothing and waits for no writer. Where there is no index yet the error is
// fs.ErrNotExist.
func OpenStore(dir string) (*Snapshot, error) {
	path := filepath.Join(dir, manifestName)
	var before []byte
	var failed error
	for try := 0; ; try++ {
		raw, err := readManifest(path)
		if err != nil {
			return nil, fmt.Errorf("open index: %w", err)
		}
		// A file may have gone because a writer replaced the generation since we
		// read the manifest; then there is a new manifest. If there is none, or if
		// writers are quicker than we are a hundred times over, the fault is real.
		if failed != nil && (bytes.Equal(raw, before) || try == 100) {
			return nil, fmt.Errorf("open index: %w", failed)
		}
		if try > 10 {
			time.Sleep(time.Millisecond)
		}
		s, err := openGeneration(dir, raw)
		if err == nil {
			return s, nil
		}
		before, failed = raw, err
	}
}

// Generation returns the newest generation in dir without opening its files: a
// server can tell cheaply whether its Snapshot is still the newest.
func Generation(dir string) (uint64, error) {
	path := filepath.Join(dir, manifestName)
	raw, err := readManifest(path)
	if err != nil {
		return 0, fmt.Errorf("read index: %w", err)
	}
	m, err := decodeManifest(path, raw)
	if err != nil {
		return 0, fmt.Errorf("read index: %w", err)
	}
	return m.generation, nil
}

func openGeneration(dir string, raw []byte) (*Snapshot, error) {
	m, err := decodeManifest(filepath.Join(dir, manifestName), raw)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{Generation: m.generation, Meta: m.meta}
	for _, e := range m.files {
		f, err := openEntry(dir, e)
		if err != nil {
			_ = s.Close()
			return nil, err
		}
		s.files = append(s.files, f)
	}
	return s, nil
}

// openEntry opens a file and makes sure that it is the one meant.
func openEntry(dir string, e entry) (*File, error) {
	path := filepath.Join(dir, e.name)
	f, err := Open(path)
	if isMissing(err) {
		return nil, &DamagedError{File: path, Reason: "the manifest names it and it is not there"}
	}
	if err != nil {
		return nil, err
	}
	if f.Size() != e.length || f.layout.sum != e.sum {
		_ = f.Close()
		return nil, &DamagedError{File: path, Reason: "it is not the file that the manifest means"}
	}
	return f, nil
}

// Files returns the files in the order of the commit that made the generation:
// the base first, then what was added to it.
func (s *Snapshot) Files() []*File { return s.files }

// Verify reads every byte of every file and says all that is wrong.
func (s *Snapshot) Verify() error {
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.Verify())
	}
	return errors.Join(errs...)
}

// Close closes the files; see File.Close.
func (s *Snapshot) Close() error {
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}
