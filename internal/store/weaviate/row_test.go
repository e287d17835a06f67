package weaviate

import (
	"reflect"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/store/backend"
)

// What is read from a row is what was written, but for the length of the vector.
func TestRowsKeepChunks(t *testing.T) {
	for _, k := range []backend.Chunk{
		{},
		{
			Section: backend.Section{ID: "a.md#b", Parent: "a.md", Title: "B", Path: "A → B", Lines: [2]int{3, 9}}, File: "a.md",
			Content: "text \x00 \"quoted\"\n", Data: []byte(`{"name":"A"}`), Vector: []float32{127, -64, 0, 1},
			Refs: []backend.Reference{{From: "a.md#b", To: "c.md", Text: "c", Summary: "C: more", Title: "B"}, {From: "a.md#b", Text: "gone.md", Title: "B"}},
		},
	} {
		row, err := plain.row(&k)
		if err != nil {
			t.Fatal(err)
		}
		got, err := plain.chunk(k.ID, k.File, row)
		if err != nil {
			t.Fatal(err)
		}
		if k.Data == nil {
			got.Data = nil
		}
		if !reflect.DeepEqual(got, k) {
			t.Errorf("got  %+v\nwant %+v", got, k)
		}
	}
}

func TestVectorsKeepTheirDirection(t *testing.T) {
	if got := codeOf([]float32{.5, -.25, 0, .1}); !reflect.DeepEqual(got, []int8{127, -64, 0, 25}) {
		t.Error(got)
	}
	if got := codeOf([]float32{0, 0}); !reflect.DeepEqual(got, []int8{0, 0}) {
		t.Error(got)
	}
}

// A row that is cut short, or none at all, is an error and nothing worse.
func FuzzRow(f *testing.F) {
	row, _ := plain.row(&backend.Chunk{Content: "text", Vector: []float32{1, 2}, Refs: []backend.Reference{{To: "x"}}})
	f.Add(row)
	f.Add("")
	f.Add("AQ==")
	f.Fuzz(func(t *testing.T, row string) {
		k, err := plain.chunk("id", "file", row)
		if err == nil && strings.Contains(k.ID, "\x00") {
			t.Error(k)
		}
	})
}
