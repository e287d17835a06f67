package texts

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestSqueeze(t *testing.T) {
	for _, want := range []string{"", "a", strings.Repeat("docent ", 10_000)} {
		packed, err := Squeeze([]byte(want))
		if err != nil {
			t.Fatal(err)
		}
		s, err := Unsqueeze(memory(packed))
		if err != nil || s.Len() != len(want) {
			t.Fatalf("length %d, %v; want %d", s.Len(), err, len(want))
		}
		got, err := s.Bytes(0, s.Len())
		if err != nil || string(got) != want {
			t.Errorf("%.20q unpacks to %.20q, %v", want, got, err)
		}
		if _, err := s.Bytes(1, s.Len()); !errors.Is(err, ErrDamaged) {
			t.Errorf("reading past the end: %v", err)
		}
	}
}

// Whatever stands in a pack, reading it is an error or gives as many bytes as it
// says.
func FuzzUnsqueeze(f *testing.F) {
	packed, err := Squeeze(bytes.Repeat([]byte("docent "), 100))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Unsqueeze(memory(data))
		if err != nil || s.Len() > 1<<20 {
			return
		}
		if got, err := s.Bytes(0, s.Len()); err == nil && len(got) != s.Len() {
			t.Errorf("%d bytes, want %d", len(got), s.Len())
		}
	})
}
