package fields

import (
	"reflect"
	"testing"

	"github.com/docent-md/docent/internal/blob"
	"pgregory.net/rapid"
)

func partOf(b *Builder) []byte {
	var part []byte
	b.Parts(Part, func(_ string, data []byte) { part = data })
	return part
}

// What was added is what is read, and a copy of it is the same bytes.
func TestRoundTrip(t *testing.T) {
	word := rapid.StringMatching(`[a-zé]{0,4}`)
	rapid.Check(t, func(rt *rapid.T) {
		files := rapid.SliceOfN(rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) Pair {
			return Pair{word.Draw(rt, "name"), word.Draw(rt, "value")}
		}), 0, 4), 0, 6).Draw(rt, "files")
		var b, again Builder
		for _, pairs := range files {
			b.Add(pairs)
		}
		part := partOf(&b)
		if part == nil {
			for _, pairs := range files {
				if len(pairs) > 0 {
					rt.Fatal("fields, and no part")
				}
			}
			return
		}
		r, err := Open(blob.Memory(part))
		if err != nil {
			rt.Fatal(err)
		}
		for row, want := range files {
			got, err := r.Of(row)
			if err != nil || len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
				rt.Fatalf("file %d has %v, %v; want %v", row, got, err, want)
			}
			if err := again.Copy(r, row); err != nil {
				rt.Fatal(err)
			}
		}
		if !reflect.DeepEqual(partOf(&again), part) {
			rt.Fatal("a copy differs from the original")
		}
	})
}

// Documents without fields cost nothing: there is no part, and no Reader is needed.
func TestNoFieldsNoPart(t *testing.T) {
	var b Builder
	b.Add(nil)
	var none *Reader
	if err := b.Copy(none, 7); err != nil {
		t.Fatal(err)
	}
	if part := partOf(&b); part != nil {
		t.Errorf("a part of %d bytes", len(part))
	}
}

// A damaged table gives an error or other values, never a panic.
func FuzzReader(f *testing.F) {
	var b Builder
	b.Add([]Pair{{"tags", "a"}, {"tags", "b"}})
	b.Add(nil)
	b.Add([]Pair{{"status", "draft"}})
	f.Add(partOf(&b))
	f.Fuzz(func(_ *testing.T, part []byte) {
		r, err := Open(blob.Memory(part))
		if err != nil {
			return
		}
		for row := range min(r.files, 100) {
			_, _ = r.Of(row)
		}
	})
}
