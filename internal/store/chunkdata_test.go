package store

import (
	"reflect"
	"testing"
)

// What ranking knows of a chunk survives being stored, and bytes that are something
// else are refused.
func TestChunkData(t *testing.T) {
	want := chunkData{
		Name: "Guide", Place: 3, Part: 1, Tokens: 212, Hash: 1<<63 + 7, Headings: "Guide\nKeys", Body: "Turn the key.\x00",
		Trail: []step{{"Guide", "", 1, true}, {"Keys", "keys", 2, false}},
		Inner: []innerStep{{step{"Spare", "spare", 3, false}, 40}},
	}
	raw := want.bytes()
	var got chunkData
	if err := got.read(raw); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for n := range raw {
		if new(chunkData).read(raw[:n]) == nil {
			t.Errorf("%d of %d bytes are enough", n, len(raw))
		}
	}
	if new(chunkData).read([]byte(`{"name":"Guide"}`)) == nil {
		t.Error("JSON of older versions was taken")
	}
}
