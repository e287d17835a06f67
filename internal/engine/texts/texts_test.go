package texts

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/docent-md/docent/internal/blob"
	"pgregory.net/rapid"
)

type memory []byte

func (m memory) Len() int { return len(m) }

func (m memory) Bytes(off, n int) ([]byte, error) {
	if off < 0 || n < 0 || off+n > len(m) {
		return nil, fmt.Errorf("out of range")
	}
	return m[off : off+n], nil
}

func pack(t testing.TB, all [][]byte) map[string]memory {
	b, err := NewBuilder()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range all {
		b.Add(text)
	}
	parts := map[string]memory{}
	b.Parts(func(name string, data []byte) { parts[name] = data })
	return parts
}

func open(t testing.TB, parts map[string]memory) *Reader {
	r, err := Open(func(name string) (blob.Blob, error) { return parts[name], nil })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What was added is what is read, in any order, and packing is deterministic.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		all := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) []byte {
			piece := rapid.SliceOfN(rapid.Byte(), 0, 50).Draw(t, "piece")
			return bytes.Repeat(piece, rapid.IntRange(0, 500).Draw(t, "times"))
		}), 0, 6).Draw(rt, "texts")
		parts := pack(t, all)
		r := open(t, parts)
		if r.Len() != len(all) {
			rt.Fatalf("%d texts, want %d", r.Len(), len(all))
		}
		for i := len(all) - 1; i >= 0; i-- {
			got, err := r.Text(i)
			if err != nil || !bytes.Equal(got, all[i]) {
				rt.Fatalf("text %d: %d bytes, %v; want %d", i, len(got), err, len(all[i]))
			}
		}
		for name, data := range pack(t, all) {
			if !bytes.Equal(data, parts[name]) {
				rt.Fatalf("part %s differs when packed again", name)
			}
		}
	})
}

// Damaged parts give an error or other bytes, never a panic or a flood.
func FuzzReader(f *testing.F) {
	parts := pack(f, [][]byte{[]byte("hello"), bytes.Repeat([]byte("docs "), 20000)})
	f.Add([]byte(parts[textPart]), []byte(parts[blocksPart]), []byte(parts[endsPart]))
	f.Fuzz(func(_ *testing.T, text, blocks, ends []byte) {
		damaged := map[string]memory{textPart: text, blocksPart: blocks, endsPart: ends}
		r, err := Open(func(name string) (blob.Blob, error) { return damaged[name], nil })
		if err != nil {
			return
		}
		for i := range min(r.Len(), 50) {
			_, _ = r.Text(i)
		}
	})
}
