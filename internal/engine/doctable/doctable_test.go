package doctable

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/blob"
	"pgregory.net/rapid"
)

// memory is a Blob over plain bytes.
type memory []byte

func (m memory) Len() int { return len(m) }

func (m memory) Bytes(off, n int) ([]byte, error) {
	if off < 0 || n < 0 || off+n > len(m) {
		return nil, fmt.Errorf("out of range: %d+%d of %d", off, n, len(m))
	}
	return m[off : off+n], nil
}

func open(t testing.TB, b *Builder) *Reader {
	t.Helper()
	parts := map[string][]byte{}
	b.Parts(func(name string, data []byte) { parts[name] = data })
	r, err := Open(func(name string) (blob.Blob, error) { return memory(parts[name]), nil })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

type entry struct {
	File     File
	Sections []Section
	Chunks   []Chunk
}

func entries() *rapid.Generator[[]entry] {
	word := rapid.StringMatching(`[a-z]{0,4}`)
	return rapid.Custom(func(t *rapid.T) []entry {
		paths := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,6}\.md`), 0, 6, rapid.ID[string]).Draw(t, "paths")
		// Builder wants the order of paths.
		for i := range paths {
			for j := range i {
				if paths[i] < paths[j] {
					paths[i], paths[j] = paths[j], paths[i]
				}
			}
		}
		var out []entry
		section, chunk := 0, 0
		for n, p := range paths {
			e := entry{File: File{
				Path: p, Title: word.Draw(t, "title"), Description: word.Draw(t, "description"),
				Size: rapid.Int64Min(0).Draw(t, "size"), ModTime: rapid.Int64().Draw(t, "modtime"),
				Hash: Hash{byte(n)}, Lines: 7, Tokens: 9, Fences: 1, Links: 2,
				FirstSection: section, FirstChunk: chunk,
			}}
			for i := range rapid.IntRange(1, 5).Draw(t, "sections") {
				e.Sections = append(e.Sections, Section{
					Level: 1, Bare: i%2 == 1, Title: word.Draw(t, "heading"), Anchor: word.Draw(t, "anchor"), Parent: i - 1,
					Span: doc.Span{Start: i, End: 2 * i}, Lines: doc.Lines{Start: i + 1, End: i + 3},
				})
			}
			for i := range rapid.IntRange(0, 4).Draw(t, "chunks") {
				e.Chunks = append(e.Chunks, Chunk{
					File: n, Section: i % len(e.Sections), Part: i, Altered: i%3 == 1, Span: doc.Span{Start: i, End: i + 4},
					Lines: doc.Lines{Start: 1, End: 2}, Tokens: 3, Hash: rapid.Uint64().Draw(t, "hash"),
				})
			}
			e.File.Sections, e.File.Chunks = len(e.Sections), len(e.Chunks)
			section, chunk = section+len(e.Sections), chunk+len(e.Chunks)
			out = append(out, e)
		}
		return out
	})
}

func read(t *rapid.T, r *Reader) []entry {
	var out []entry
	for i := range r.Files() {
		f, err := r.File(i)
		if err != nil {
			t.Fatal(err)
		}
		e := entry{File: f}
		for k := range f.Sections {
			s, err := r.Section(f.FirstSection + k)
			if err != nil {
				t.Fatal(err)
			}
			e.Sections = append(e.Sections, s)
		}
		for k := range f.Chunks {
			c, err := r.Chunk(f.FirstChunk + k)
			if err != nil {
				t.Fatal(err)
			}
			c.Section -= f.FirstSection
			e.Chunks = append(e.Chunks, c)
		}
		out = append(out, e)
	}
	return out
}

// What was added is what is read, and a copy of it is the same bytes.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := entries().Draw(rt, "entries")
		b := NewBuilder()
		for _, e := range want {
			if err := b.Add(e.File, e.Sections, e.Chunks); err != nil {
				rt.Fatal(err)
			}
		}
		r := open(t, b)
		if got := read(rt, r); !reflect.DeepEqual(got, want) {
			rt.Fatalf("read %+v\nwant %+v", got, want)
		}
		for i, e := range want {
			if at, ok, err := r.Find(e.File.Path); at != i || !ok || err != nil {
				rt.Fatalf("Find(%q) = %d, %v, %v; want %d", e.File.Path, at, ok, err, i)
			}
			f, err := r.File(i)
			if err != nil {
				rt.Fatal(err)
			}
			if first, end, err := r.ChunksOf(i); first != f.FirstChunk || end != first+f.Chunks || err != nil {
				rt.Fatalf("ChunksOf(%d) = %d, %d, %v; the file has %d from %d on", i, first, end, err, f.Chunks, f.FirstChunk)
			}
			if first, end, err := r.SectionsOf(i); first != f.FirstSection || end != first+f.Sections || err != nil {
				rt.Fatalf("SectionsOf(%d) = %d, %d, %v; the file has %d from %d on", i, first, end, err, f.Sections, f.FirstSection)
			}
		}
		again := NewBuilder()
		for i := range r.Files() {
			if err := again.Copy(r, i, nil); err != nil {
				rt.Fatal(err)
			}
		}
		if !reflect.DeepEqual(again.files, b.files) || !reflect.DeepEqual(again.strings.Heap(), b.strings.Heap()) || !reflect.DeepEqual(again.chunks, b.chunks) {
			rt.Fatal("a copy differs from the original")
		}
	})
}

func TestTrail(t *testing.T) {
	b := NewBuilder()
	err := b.Add(File{Path: "a.md"}, []Section{
		{Level: 1, Title: "Guide", Parent: -1},
		{Level: 2, Title: "Keys", Parent: 0},
		{Level: 3, Title: "Rotate", Parent: 1},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, b)
	f, err := r.File(0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Trail(f, 2)
	if want := []string{"Guide", "Keys", "Rotate"}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Trail = %q, %v; want %q", got, err, want)
	}
}

func TestAddRefusesDisorder(t *testing.T) {
	b := NewBuilder()
	if err := b.Add(File{Path: "b.md"}, nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := b.Add(File{Path: "a.md"}, nil, nil); err == nil {
		t.Error("a file out of order was accepted")
	}
}

// Damaged tables give an error or other values, never a panic.
func FuzzReader(f *testing.F) {
	b := NewBuilder()
	_ = b.Add(File{Path: "a.md", Title: "A"}, []Section{{Title: "A", Parent: -1}, {Title: "B", Parent: 0}}, []Chunk{{Section: 1}})
	f.Add(b.files, b.sections, b.chunks, b.strings.Ends(), b.strings.Heap(), b.split)
	f.Fuzz(func(_ *testing.T, files, sections, chunks, strings, heap, split []byte) {
		parts := map[string]memory{"files": files, "sections": sections, "chunks": chunks, "strings": strings, "heap": heap, "split": split}
		r, err := Open(func(name string) (blob.Blob, error) { return parts[name], nil })
		if err != nil {
			return
		}
		for i := range r.Files() {
			if f, err := r.File(i); err == nil && f.Sections > 0 {
				_, _ = r.Trail(f, f.FirstSection+f.Sections-1)
			}
		}
		for i := range r.Chunks() {
			_, _ = r.Chunk(i)
		}
		_, _, _ = r.Find("a.md")
		_, _ = r.Split()
	})
}
