package segment

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write testdata anew")

// Pages in memory are as large as what one write wrote: see pieceSize.
func TestPiecesAreSmallUnlessScanned(t *testing.T) {
	w := &sizes{}
	big := make([]byte, 10*pieceSize+5)
	if _, err := Write(w, []Part{{Name: "a", Data: big}, {Name: "b", Data: big, Scanned: true}, {Name: "c", Data: big}}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(w.list)
	most, rest := w.list[len(w.list)-1], w.list[:len(w.list)-1]
	if most < len(big)-pieceSize {
		t.Errorf("the largest of %d writes is of %d bytes", len(w.list), most)
	}
	if top := slices.Max(rest); top > pieceSize {
		t.Errorf("a write of what is not scanned is of %d bytes", top)
	}
	if len(rest) > 30 {
		t.Errorf("%d writes", len(w.list))
	}
}

// sizes notes how much each write wrote.
type sizes struct{ list []int }

func (s *sizes) Write(b []byte) (int, error) {
	s.list = append(s.list, len(b))
	return len(b), nil
}

// ways are the three ways to come to a file. What is true of one is true of all.
var ways = []struct {
	name string
	open func(t testing.TB, b []byte) (*File, error)
}{
	{"in memory", func(_ testing.TB, b []byte) (*File, error) { return FromBytes(b) }},
	{"mapped", func(t testing.TB, b []byte) (*File, error) { return openAs(t, b, mapFile) }},
	{"by positional reads", func(t testing.TB, b []byte) (*File, error) { return openAs(t, b, noMapping) }},
}

func noMapping(*os.File, int) ([]byte, func() error, error) { return nil, nil, errors.ErrUnsupported }

func openAs(t testing.TB, b []byte, mapping func(*os.File, int) ([]byte, func() error, error)) (*File, error) {
	h, err := os.CreateTemp(t.TempDir(), "*.seg")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Write(b); err != nil {
		t.Fatal(err)
	}
	h.Close()
	f, err := open(h.Name(), mapping)
	if err == nil {
		t.Cleanup(func() { f.Close() })
	}
	return f, err
}

// encode returns the file of the given parts.
func encode(t testing.TB, parts []Part) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := Write(&b, parts)
	if err != nil {
		t.Fatal(err)
	}
	if n != int64(b.Len()) {
		t.Fatalf("Write says %d bytes and wrote %d", n, b.Len())
	}
	return b.Bytes()
}

// readAll reads every part in steps that do not match the pages.
func readAll(f *File) ([]Part, error) {
	parts := []Part{}
	for _, name := range f.Names() {
		blob, ok := f.Part(name)
		if !ok {
			return nil, fmt.Errorf("part %q is listed and not there", name)
		}
		data := make([]byte, 0, blob.Len())
		for off := 0; off < blob.Len(); off += 5000 {
			b, err := blob.Bytes(off, min(5000, blob.Len()-off))
			if err != nil {
				return nil, err
			}
			data = append(data, b...)
		}
		parts = append(parts, Part{Name: name, Data: data})
	}
	return parts, nil
}

func noise(seed uint64, n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16), byte(seed >> 24)})
	_, _ = r.Read(b)
	return b
}

