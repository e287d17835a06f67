package segment

import (
	"io"
	"path/filepath"
	"testing"
)

// benchParts is about what an index of the MDN reference weighs.
func benchParts() []Part {
	return []Part{
		{Name: "terms", Data: noise(1, 2<<20)},
		{Name: "posts", Data: noise(2, 12<<20)},
		{Name: "docs", Data: noise(3, 1<<20)},
	}
}

func BenchmarkOpenAndTouch(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.seg")
	if err := WriteFile(path, benchParts()); err != nil {
		b.Fatal(err)
	}
	for _, way := range []struct {
		name string
		open func() (*File, error)
	}{
		{"mapped", func() (*File, error) { return Open(path) }},
		{"positional", func() (*File, error) { return open(path, noMapping) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f, err := way.open()
				if err != nil {
					b.Fatal(err)
				}
				posts, _ := f.Part("posts")
				for off := 0; off < 5<<20; off += 1 << 20 {
					if _, err := posts.Bytes(off, 128); err != nil {
						b.Fatal(err)
					}
				}
				f.Close()
			}
		})
	}
}

func BenchmarkOpenStore(b *testing.B) {
	dir := b.TempDir()
	mustAdvance(b, dir, 2)
	for b.Loop() {
		s, err := OpenStore(dir)
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

func BenchmarkBytesOfACheckedPage(b *testing.B) {
	f, err := FromBytes(encode(b, benchParts()))
	if err != nil {
		b.Fatal(err)
	}
	posts, _ := f.Part("posts")
	i := 0
	for b.Loop() {
		if _, err := posts.Bytes(i&(8<<20-1), 128); err != nil {
			b.Fatal(err)
		}
		i += 128
	}
}

func BenchmarkVerify(b *testing.B) {
	f, err := FromBytes(encode(b, benchParts()))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(f.Size())
	for b.Loop() {
		if err := f.Verify(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	parts := benchParts()
	b.SetBytes(15 << 20)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Write(io.Discard, parts); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCommitSmallDelta(b *testing.B) {
	dir := b.TempDir()
	w := lock(b, dir)
	defer w.Close()
	parts := ledgerParts(1, 1)
	for b.Loop() {
		if err := w.Commit(Commit{Add: [][]Part{parts}}); err != nil {
			b.Fatal(err)
		}
	}
}
