package texts

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

func someTable(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 0, n+8)
	for len(data) < n {
		data = binary.LittleEndian.AppendUint32(data, uint32(rng.IntN(300)))
	}
	return data[:n]
}

// Any piece of a squeezed table is what it was, within a block and across several.
func TestSqueezeRows(t *testing.T) {
	for _, n := range []int{0, 1, 32, rowsBlock - 1, rowsBlock, rowsBlock + 1, 5*rowsBlock + 77} {
		data := someTable(n)
		packed, err := SqueezeRows(data)
		if err != nil {
			t.Fatal(err)
		}
		r, err := UnsqueezeRows(memory(packed))
		if err != nil || r.Len() != n {
			t.Fatalf("%d bytes: %d, %v", n, r.Len(), err)
		}
		rng := rand.New(rand.NewPCG(3, uint64(n)))
		for range 200 {
			off := rng.IntN(n + 1)
			size := rng.IntN(min(n-off, 1<<rng.IntN(18)) + 1)
			got, err := r.Bytes(off, size)
			if err != nil || !bytes.Equal(got, data[off:off+size]) {
				t.Fatalf("%d bytes at %d of %d differ: %v", size, off, n, err)
			}
		}
		for _, x := range [][2]int{{-1, 1}, {0, n + 1}, {n + 1, 0}, {n, 1}, {1, -1}} {
			if _, err := r.Bytes(x[0], x[1]); err == nil {
				t.Errorf("%d bytes at %d of %d: no error", x[1], x[0], n)
			}
		}
	}
}

// A damaged table gives an error or other bytes, never a panic or all memory.
func FuzzUnsqueezeRows(f *testing.F) {
	packed, err := SqueezeRows(someTable(3 * rowsBlock))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed, 5, 100)
	f.Add(packed[:20], rowsBlock-1, 2)
	f.Fuzz(func(_ *testing.T, packed []byte, off, n int) {
		r, err := UnsqueezeRows(memory(packed))
		if err != nil {
			return
		}
		_, _ = r.Bytes(off, n)
		_, _ = r.Bytes(0, min(r.Len(), 1<<20))
	})
}