// same compares parts, for which nil and empty data are one.
func same(t testing.TB, got, want []Part) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %d parts, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Name != want[i].Name || !bytes.Equal(got[i].Data, want[i].Data) {
			t.Fatalf("part %d: got %q with %d bytes, want %q with %d", i,
				got[i].Name, len(got[i].Data), want[i].Name, len(want[i].Data))
		}
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	for _, way := range ways {
		for _, c := range []struct {
			name  string
			parts []Part
		}{
			{"no parts at all", []Part{}},
			{"one empty part", []Part{{Name: "a"}}},
			{"one byte", []Part{{Name: "a", Data: []byte("x")}}},
			{"empty parts between others", []Part{{Name: "a"}, {Name: "b", Data: []byte("b")}, {Name: "c"}}},
			{"one page exactly", []Part{{Name: "a", Data: noise(1, pageSize)}}},
			{"a page and a byte", []Part{{Name: "a", Data: noise(2, pageSize+1)}}},
			{"the longest name", []Part{{Name: string(bytes.Repeat([]byte("n"), maxName)), Data: []byte("x")}}},
			{"a file in a file", []Part{{Name: "a", Data: encode(t, []Part{{Name: "b", Data: noise(3, 100)}})}}},
			{"many pages", []Part{{Name: "a", Data: noise(4, 40*pageSize+17)}, {Name: "b", Data: noise(5, 9)}}},
		} {
			t.Run(way.name+"/"+c.name, func(t *testing.T) {
				f, err := way.open(t, encode(t, c.parts))
				if err != nil {
					t.Fatal(err)
				}
				got, err := readAll(f)
				if err != nil {
					t.Fatal(err)
				}
				same(t, got, c.parts)
				if err := f.Verify(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// Any parts come back as they were, from any range, whichever way they are read,
// and streaming them changes nothing.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringN(1, 20, 80), 0, 8, rapid.ID[string]).Draw(rt, "names")
		var parts, streamed []Part
		for i, name := range names {
			size := rapid.OneOf(rapid.IntRange(0, 200), rapid.IntRange(0, 5*pageSize),
				rapid.SampledFrom([]int{pageSize - 1, pageSize, pageSize + 1})).Draw(rt, "size")
			data := noise(uint64(i*100000+size), size)
			parts = append(parts, Part{Name: name, Data: data})
			piece := rapid.IntRange(1, 3*pageSize).Draw(rt, "piece")
			streamed = append(streamed, Part{Name: name, Stream: func(w io.Writer) error {
				for chunk := range slices.Chunk(data, piece) {
					if _, err := w.Write(chunk); err != nil {
						return err
					}
				}
				return nil
			}})
		}
		b := encode(t, parts)
		if !bytes.Equal(b, encode(t, streamed)) {
			rt.Fatal("streaming the parts changes the file")
		}
		way := rapid.SampledFrom(ways).Draw(rt, "way")
		f, err := way.open(t, b)
		if err != nil {
			rt.Fatal(err)
		}
		defer f.Close()
		if diff := cmp.Diff(names, f.Names()); len(names) > 0 && diff != "" {
			rt.Fatal(diff)
		}
		for range 20 {
			if len(parts) == 0 {
				break
			}
			p := rapid.SampledFrom(parts).Draw(rt, "part")
			off := rapid.IntRange(0, len(p.Data)).Draw(rt, "off")
			n := rapid.IntRange(0, len(p.Data)-off).Draw(rt, "n")
			blob, _ := f.Part(p.Name)
			got, err := blob.Bytes(off, n)
			if err != nil || !bytes.Equal(got, p.Data[off:off+n]) {
				rt.Fatalf("Bytes(%d, %d) of %d differ: %v", off, n, len(p.Data), err)
			}
		}
		if err := f.Verify(); err != nil {
			rt.Fatal(err)
		}
	})
}

func TestRangesOutsideAPartAreRefused(t *testing.T) {
	const maxInt = int(^uint(0) >> 1)
	for _, way := range ways {
		f, err := way.open(t, encode(t, []Part{{Name: "a", Data: make([]byte, 100)}, {Name: "b", Data: []byte("b")}}))
		if err != nil {
			t.Fatal(err)
		}
		blob, _ := f.Part("a")
		for _, c := range [][2]int{{-1, 1}, {0, -1}, {0, 101}, {100, 1}, {101, 0}, {maxInt, 1}, {1, maxInt}, {maxInt, maxInt}} {
			if b, err := blob.Bytes(c[0], c[1]); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: Bytes%v gives %d bytes and %v", way.name, c, len(b), err)
			}
		}
		b, err := blob.Bytes(100, 0)
		if err != nil || len(b) != 0 {
			t.Errorf("%s: nothing at the end: %v %v", way.name, b, err)
		}
		b, _ = blob.Bytes(10, 10)
		if cap(b) != 10 {
			t.Errorf("%s: append to a slice would write to what follows it", way.name)
		}
	}
}

func TestPartsThatCannotBeWritten(t *testing.T) {
	many := make([]Part, maxParts+1)
	for i := range many {
		many[i].Name = fmt.Sprint(i)
	}
	if _, err := Write(io.Discard, many[1:]); err != nil {
		t.Error(err)
	}
	for name, parts := range map[string][]Part{
		"no name":         {{Name: ""}},
		"two of a name":   {{Name: "a"}, {Name: "a"}},
		"a name too long": {{Name: string(make([]byte, maxName+1))}},
		"too many":        many,
		"a stream fails":  {{Name: "a", Stream: func(io.Writer) error { return io.ErrNoProgress }}},
	} {
		if _, err := Write(io.Discard, parts); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A writer that fails at any byte is reported.
func TestWriteReportsFailure(t *testing.T) {
	parts := []Part{{Name: "a", Data: noise(1, 200)}, {Name: "b", Data: noise(2, 200_000)}}
	size := len(encode(t, parts))
	for limit := 0; limit < size; limit += 997 {
		if _, err := Write(&limitedWriter{limit}, parts); !errors.Is(err, io.ErrShortWrite) {
			t.Fatalf("after %d bytes: %v", limit, err)
		}
	}
}

type limitedWriter struct{ left int }

func (w *limitedWriter) Write(b []byte) (int, error) {
	n := min(len(b), w.left)
	w.left -= n
	if n < len(b) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

func TestUseAfterCloseIsAnError(t *testing.T) {
	for _, way := range ways {
		f, err := way.open(t, encode(t, []Part{{Name: "a", Data: noise(1, 3*pageSize)}}))
		if err != nil {
			t.Fatal(err)
		}
		blob, _ := f.Part("a")
		if _, err := blob.Bytes(0, 10); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Close(), f.Close()); err != nil {
			t.Errorf("%s: %v", way.name, err)
		}
		if _, err := blob.Bytes(0, 10); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: Bytes after Close: %v", way.name, err)
		}
		if err := f.Verify(); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: Verify after Close: %v", way.name, err)
		}
	}
}

func TestManyGoroutinesReadOneFile(t *testing.T) {
	data := noise(1, 100*pageSize+5)
	b := encode(t, []Part{{Name: "a", Data: data}})
	for _, way := range ways {
		f, err := way.open(t, b)
		if err != nil {
			t.Fatal(err)
		}
		blob, _ := f.Part("a")
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(1, uint64(g)))
				for range 300 {
					off := r.IntN(len(data))
					n := r.IntN(min(len(data)-off, 3*pageSize) + 1)
					if got, err := blob.Bytes(off, n); err != nil || !bytes.Equal(got, data[off:off+n]) {
						t.Errorf("%s: Bytes(%d, %d): %v", way.name, off, n, err)
					}
				}
			})
		}
		wg.Wait()
	}
}

func TestWriteFileReplacesWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "docs.docent")
	for round := range 3 {
		parts := []Part{{Name: "a", Data: noise(uint64(round), 1000)}}
		if err := WriteFile(path, parts); err != nil {
			t.Fatal(err)
		}
		bad := []Part{parts[0], {Name: "b", Stream: func(io.Writer) error { return io.ErrNoProgress }}}
		if err := WriteFile(path, bad); !errors.Is(err, io.ErrNoProgress) {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAll(f)
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, parts)
		f.Close()
	}
	if names := list(t, dir); !slices.Equal(names, []string{"docs.docent"}) {
		t.Errorf("left in the folder: %v", names)
	}
}

// Files of every released version must be read, or refused as older, for ever;
// this version's must not change by accident.
func TestFormat1IsWrittenAndRead(t *testing.T) {
	parts := []Part{
		{Name: "words", Data: []byte("the quick brown fox")},
		{Name: "nothing"},
		{Name: "squares", Data: func() (b []byte) {
			for i := range 9000 {
				b = append(b, byte(i*i>>4))
			}
			return b
		}()},
	}
	const path = "testdata/v1.seg"
	if *update {
		if err := WriteFile(path, parts); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(encode(t, parts), want) {
		t.Error("the format has changed: it needs a new version")
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := readAll(f)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, parts)
}
