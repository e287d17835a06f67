package snippet

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/docent-md/docent/doc"
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

func parts(t testing.TB, b *Builder) map[string]memory {
	t.Helper()
	out := map[string]memory{}
	if err := b.Parts(func(name string, data []byte) { out[name] = data }); err != nil {
		t.Fatal(err)
	}
	return out
}

func open(t testing.TB, b *Builder) *Reader {
	t.Helper()
	parts := parts(t, b)
	r, err := Open(func(name string) (blob.Blob, error) { return parts[name], nil })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// file draws the blocks of a file, in their order.
func file(t *rapid.T) []Named {
	var out []Named
	at, line, section := 0, 0, 0
	for range rapid.IntRange(0, 4).Draw(t, "blocks") {
		step := func() int { return rapid.IntRange(0, 300).Draw(t, "step") }
		section += rapid.IntRange(0, 2).Draw(t, "sections")
		start, first := at+step(), line+1+step()
		b := Named{Block: Block{
			Section: section, Language: rapid.SampledFrom([]string{"", "go", "js"}).Draw(t, "lang"),
			Span: doc.Span{Start: start, End: start + step()}, Lines: doc.Lines{Start: first, End: first + step()},
		}}
		at, line = b.Span.End, b.Lines.End
		for _, w := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-cA-C]{1,2}`), 0, 5, rapid.ID[string]).Draw(t, "names") {
			b.Names = append(b.Names, Name{w, Kind(rapid.IntRange(0, 2).Draw(t, "kind"))})
		}
		out = append(out, b)
	}
	return out
}

// What was added is what is read, and a name finds exactly the blocks that have
// it.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		files := rapid.SliceOfN(rapid.Custom(file), 0, 5).Draw(rt, "files")
		b := &Builder{}
		want := map[string][]Hit{}
		number := 0
		for _, f := range files {
			b.Add(f)
			for _, block := range f {
				for _, n := range block.Names {
					want[n.Text] = append(want[n.Text], Hit{number, n.Kind})
				}
				number++
			}
		}
		r := open(t, b)
		if n, err := r.Len(); err != nil || n != number {
			rt.Fatalf("%d blocks, %v; want %d", n, err, number)
		}
		at := 0
		for i, f := range files {
			first, got, err := r.InFile(i)
			if err != nil || first != at || len(got) != len(f) {
				rt.Fatalf("file %d: %d blocks from %d, %v; want %d from %d", i, len(got), first, err, len(f), at)
			}
			for k := range f {
				if got[k] != f[k].Block {
					rt.Fatalf("file %d: block %+v, want %+v", i, got[k], f[k].Block)
				}
				if in, err := r.File(at); err != nil || in != i {
					rt.Fatalf("block %d: in file %d, %v; want %d", at, in, err, i)
				}
				at++
			}
		}
		for name, hits := range want {
			if got, err := r.Find(name); err != nil || !slices.Equal(got, hits) {
				rt.Fatalf("Find(%q) = %v, %v; want %v", name, got, err, hits)
			}
		}
	})
}

// Tables put together from pieces of others are those made afresh, byte for
// byte.
func TestCopy(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		files := rapid.SliceOfN(rapid.Custom(file), 0, 6).Draw(rt, "files")
		whole, left, right := &Builder{}, &Builder{}, &Builder{}
		type from struct{ side, row int }
		var order []from
		for _, f := range files {
			switch rapid.IntRange(0, 2).Draw(rt, "side") {
			case 0:
				order = append(order, from{0, len(left.files)})
				left.Add(f)
			case 1:
				order = append(order, from{1, len(right.files)})
				right.Add(f)
			default: // gone since
				left.Add(f)
				continue
			}
			whole.Add(f)
		}
		sides := []*Reader{open(t, left), open(t, right)}
		again := &Builder{}
		for _, o := range order {
			if err := again.Copy(sides[o.side], o.row); err != nil {
				rt.Fatal(err)
			}
		}
		if got, want := parts(t, again), parts(t, whole); !reflect.DeepEqual(got, want) {
			rt.Fatalf("copied %v, want %v", got, want)
		}
	})
}

func TestFind(t *testing.T) {
	b := &Builder{}
	b.Add([]Named{
		{Names: []Name{{"listen", Uses}}},
		{Names: []Name{{"listen", Declares}}},
		{Names: []Name{{"Listen", Uses}}},
	})
	r := open(t, b)
	for _, tt := range []struct {
		name string
		want []Hit
	}{
		{"listen", []Hit{{0, Uses}, {1, Declares}}},
		{"Listen", []Hit{{2, Uses}}},
		{"LISTEN", nil},
	} {
		if got, err := r.Find(tt.name); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("Find(%q) = %v, %v; want %v", tt.name, got, err, tt.want)
		}
	}
	if got, err := r.Fold("LISTEN"); err != nil || !slices.Equal(got, []string{"Listen", "listen"}) {
		t.Errorf("Fold = %v, %v", got, err)
	}
}

// Damaged tables give an error or other values, never a panic.
func FuzzReader(f *testing.F) {
	b := &Builder{}
	b.Add([]Named{{Block: Block{Language: "go"}, Names: []Name{{"main", Declares}}}})
	p := parts(f, b)
	f.Add([]byte(p["code"]), []byte(p["code.files"]), []byte(p["code.langs"]), []byte(p["code.words"]), []byte(p["code.heap"]), []byte(p["code.lists"]))
	f.Fuzz(func(_ *testing.T, a, b, c, d, e, g []byte) {
		parts := map[string]memory{}
		for i, data := range [][]byte{a, b, c, d, e, g} {
			parts[partNames[i]] = data
		}
		r, err := Open(func(name string) (blob.Blob, error) { return parts[name], nil })
		if err != nil {
			return
		}
		for i := range r.Files() {
			_, _, _ = r.InFile(i)
			_, _ = r.File(i)
		}
		_, _ = r.Find("main")
		_, _ = r.Fold("MAIN")
		again := &Builder{}
		if again.Copy(r, 0) == nil {
			_ = again.Parts(func(string, []byte) {})
		}
	})
}
