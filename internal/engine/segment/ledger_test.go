package segment

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"testing"
)

// The stores of the tests hold a ledger: generation n holds the numbers 1 to n,
// spread over a base and some deltas, and n again as meta data. So a reader can
// tell a torn store, a mix of two generations, and a lost commit.

const ledgerDeltas = 3

func ledgerParts(from, to int) []Part {
	var b []byte
	for i := from; i <= to; i++ {
		b = binary.LittleEndian.AppendUint64(b, uint64(i))
	}
	return []Part{{Name: "numbers", Data: b}, {Name: "filler", Data: filler(from, to)}}
}

func filler(from, to int) []byte { return noise(uint64(from*10007+to), 3000+to*7919%60000) }

// readLedger returns n, or what is wrong.
func readLedger(s *Snapshot) (int, error) {
	if err := s.Verify(); err != nil {
		return 0, err
	}
	n := 0
	for _, f := range s.Files() {
		first := n + 1
		numbers, _ := f.Part("numbers")
		b, err := numbers.Bytes(0, numbers.Len())
		if err != nil {
			return 0, err
		}
		for ; len(b) > 0; b = b[8:] {
			n++
			if got := int(binary.LittleEndian.Uint64(b)); got != n {
				return 0, fmt.Errorf("%s has %d after %d", f.Name(), got, n-1)
			}
		}
		blob, _ := f.Part("filler")
		if b, err = blob.Bytes(0, blob.Len()); err != nil {
			return 0, err
		}
		if !bytes.Equal(b, filler(first, n)) {
			return 0, fmt.Errorf("%s: the filler is not that of %d to %d", f.Name(), first, n)
		}
	}
	if string(s.Meta) != strconv.Itoa(n) {
		return 0, fmt.Errorf("meta data of %s with files of %d", s.Meta, n)
	}
	return n, nil
}

// openLedger opens a store and returns its n; 0 where there is none.
func openLedger(dir string) (int, error) {
	s, err := OpenStore(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer s.Close()
	return readLedger(s)
}

// advance locks the store and takes it from n to n+1: by a delta, or by a new
// base when there are enough of them.
func advance(ctx context.Context, dir string, step func(op, name string) error) error {
	w, err := Lock(ctx, dir)
	if err != nil {
		return err
	}
	defer w.Close()
	w.folder.step = step
	return advanceWith(w)
}

func advanceWith(w *Writer) error {
	c := Commit{Add: [][]Part{ledgerParts(1, 1)}, Meta: []byte("1")}
	s, err := OpenStore(w.dir)
	if err == nil {
		n, err := readLedger(s)
		_ = s.Close() // before the commit, for Windows cannot remove what we have mapped
		if err != nil {
			return err
		}
		c.Meta = []byte(strconv.Itoa(n + 1))
		if len(s.Files()) > ledgerDeltas {
			c.Add = [][]Part{ledgerParts(1, n+1)}
		} else {
			for _, f := range s.Files() {
				c.Keep = append(c.Keep, f.Name())
			}
			c.Add = [][]Part{ledgerParts(n+1, n+1)}
		}
	} else if !errors.Is(err, fs.ErrNotExist) && !typed(err) {
		return err
	}
	return w.Commit(c)
}

// quickDir returns a new folder, in memory where there is such a thing: the tests
// that commit hundreds of times need not wait for a disk, and are more of a trial
// when they do not.
func quickDir(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "segment-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// list returns the sorted names in dir.
func list(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// noLitter checks that the folder holds what the newest generation names, and
// nothing else.
func noLitter(t testing.TB, dir string) {
	t.Helper()
	want := []string{ignoreName, cacheName, lockName}
	s, err := OpenStore(dir)
	if err == nil {
		want = append(want, manifestName)
		for _, f := range s.Files() {
			want = append(want, f.Name())
		}
		s.Close()
	} else if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	slices.Sort(want)
	if got := list(t, dir); !slices.Equal(got, want) {
		t.Fatalf("the folder holds %v, want %v", got, want)
	}
}
